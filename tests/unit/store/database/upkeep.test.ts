import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SessionStore } from "../../../../electron/agent/ports/session-store.ts";
import { startUpkeep } from "../../../../electron/store/database/upkeep.ts";
import { defaultSettings, type Settings } from "../../../../shared/settings.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function started(settings: Partial<Settings> = {}, failure?: Error) {
  const asked: Parameters<SessionStore["prune"]>[] = [];
  const errors: unknown[] = [];
  const stop = startUpkeep({
    store: {
      async prune(...given) {
        asked.push(given);
        if (failure) throw failure;
        return { sessions: 0, events: 0, checkpoints: 0 };
      },
    },
    settings: () => ({ ...defaultSettings, ...settings }),
    open: () => ["open"],
    now: () => 7,
    reportError: (error) => errors.push(error),
  });
  return { asked, errors, stop };
}

test("what is old goes by the settings, some time after the start and again a few times a day", async () => {
  const { asked, stop } = started({ pruneMaxSessions: 50 });
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(20_000);
  const rules = { sessionDays: 0, maxSessions: 50, eventDays: 90, checkpointDays: 30, checkpointMb: 1024 };
  expect(asked).toEqual([[rules, 7, ["open"]]]);
  await vi.advanceTimersByTimeAsync(6 * 3_600_000);
  expect(asked).toHaveLength(2);
  stop();
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  expect(asked).toHaveLength(2);
});

test("switched off, no limit counts; what was deleted still goes", async () => {
  const { asked, stop } = started({ pruneEnabled: false, pruneMaxSessions: 50 });
  await vi.advanceTimersByTimeAsync(20_000);
  const rules = { sessionDays: 0, maxSessions: 0, eventDays: 0, checkpointDays: 0, checkpointMb: 0 };
  expect(asked).toEqual([[rules, 7, ["open"]]]);
  stop();
});

test("a failure is reported and the next time comes all the same", async () => {
  const failure = new Error("full");
  const { asked, errors, stop } = started({}, failure);
  await vi.advanceTimersByTimeAsync(20_000 + 6 * 3_600_000);
  expect(errors).toEqual([failure, failure]);
  expect(asked).toHaveLength(2);
  stop();
});
