import { describe, expect, test } from "vitest";
import {
  checkCounts,
  exitCodeOf,
  playwrightCounts,
  summaryLine,
  total,
  vitestCounts,
  withExitCode,
} from "../../../scripts/test/summary.mjs";

const report = (testResults: object[], counts: object = {}) => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults,
  ...counts,
});

describe("the closing line", () => {
  test("adds up checks, vitest and Playwright", () => {
    const checks = checkCounts([{ passed: true }, { passed: false }, { passed: true }]);
    const vitest = vitestCounts(
      report([], { numPassedTests: 40, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 }),
    );
    const playwright = playwrightCounts({ stats: { expected: 8, unexpected: 1, flaky: 1, skipped: 1 } });
    expect(summaryLine(total([checks, vitest, playwright]))).toBe("50 passed, 4 failed, 4 skipped");
  });

  test("counts a test file that could not be loaded as a failed test", () => {
    const broken = { status: "failed", assertionResults: [] };
    const failing = { status: "failed", assertionResults: [{ status: "failed" }] };
    expect(vitestCounts(report([broken, failing], { numFailedTests: 1 })).failed).toBe(2);
  });

  test("counts a runner that died without a report, or with no failed test in it, as a failure", () => {
    expect(withExitCode(vitestCounts(undefined), 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(withExitCode({ passed: 3, failed: 0, skipped: 0 }, 1).failed).toBe(1);
    expect(withExitCode({ passed: 3, failed: 2, skipped: 0 }, 1).failed).toBe(2);
    expect(withExitCode({ passed: 3, failed: 0, skipped: 0 }, 0).failed).toBe(0);
  });

  test("goes with exit code 1 when something failed or nothing passed", () => {
    expect(exitCodeOf({ passed: 5, failed: 0, skipped: 3 })).toBe(0);
    expect(exitCodeOf({ passed: 5, failed: 1, skipped: 0 })).toBe(1);
    expect(exitCodeOf({ passed: 0, failed: 0, skipped: 7 })).toBe(1);
  });
});
