import { describe, expect, test } from "vitest";
import { ModelError, type ModelStreamEvent } from "../../../electron/agent/ports/ports.ts";
import { retryAfterMsOf, withRetry } from "../../../electron/providers/retry.ts";
import { FakeClock, InstantClock } from "../../fakes/clock.ts";

const overloaded = (retryAfterMs?: number) =>
  new ModelError("overloaded", "Overloaded.", "Wait.", { retryAfterMs });

async function delaysOf(
  policy: { max: number; baseMs: number; capMs: number },
  random = 1,
  retryAfterMs?: number,
): Promise<number[]> {
  const clock = new InstantClock();
  const events = withRetry(
    // biome-ignore lint/correctness/useYield: an attempt that fails before its first event
    async function* (): AsyncGenerator<ModelStreamEvent[]> {
      throw overloaded(retryAfterMs);
    },
    { policy, clock, random: () => random, signal: new AbortController().signal },
  );
  await expect(async () => {
    for await (const event of events) expect(event.type).toBe("retry");
  }).rejects.toThrow("Overloaded.");
  return clock.slept;
}

describe("withRetry", () => {
  test("doubles its waits up to the cap", async () => {
    expect(await delaysOf({ max: 5, baseMs: 1000, capMs: 60_000 })).toEqual([1000, 2000, 4000, 8000, 16_000]);
    expect(await delaysOf({ max: 7, baseMs: 10_000, capMs: 320_000 })).toEqual([
      10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 320_000,
    ]);
  });

  test("waits up to a quarter less by chance", async () => {
    expect(await delaysOf({ max: 2, baseMs: 1000, capMs: 60_000 }, 0)).toEqual([750, 1500]);
  });

  test("waits as long as the server asks, up to the cap and no longer", async () => {
    const policy = { max: 1, baseMs: 1000, capMs: 60_000 };
    expect(await delaysOf(policy, 1, 60_000)).toEqual([60_000]);
    expect(await delaysOf(policy, 1, 60_001)).toEqual([]);
  });

  test("a wait that is skipped ends at once, and the next attempt follows", async () => {
    let attempts = 0;
    const events = withRetry(
      async function* (): AsyncGenerator<ModelStreamEvent[]> {
        if (++attempts === 1) throw overloaded();
        yield [{ type: "text", text: "Hi" }];
      },
      {
        policy: { max: 1, baseMs: 60_000, capMs: 60_000 },
        clock: new FakeClock(),
        random: () => 1,
        signal: new AbortController().signal,
      },
    );
    const types: string[] = [];
    for await (const event of events) {
      types.push(event.type);
      if (event.type === "retry") queueMicrotask(event.skip);
    }
    expect(types).toEqual(["retry", "text"]);
  });

  test("does not retry at all with a max of 0", async () => {
    expect(await delaysOf({ max: 0, baseMs: 1000, capMs: 60_000 })).toEqual([]);
  });
});

describe("retryAfterMsOf", () => {
  const now = Date.UTC(2026, 0, 1);
  test.each([
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": new Date(now + 90_000).toUTCString() }, 90_000],
    [{ "retry-after": new Date(now - 90_000).toUTCString() }, 0],
    [{ "retry-after-ms": "120", "retry-after": "2" }, 120],
    [{ "retry-after": "soon" }, undefined],
    [{}, undefined],
  ])("%j is %s ms", (headers, expected) => {
    expect(retryAfterMsOf(new Headers(headers), now)).toBe(expected);
  });
});
