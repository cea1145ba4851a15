import { expect, test } from "vitest";
import { saidTimes } from "../../../../electron/voice/routing/said-times.ts";

const now = 1_000_000_000;
const hour = 3_600_000;

test.each<[string, number | null, number | null, [number, number] | null]>([
  ["as the server tells them", now - 3000, now - 1000, [now - 3000, now - 1000]],
  ["of a recogniser that falls behind", now - 70_000, now - 60_000, [now - 70_000, now - 60_000]],
  ["of a clock that is ahead", now + hour - 2000, now + hour, [now - 2000, now]],
  ["of a clock that is behind", now - hour - 2000, now - hour, [now - 2000, now]],
  ["in seconds, not in milliseconds", (now - 3000) / 1000, (now - 1000) / 1000, [now - 2, now]],
  ["beyond all numbers", 1e300, 1e300, [now, now]],
  ["the wrong way round", now, now - 1000, [now - 1000, now - 1000]],
  ["without an end", now - 1000, null, [now - 1000, now - 1000]],
  ["not told", null, null, null],
])("times %s", (_name, startedAt, endedAt, times) => {
  const said = saidTimes({ startedAt, endedAt }, now, 100_000);
  expect(said && [said.startedAt, said.endedAt]).toEqual(times);
});
