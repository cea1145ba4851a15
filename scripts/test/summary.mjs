/** @typedef {import("./results.mjs").Result} Result */
/** @typedef {import("./results.mjs").FileTime} FileTime */

/** So many tests of a run may be unsteady: one more, and the run is red. */
export const mostUnsteady = 5;

const slowestShown = 10;

/**
 * Where the time of a run went.
 * @param {[name: string, ms: number][]} parts that ran one after the other
 * @param {FileTime[]} times of all test files
 * @returns {string} a table: the parts, then the slowest files
 */
export function timeText(parts, times) {
  const slowest = times.toSorted((a, b) => b.ms - a.ms).slice(0, slowestShown);
  const all = parts.reduce((sum, [, ms]) => sum + ms, 0);
  return [
    "Time of each part",
    ...rows([...parts, ["in all", all]]),
    `The ${slowest.length} slowest files`,
    ...rows(slowest.map(({ file, ms }) => [file, ms])),
  ].join("\n");
}

const rows = (list) => list.map(([name, ms]) => `${String(Math.round(ms / 1000)).padStart(7)} s  ${name}`);

const reasonLines = 12;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal begin with one
const colours = /\u001b\[[0-9;]*m/g;

/**
 * Every failure once more, where whoever reads only the end of a long run finds it.
 * @param {Result[]} results
 * @returns {string} empty when nothing failed
 */
export const failureText = (results) =>
  results
    .filter(({ state }) => state === "failed")
    .map((result) => entry("✗", result))
    .join("\n");

/**
 * The tests that failed first and then passed, with what was wrong the first time.
 * @param {Result[]} unsteady
 * @returns {string} empty when there are none
 */
export function unsteadyText(unsteady) {
  if (unsteady.length === 0) return "";
  const title = `${unsteady.length} unsteady: failed, then passed when run again alone`;
  return [title, ...unsteady.map((result) => entry("~", result))].join("\n");
}

function entry(mark, { name, reason, left }) {
  const lines = reason.replaceAll(colours, "").trim().split("\n").slice(0, reasonLines);
  const rest = left ? [`see ${left}`] : [];
  return [`${mark} ${name}`, ...[...lines, ...rest].map((line) => `    ${line}`)].join("\n");
}

/**
 * How often each test failed, with the reason of its first failure.
 * @param {Result[]} results of all the runs
 * @param {number} times how often each test ran
 * @returns {string} empty when none ever failed
 */
export function repeatText(results, times) {
  const failures = results.filter(({ state }) => state === "failed");
  const first = failures.filter(
    ({ name }, index) => failures.findIndex((one) => one.name === name) === index,
  );
  const count = (wanted) => failures.filter(({ name }) => name === wanted).length;
  const told = (failure) =>
    entry("✗", { ...failure, name: `${failure.name} (failed ${count(failure.name)} of ${times} times)` });
  return first.map(told).join("\n");
}

/**
 * The last line of a run: plain, alone on its line, the same for people and programs.
 * @param {Result[]} results
 */
export function summaryLine(results) {
  const count = (wanted) => results.filter(({ state }) => state === wanted).length;
  return `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`;
}

/**
 * Why a run is red whose every test passed in the end; undefined where it is not.
 * @param {Result[]} unsteady
 * @param {boolean} strict whether none may be
 */
export function tooUnsteady(unsteady, strict) {
  const most = strict ? 0 : mostUnsteady;
  if (unsteady.length <= most) return undefined;
  return `✗ ${unsteady.length} unsteady tests: ${strict ? "--strict allows none" : `at most ${most} are allowed`}`;
}

/**
 * A run without a single passed test has shown nothing, so it has not succeeded.
 * @param {Result[]} results
 * @param {Result[]} unsteady
 * @param {boolean} strict
 */
export function exitCodeOf(results, unsteady, strict) {
  const has = (wanted) => results.some(({ state }) => state === wanted);
  return has("failed") || !has("passed") || tooUnsteady(unsteady, strict) ? 1 : 0;
}
