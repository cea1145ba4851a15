import { describe, expect, test } from "vitest";
import {
  LoopDetector,
  loopWarning,
  type ObservedCall,
} from "../../../../electron/agent/loop/loop-detector.ts";
import { defaultSettings } from "../../../../shared/settings.ts";

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
    const patient = watch(times(7, call("a")), { loopWarnAt: 3, loopStopAt: 7 }).filter(Boolean);
    expect(patient).toEqual(["warn 3", "stop 7"]);
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

  test("of one round are seen whatever the window", () => {
    expect(watch(times(5, call("a")), { loopWindow: 1 }).filter(Boolean)).toEqual(["warn 3", "stop 5"]);
  });

  test("four in turn are no loop", () => {
    expect(watch(cycle(4, "a", "b", "c", "d")).filter(Boolean)).toEqual([]);
  });
});

describe("equal calls in one reply", () => {
  const crowd = (count: number, round = 0, others: ObservedCall[] = []) => [
    ...Array.from({ length: count }, (_, index) => call("read", { path: "a" }, `read ${round}.${index}`)),
    ...others,
  ];

  test("are warned of where there are five, and where they go on the third reply stops", () => {
    expect(watch([crowd(5)])).toEqual(["warn 5"]);
    expect(watch([crowd(4)])).toEqual([""]);
    expect(watch([crowd(5, 1), crowd(6, 2), crowd(5, 3)])).toEqual(["warn 5", "", "stop 16"]);
  });

  test("may have others between them", () => {
    const mixed = (round: number) => crowd(5, round, [call("write", { round })]);
    const wanted = ["warn 5", "", "stop 15"];
    expect(watch([mixed(1), mixed(2), mixed(3)])).toEqual(wanted);
    expect(watch([mixed(1).reverse(), mixed(2).reverse(), mixed(3).reverse()])).toEqual(wanted);
  });

  test("begin anew after a reply without them", () => {
    const rounds = [crowd(5, 1), [call("write")], crowd(5, 2), [call("write", { other: 1 })], crowd(5, 3)];
    expect(watch(rounds).filter(Boolean)).toEqual(["warn 5", "warn 5", "warn 5"]);
  });

  test("that differ in their arguments are none", () => {
    expect(watch([Array.from({ length: 9 }, (_, index) => call("read", { path: index }))])).toEqual([""]);
  });

  test("are only warned of where loops are not stopped", () => {
    const rounds = Array.from({ length: 4 }, (_, round) => crowd(5, round));
    expect(watch(rounds, { loopDetection: "warn" })).toEqual(["warn 5", "warn 10", "warn 15", "warn 20"]);
  });
});

describe("another result", () => {
  const changing = (rounds: number, ...names: string[]) =>
    Array.from({ length: rounds }, (_, round) =>
      names
        .slice(round % names.length, (round % names.length) + 1)
        .map((name) => call(name, {}, `state ${round}`)),
    );

  test("is progress for nine equal calls; the tenth is warned of, and the twentieth stops", () => {
    const seen = watch(changing(20, "poll"));
    expect(seen.filter(Boolean)).toEqual(["warn 10", "stop 20"]);
    expect([seen[9], seen[19]]).toEqual(["warn 10", "stop 20"]);
  });

  test.each([
    ["A B", ["a", "b"], ["warn 5", "stop 10"], [9, 19]],
    ["A B C", ["a", "b", "c"], ["warn 4", "stop 7"], [11, 20]],
  ])("of %s again and again is warned of after ten rounds, and twenty stop", (_, names, wanted, at) => {
    const seen = watch(changing(40, ...names).slice(0, (at[1] ?? 0) + 1));
    expect(seen.filter(Boolean)).toEqual(wanted);
    expect(at.map((round) => seen[round])).toEqual(wanted);
  });

  test("of a pattern is not seen beyond the window; one call is always counted", () => {
    expect(watch(changing(40, "a", "b"), { loopWindow: 9 }).filter(Boolean)).toEqual([]);
    expect(watch(changing(10, "a", "b"), { loopWindow: 10 }).at(-1)).toBe("warn 5");
    expect(watch(changing(10, "poll"), { loopWindow: 9 }).at(-1)).toBe("warn 10");
  });

  test("is warned of once where the end is far", () => {
    const seen = watch(changing(40, "poll"), { loopStopAt: 40 });
    expect(seen.filter(Boolean)).toEqual(["warn 10", "stop 40"]);
  });

  test("is only warned of, again and again, where loops are not stopped", () => {
    const seen = watch(changing(40, "a", "b"), { loopDetection: "warn" });
    expect(seen.filter(Boolean)).toEqual(["warn 5", "warn 10", "warn 15", "warn 20"]);
    expect(watch(changing(40, "a"), { loopDetection: "off" }).filter(Boolean)).toEqual([]);
  });

  test("counts for no less than equal results: whoever allows more of these allows more of those", () => {
    const seen = watch(changing(60, "poll"), { loopWarnAt: 30, loopStopAt: 50 });
    expect([seen[29], seen[49]]).toEqual(["warn 30", "stop 50"]);
  });

  test("of another call in between is no row of equal calls", () => {
    const rounds = Array.from({ length: 40 }, (_, index) => [
      call(index % 3 === 0 ? "edit" : "test", index % 3 === 0 ? { line: index } : {}, `run ${index}`),
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

describe("what the model is told", () => {
  const noticed = (rounds: readonly ObservedCall[][]) => {
    const detector = new LoopDetector(defaultSettings);
    return rounds.map((round) => detector.observe(round)).at(-1) ?? null;
  };

  test("names the steps of the pattern in order, and how often they came", () => {
    const round = [call("read", { b: 1, a: 2 }), call("stat")];
    const loop = noticed([[call("x")], ...Array.from({ length: 3 }, () => [round, [call("write")]]).flat()]);
    expect(loop?.pattern).toEqual(['read {"a":2,"b":1}', "stat {}", "write {}"]);
    const words = loop && loopWarning(loop);
    expect(words).toContain("3 times");
    expect(words).toContain('read {"a":2,"b":1}, then stat {}, then write {}.');
  });

  test("of a pattern of three names all of it", () => {
    expect(noticed(cycle(3, "a", "b", "c"))?.pattern).toEqual(["a {}", "b {}", "c {}"]);
  });

  test("shortens a long call", () => {
    const shown = (path: string) => noticed(times(3, call("read", { path })))?.pattern[0] ?? "";
    const fits = "x".repeat(120 - 'read {"path":""}'.length);
    expect(shown(fits)).toBe(`read {"path":"${fits}"}`);
    expect(shown(`${fits}x`)).toBe(`read {"path":"${fits}x"…`);
    // Half of a character that takes two units is none.
    expect(shown(`${fits.slice(1)}xx😀`)).toBe(`read {"path":"${fits.slice(1)}xx…`);
  });

  test("of many equal calls in one reply names the one that came most often", () => {
    const calls = [...times(4, call("a")), ...times(6, call("b")), ...times(5, call("c"))].flat();
    expect(noticed([calls])?.pattern).toEqual(["b {}"]);
  });
});
