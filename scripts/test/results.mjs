import { dirname } from "node:path";

/**
 * How to run a test again: one test of a file, or the whole file where it broke as a whole. Without a file something failed
 * between the tests of a project, such as the end of a worker: it is looked for again beside the tests that failed.
 * @typedef {{ project: "vitest", file: string, title?: string }
 *   | { project: "window" | "sound", file?: string, id?: string }} Again
 */

/**
 * What became of one test, or of something that failed outside every test (a check, a file, a runner).
 * @typedef {object} Result
 * @property {string} name file and title
 * @property {"passed" | "failed" | "skipped"} state
 * @property {string} [reason] why it failed, in its own words
 * @property {Again} [again] absent where nothing can be run again
 * @property {boolean} [neverRan] something else that failed kept it from running
 * @property {string} [left] the folder with what it left to understand the failure
 */

/** @typedef {{ file: string, ms: number }} FileTime how long the tests of a file took */
/** @typedef {{ results: Result[], times: FileTime[] }} Report of one part of the run */

const noReason = "no reason was given";

/** The checks: each counts as a test. @returns {Report} */
export function checkReport(checks) {
  const results = checks.map(({ name, passed }) =>
    passed
      ? { name: `check: ${name}`, state: "passed" }
      : { name: `check: ${name}`, state: "failed", reason: "see its output above" },
  );
  return { results, times: [] };
}

/**
 * What a runner's report says, whichever way it ended: one that wrote none, or that ended with an error although no test in
 * its report failed, has failed.
 * @param {string} name the runner's
 * @param {Report | undefined} report
 * @param {number} code its exit code
 * @returns {Report}
 */
export function runnerReport(name, report, code) {
  if (!report) return broken(name, `it ended without a report, with exit code ${code}`);
  if (code === 0 || report.results.some(({ state }) => state === "failed")) return report;
  return { ...report, results: [...report.results, failed(name, `it ended with exit code ${code}`)] };
}

const broken = (name, reason) => ({ results: [failed(name, reason)], times: [] });

const failed = (name, reason) => ({ name, state: "failed", reason });

/**
 * What Playwright's JSON reporter says.
 * @param {"window" | "sound"} project
 * @returns {Report}
 */
export function playwrightReport(project, report) {
  const specs = specsIn(report);
  const outside = (report.errors ?? []).map(({ message }) => ({
    ...failed(`playwright ${project}, between the tests`, message ?? noReason),
    again: { project },
  }));
  return {
    results: [...specs.flatMap((spec) => playwrightResults(project, spec)), ...outside],
    times: timesIn(specs),
  };
}

/** Of a test that is repeated, each time. @returns {Result[]} */
function playwrightResults(project, { id, file, titles, tests }) {
  const name = [file, ...titles].join(" › ");
  return tests.map((test) => ({ name, ...outcomeOf(test, { project, file, id }) }));
}

function outcomeOf(test, again) {
  const errors = test.results.flatMap(({ errors = [] }) => errors.map(({ message }) => message ?? noReason));
  if (test.status === "expected") return { state: "passed" };
  if (test.status !== "skipped")
    return { state: "failed", reason: errors.join("\n") || noReason, again, ...leftBy(test) };
  // Without a word that skips it, a failed hook or a failed test before it kept it from running.
  if (test.expectedStatus === "skipped") return { state: "skipped" };
  return { state: "failed", reason: "it did not run: what it needs had failed", again, neverRan: true };
}

function leftBy({ results }) {
  const path = results.flatMap(({ attachments = [] }) => attachments).find(({ path }) => path)?.path;
  return path ? { left: dirname(path) } : {};
}

/** Every spec with the titles of the groups that it is in. */
function specsIn({ suites = [], specs = [] }, titles = []) {
  return [
    ...specs.map((spec) => ({ ...spec, titles: [...titles, spec.title] })),
    // The outermost suite is the file.
    ...suites.flatMap((suite) => specsIn(suite, suite.file === suite.title ? [] : [...titles, suite.title])),
  ];
}

function timesIn(specs) {
  const times = new Map();
  for (const { file, tests } of specs) {
    const ms = tests.flatMap(({ results }) => results).reduce((all, { duration = 0 }) => all + duration, 0);
    times.set(file, (times.get(file) ?? 0) + ms);
  }
  return [...times].map(([file, ms]) => ({ file, ms }));
}

/**
 * What Vitest tells its reporters at the end.
 * A file that broke as a whole (it could not be loaded, its process died, an error in it that no test caught) is one failure,
 * and none of its tests counts: it says nothing about them.
 * @returns {Report}
 */
export function vitestReport(modules, unhandledErrors) {
  const loose = unhandledErrors.map(({ message, stack, VITEST_TEST_PATH: path }) => ({
    reason: message ?? stack ?? noReason,
    path,
  }));
  const results = modules.flatMap((module) => vitestResults(module, loose));
  // A process that died is told of a second time, without its file.
  const someDied = modules.some(hasDied);
  const known = (path) => modules.some(({ moduleId }) => moduleId === path);
  const outside = loose
    .filter(({ reason, path }) => !known(path) && !(someDied && /worker/i.test(reason)))
    .map(({ reason }) => failed("an error that no test caught", reason));
  const times = modules.map((module) => ({
    file: module.relativeModuleId,
    ms: module.diagnostic().duration,
  }));
  return { results: [...results, ...outside], times };
}

/** @returns {Result[]} */
function vitestResults(module, loose) {
  const file = module.relativeModuleId;
  const tests = [...module.children.allTests()];
  const reason = wholeReason(module, tests, loose);
  if (reason) return [{ ...failed(file, reason), again: { project: "vitest", file } }];
  return tests.map((test) => vitestResult(test, file));
}

/** Why a file broke as a whole; undefined where it did not. */
function wholeReason(module, tests, loose) {
  const [own] = [module, ...module.children.allSuites()].flatMap((group) => group.errors());
  if (own) return own.message;
  const uncaught = loose.find(({ path }) => path === module.moduleId);
  if (uncaught) return `an error that no test caught: ${uncaught.reason}`;
  const isOpen = tests.some((test) => test.result().state === "pending");
  return isOpen || hasDied(module) ? "its process died before its tests had ended" : undefined;
}

const hasDied = (module) => ["pending", "queued"].includes(module.state());

/** @returns {Result} */
function vitestResult(test, file) {
  const { state, errors = [] } = test.result();
  const name = `${file} › ${test.fullName}`;
  if (state !== "failed") return { name, state };
  const reason = errors.map(({ message }) => message).join("\n") || noReason;
  return { ...failed(name, reason), again: { project: "vitest", file, title: test.fullName } };
}
