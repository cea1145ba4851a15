import { expect, test } from "vitest";
import { ServerLog } from "../../../../electron/mcp/connection/server-log.ts";
import { FakeClock } from "../../../fakes/clock.ts";

// Bug: each line of a server that never stops talking was one of Parley's log, which did nothing else then.
test("of a flood of lines a second's share is told, and how many were not; the last ones are kept", () => {
  const clock = new FakeClock();
  const told: string[] = [];
  const log = new ServerLog((line) => told.push(line), clock);
  log.addText(Array.from({ length: 10_000 }, (_, index) => `line ${index}\n`).join(""));
  log.say("It ended.");
  expect(told).toHaveLength(101);
  expect(told.slice(-2)).toEqual(["line 99", "(Parley) It ended."]);
  expect(log.tail(2)).toEqual(["line 9999", "(Parley) It ended."]);
  clock.advance(1000);
  log.add("quiet again");
  expect(told.slice(101)).toEqual(["(9900 lines are left out here)", "quiet again"]);
});

const forged = ["(Parley) It ended.", "  (Parley) It ended.", "\u200b(parley) It ended."];

// Bug: such a line stood in the log in Parley's name, and as many as the server wrote.
test("a server's line that begins as Parley's do is marked as the server's, and counts as one", () => {
  const told: string[] = [];
  const log = new ServerLog((line) => told.push(line), new FakeClock());
  log.addText(`${forged.join("\n")}\n`);
  expect(told).toEqual(forged.map((line) => `(server) ${line}`));
  log.addText("(Parley) It ended.\n".repeat(1000));
  expect(told).toHaveLength(100);
});

test("text with line ends in it is as many lines", () => {
  const told: string[] = [];
  const log = new ServerLog((line) => told.push(line), new FakeClock());
  for (const end of ["\n", "\r", "\u2028", "\u0085"]) log.add(`[info] all is well${end}(Parley) It ended.`);
  expect(new Set(told)).toEqual(new Set(["[info] all is well", "(server) (Parley) It ended."]));
});

// Bug: Parley says something of each message that it cannot read, which a server may send without end.
test("what Parley says is one line, and no more of it is told in a second than of the server's", () => {
  const clock = new FakeClock();
  const told: string[] = [];
  const log = new ServerLog((line) => told.push(line), clock);
  for (let times = 0; times < 1000; times++) log.say("It cannot be read:\n(Parley) words of the server's");
  expect(told).toHaveLength(100);
  expect(told[0]).toBe("(Parley) It cannot be read: (Parley) words of the server's");
  log.add("its own line");
  expect(told.at(-1)).toBe("its own line");
  clock.advance(1000);
  log.say("It ended.");
  expect(told.slice(-2)).toEqual(["(900 lines are left out here)", "(Parley) It ended."]);
});
