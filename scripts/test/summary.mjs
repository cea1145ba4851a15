/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** The counts of the checks: each is one test. @returns {Counts} */
export function checkCounts(results) {
  const passed = results.filter((result) => result.passed).length;
  return { passed, failed: results.length - passed, skipped: 0 };
}

/**
 * The counts in a report of vitest's JSON reporter, or undefined when it wrote none. A test file that could not
 * even be loaded has no tests in the report; it counts as one failed test. @returns {Counts}
 */
export function vitestCounts(report) {
  if (!report) return { passed: 0, failed: 0, skipped: 0 };
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** The counts in a report of Playwright's JSON reporter. A flaky test is not a passed one. @returns {Counts} */
export function playwrightCounts(report) {
  if (!report) return { passed: 0, failed: 0, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected, failed: unexpected + flaky, skipped };
}

/**
 * A runner that ends with an error although its report names no failed test has failed all the same.
 * @param {Counts} counts
 * @param {number} code
 * @returns {Counts}
 */
export function withExitCode(counts, code) {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/**
 * @param {Counts[]} list
 * @returns {Counts} the sum
 */
export function total(list) {
  /** @param {keyof Counts} key */
  const sum = (key) => list.reduce((all, counts) => all + counts[key], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}

/**
 * The last line of a run: plain, alone on its line, the same for people and programs.
 * @param {Counts} counts
 */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/**
 * A run without a single passed test has shown nothing, so it has not succeeded.
 * @param {Counts} counts
 */
export function exitCodeOf({ passed, failed }) {
  return failed > 0 || passed === 0 ? 1 : 0;
}
