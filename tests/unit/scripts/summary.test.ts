import { describe, expect, test } from "vitest";
import { readOptions } from "../../../scripts/test/options.mjs";
import { checkReport, type Result, runnerReport } from "../../../scripts/test/results.mjs";
import {
  exitCodeOf,
  failureText,
  repeatText,
  summaryLine,
  timeText,
  unsteadyText,
} from "../../../scripts/test/summary.mjs";

const passed = (name: string): Result => ({ name, state: "passed" });
const failed = (name: string, reason: string): Result => ({ name, state: "failed", reason });

describe("the closing lines", () => {
  test("count what passed, failed and was skipped", () => {
    const checks = checkReport([
      { name: "types", passed: true },
      { name: "layers", passed: false },
    ]);
    const results: Result[] = [...checks.results, passed("a"), { name: "b", state: "skipped" }];
    expect(summaryLine(results)).toBe("2 passed, 1 failed, 1 skipped");
  });

  test("name every failure with its reason, without the colours of a terminal, and with what it left", () => {
    const results = [
      ...checkReport([{ name: "layers", passed: false }]).results,
      passed("goes"),
      { ...failed("breaks", "\u001b[31mno such button\u001b[39m"), left: "test-results/window/breaks" },
    ];
    expect(failureText(results)).toBe(
      [
        "✗ check: layers",
        "    see its output above",
        "✗ breaks",
        "    no such button",
        "    see test-results/window/breaks",
      ].join("\n"),
    );
    expect(failureText([])).toBe("");
    expect(unsteadyText([])).toBe("");
  });

  test("say where the time went, by part and by file", () => {
    const times = [
      { file: "a.test.ts", ms: 4_100 },
      { file: "b.spec.ts", ms: 9_000 },
    ];
    expect(
      timeText(
        [
          ["checks", 1_400],
          ["window", 61_000],
        ],
        times,
      ),
    ).toBe(
      [
        "Time of each part",
        "      1 s  checks",
        "     61 s  window",
        "     62 s  in all",
        "The 2 slowest files",
        "      9 s  b.spec.ts",
        "      4 s  a.test.ts",
      ].join("\n"),
    );
  });

  test("say how often a test failed that ran several times", () => {
    const runs = [passed("a"), failed("a", "no such button"), passed("b"), failed("a", "gone"), passed("b")];
    expect(repeatText(runs, 3)).toBe("✗ a (failed 2 of 3 times)\n    no such button");
  });

  test("count a runner that ended with an error, but no failed test, as a failure", () => {
    const report = { results: [passed("a")], times: [] };
    expect(summaryLine(runnerReport("vitest", report, 1).results)).toBe("1 passed, 1 failed, 0 skipped");
    expect(runnerReport("vitest", report, 0)).toBe(report);
    const withFailure = { results: [failed("a", "no")], times: [] };
    expect(runnerReport("vitest", withFailure, 1)).toBe(withFailure);
  });

  test("go with exit code 1 when something failed or nothing passed", () => {
    const skipped: Result = { name: "c", state: "skipped" };
    expect(exitCodeOf([passed("a"), skipped], [], false)).toBe(0);
    expect(exitCodeOf([passed("a"), failed("b", "no")], [], false)).toBe(1);
    expect(exitCodeOf([skipped], [], false)).toBe(1);
  });
});

describe("the options of npm test", () => {
  const file = "tests/unit/scripts/summary.test.ts";

  test.each([
    [[], { strict: false, files: [] }],
    [["--strict"], { strict: true, files: [] }],
    [["--repeat", "5", file], { strict: false, repeat: 5, files: [file] }],
  ])("%j", (args, options) => expect(readOptions(args)).toEqual(options));

  test.each([
    [["--fast"], /Unknown option '--fast'/],
    [[file], /say how often/],
    [["--repeat", "0", file], /whole number/],
    [["--repeat", "5"], /takes the test files/],
    [["--repeat", "5", "tests/none.test.ts"], /There is no file tests\/none.test.ts/],
  ])("%j is refused with how to call it", (args, words) => {
    expect(() => readOptions(args)).toThrow(words);
    expect(() => readOptions(args)).toThrow("npm test -- --repeat 5 FILE…");
  });
});
