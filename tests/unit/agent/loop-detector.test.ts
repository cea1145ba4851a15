import { describe, expect, test } from "vitest";
import { LoopDetector, type ObservedCall } from "../../../electron/agent/loop/loop-detector.ts";
import { defaultSettings } from "../../../shared/settings.ts";

const call = (name: string, input: unknown = {}, output = "same"): ObservedCall => ({ name, input, output });

/** What each round leads to, as `warn 3`. */
function watch(rounds: readonly ObservedCall[][], settings: Partial<typeof defaultSettings> = {}): string[] {
  const detector = new LoopDetector({ ...defaultSettings, ...settings });
  return rounds.map((calls) => {
    const loop = detector.observe(calls);
    return loop ? `${loop.action} ${loop.count}` : "";
  });
}
const times = (count: number, ...round: ObservedCall[]) => Array.from({ length: count }, () => round);
const cycle = (count: number, ...names: string[]) =>
  Array.from({ length: count }, () => names.map((name) => [call(name)])).flat();

describe("a repeated round", () => {
  test("warns once at the third time and stops at the fifth", () => {
    expect(watch(times(5, call("a")))).toEqual(["", "", "warn 3", "", "stop 5"]);
  });

  test("counts whatever the order of the keys in its arguments", () => {
    const rounds = [
      { a: 1, b: { c: 2, d: 3 } },
      { b: { d: 3, c: 2 }, a: 1 },
      { a: 1, b: { c: 2, d: 3 } },
    ];
    expect(watch(rounds.map((input) => [call("a", input)])).at(-1)).toBe("warn 3");
  });

  test("with many calls at once is one step, whatever the window", () => {
    const round = Array.from({ length: 20 }, (_, index) => call("read", { index }));
    expect(watch(times(5, ...round))).toEqual(["", "", "warn 3", "", "stop 5"]);
  });

  test("of waiting for an agent that is at work is no loop", () => {
    expect(watch(times(12, call("wait", { agent_id: "a" }))).filter(Boolean)).toEqual([]);
  });

  test("begins anew after something else", () => {
    expect(watch([...times(2, call("a")), [call("b")], ...times(2, call("a"))])).toEqual([
      "",
      "",
      "",
      "",
      "",
    ]);
  });

  test("goes by loopWarnAt and loopStopAt; warn never stops; off is silent", () => {
    expect(watch(times(4, call("a")), { loopWarnAt: 2, loopStopAt: 4 })).toEqual([
      "",
      "warn 2",
      "",
      "stop 4",
    ]);
    const warned = watch(times(9, call("a")), { loopDetection: "warn" }).filter(Boolean);
    expect(warned).toEqual(["warn 3", "warn 6", "warn 9"]);
    expect(watch(times(20, call("a")), { loopDetection: "off" }).filter(Boolean)).toEqual([]);
  });
});

describe("patterns of two and three rounds", () => {
  test.each([
    ["A B", ["a", "b"]],
    ["A B C", ["a", "b", "c"]],
    ["A A B", ["a", "a", "b"]],
  ])("%s: warned of at the third repetition, stopped at the fifth", (_, names) => {
    const seen = watch(cycle(5, ...names));
    const expected = seen.map(() => "");
    expected[names.length * 3 - 1] = "warn 3";
    expected[names.length * 5 - 1] = "stop 5";
    expect(seen).toEqual(expected);
  });

  test("are not seen beyond the window", () => {
    expect(watch(cycle(3, "a", "b", "c"), { loopWindow: 8 }).filter(Boolean)).toEqual([]);
    expect(watch(cycle(3, "a", "b"), { loopWindow: 8 }).at(-1)).toBe("warn 3");
  });

  test("four in turn are no loop", () => {
    expect(watch(cycle(4, "a", "b", "c", "d")).filter(Boolean)).toEqual([]);
  });
});

describe("another result", () => {
  test("is progress, until the tenth equal call", () => {
    const rounds = Array.from({ length: 20 }, (_, index) => [call("poll", {}, `state ${index}`)]);
    const seen = watch(rounds);
    expect(seen.filter(Boolean)).toEqual(["warn 10", "warn 20"]);
    expect(seen[9]).toBe("warn 10");
  });

  test("of another call in between is no row of equal calls", () => {
    const rounds = Array.from({ length: 12 }, (_, index) => [
      call(index % 3 === 0 ? "edit" : "test", {}, `run ${index}`),
    ]);
    expect(watch(rounds).filter(Boolean)).toEqual([]);
  });

  test.each([
    ["a time", "It is 12:04:01", "It is 12:04:59"],
    ["a date and time", "at 2026-03-01T10:00:00.123Z", "at 2026-03-02T11:22:33.456Z"],
    ["a long date", "Sunday, 22 November 2026", "Monday, 23 November 2026"],
    ["a duration", "3 tests failed in 1.24s", "3 tests failed in 0.98s"],
    ["milliseconds", "took 1243 ms", "took 12 ms"],
    ["a process id", "started, pid 4711", "started, pid 815"],
    ["a job", "[1] 4711", "[1] 4712"],
    ["a log line's process id", "sshd[4711]: refused", "sshd[12]: refused"],
    ["a timestamp", "at 1760000000123", "at 1760000009999"],
  ])("that differs in %s only does not count as new", (_, first, second) => {
    const rounds = [first, second, first].map((output) => [call("shell", {}, output)]);
    expect(watch(rounds).at(-1)).toBe("warn 3");
  });

  test("that differs in a count does", () => {
    const rounds = ["3 tests failed", "2 tests failed", "1 test failed"].map((output) => [
      call("shell", {}, output),
    ]);
    expect(watch(rounds).filter(Boolean)).toEqual([]);
  });

  test("is told by the ends of long outputs", () => {
    const rounds = ["a", "b", "c"].map((end) => [call("shell", {}, `${"x".repeat(300_000)}${end}`)]);
    expect(watch(rounds).filter(Boolean)).toEqual([]);
  });
});
