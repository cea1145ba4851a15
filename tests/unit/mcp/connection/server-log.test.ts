import { expect, test } from "vitest";
import { ServerLog } from "../../../../electron/mcp/connection/server-log.ts";
import { FakeClock } from "../../../fakes/clock.ts";

// Bug: each line of a server that never stops talking was one of Parley's log, which did nothing else then.
test("of a flood of lines a second's share is told, and how many were not; the last ones are kept", () => {
  const clock = new FakeClock();
  const told: string[] = [];
  const log = new ServerLog((line) => told.push(line), clock);
  log.addText(Array.from({ length: 10_000 }, (_, index) => `line ${index}\n`).join(""));
  log.add("(Parley) It ended.");
  expect(told).toHaveLength(101);
  expect(told.slice(-2)).toEqual(["line 99", "(Parley) It ended."]);
  expect(log.tail(2)).toEqual(["line 9999", "(Parley) It ended."]);
  clock.advance(1000);
  log.add("quiet again");
  expect(told.slice(101)).toEqual(["(9900 lines are left out here)", "quiet again"]);
});
