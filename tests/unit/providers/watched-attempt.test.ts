import { expect, test } from "vitest";
import { type AssistantMessage, ModelError } from "../../../electron/agent/ports/ports.ts";
import { type Line, type StreamEvents, watchedAttempt } from "../../../electron/providers/watched-attempt.ts";
import { FakeClock } from "../../fakes/clock.ts";

const message: AssistantMessage = {
  content: [{ type: "text", text: "Whole." }],
  stopReason: "end_turn",
  usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
  model: "scripted",
};
const cut = () => new Error("The connection was cut.");

/** An attempt whose connection gives these, then breaks. */
function attempt(given: StreamEvents[]) {
  const clock = new FakeClock();
  let line: Line | undefined;
  const events = watchedAttempt(
    {
      clock,
      limits: { requestTimeoutMs: 1000, streamIdleMs: 1000 },
      host: "example.com",
      signal: new AbortController().signal,
      toError: (error) => new ModelError("network", String(error), ""),
    },
    async function* (opened) {
      line = opened;
      yield* given;
      throw cut();
    },
  );
  return { clock, events, aborted: () => line?.signal.aborted };
}

test("how a connection ends after the whole message does not matter", async () => {
  const { events, clock } = attempt([[{ type: "text", text: "Whole." }], [{ type: "message", message }]]);
  const seen: string[] = [];
  for await (const together of events) seen.push(...together.map(({ type }) => type));
  expect(seen).toEqual(["text", "message"]);
  expect(clock.asleep).toBe(0);
});

test("before that it is an error", async () => {
  const { events, clock } = attempt([[{ type: "text", text: "Half" }]]);
  await events.next();
  await expect(events.next()).rejects.toThrow("cut");
  expect(clock.asleep).toBe(0);
});

test("a reader that leaves ends the request, and nothing watches it any more", async () => {
  const { events, clock, aborted } = attempt([[{ type: "text", text: "Half" }]]);
  await events.next();
  expect([aborted(), clock.asleep]).toEqual([false, 1]);
  await events.return(undefined);
  expect([aborted(), clock.asleep]).toEqual([true, 0]);
});
