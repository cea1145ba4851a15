/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {{ name: string, reason: string }} Failure what failed and, in its own words, why */
/** @typedef {{ file: string, ms: number }} FileTime how long the tests of a file took */
/** @typedef {Counts & { failures: Failure[], times?: FileTime[] }} Report of one part of the run, or of the whole */

/** The checks: each is one test. @returns {Report} */
export function checkReport(results) {
  const failures = results
    .filter((result) => !result.passed)
    .map(({ name }) => ({ name: `check: ${name}`, reason: "see what it said above" }));
  return { passed: results.length - failures.length, failed: failures.length, skipped: 0, failures };
}

/** What Playwright's JSON reporter tells. A flaky test is not a passed one. @returns {Report} */
export function playwrightReport(report) {
  if (!report) return nothing();
  const { expected, unexpected, flaky, skipped } = report.stats;
  const failures = specsIn(report).flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected" || status === "flaky")
      .map(({ results }) => ({ name: `${file} › ${title}`, reason: firstReason(results) })),
  );
  return { passed: expected, failed: unexpected + flaky, skipped, failures, times: timesIn(report) };
}

function timesIn(report) {
  const times = new Map();
  for (const { file, tests } of specsIn(report)) {
    const ms = tests.flatMap(({ results }) => results).reduce((all, { duration = 0 }) => all + duration, 0);
    times.set(file, (times.get(file) ?? 0) + ms);
  }
  return [...times].map(([file, ms]) => ({ file, ms }));
}

function specsIn({ suites = [], specs = [] }) {
  return [...specs, ...suites.flatMap(specsIn)];
}

function firstReason(results) {
  return results.find(({ error }) => error)?.error.message ?? "no reason was given";
}

/** A part that wrote no report. @returns {Report} */
export function nothing() {
  return { passed: 0, failed: 0, skipped: 0, failures: [] };
}

/**
 * A runner that ends with an error although its report names no failed test has failed all the same.
 * @param {string} name the runner's
 * @param {Report} report
 * @param {number} code
 * @returns {Report}
 */
export function withExitCode(name, report, code) {
  if (code === 0 || report.failed > 0) return report;
  return { ...report, failed: 1, failures: [{ name, reason: `it ended with exit code ${code}` }] };
}

/**
 * @param {Report[]} list
 * @returns {Report} the sum
 */
export function total(list) {
  /** @param {keyof Counts} key */
  const sum = (key) => list.reduce((all, report) => all + report[key], 0);
  return {
    passed: sum("passed"),
    failed: sum("failed"),
    skipped: sum("skipped"),
    failures: list.flatMap(({ failures }) => failures),
    times: list.flatMap(({ times = [] }) => times),
  };
}

const slowestShown = 12;

/**
 * Where the time of a run went.
 * @param {[name: string, ms: number][]} parts that ran one after the other
 * @param {FileTime[]} times of all test files
 * @returns {string} two lines: the parts, and the slowest files
 */
export function timeText(parts, times) {
  const line = (list) => list.map(([name, ms]) => `${name} ${Math.round(ms / 1000)} s`).join(", ");
  const slowest = times.toSorted((a, b) => b.ms - a.ms).slice(0, slowestShown);
  return [
    `Time: ${line([...parts, ["in all", parts.reduce((all, [, ms]) => all + ms, 0)]])}`,
    `Slowest files: ${line(slowest.map(({ file, ms }) => [file, ms]))}`,
  ].join("\n");
}

const reasonLines = 12;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal begin with one
const colours = /\u001b\[[0-9;]*m/g;

/**
 * Every failure once more, where whoever reads only the end of a long run finds it.
 * @param {Report} report
 * @returns {string} empty when nothing failed
 */
export function failureText({ failures }) {
  return failures
    .map(({ name, reason }) => {
      const lines = reason.replaceAll(colours, "").trim().split("\n").slice(0, reasonLines);
      return [`✗ ${name}`, ...lines.map((line) => `    ${line}`)].join("\n");
    })
    .join("\n");
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
