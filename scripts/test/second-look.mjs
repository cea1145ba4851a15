import { isGrave } from "./grave.mjs";

/** @typedef {import("./results.mjs").Result} Result */
/** @typedef {import("./results.mjs").Report} Report */
/** @typedef {{ asked: Result[], report: Report }} Group what ran again in one go, and what came of it */

/** More failures than these have a cause that a second run does not need to show. */
export const mostToRunAgain = 40;

/**
 * Runs what failed once more and takes the second run's word for it.
 * @param {Result[]} results of the first run
 * @param {(failures: Result[]) => Promise<Report>} runAgain runs failures of one file (Vitest) or one project (Playwright)
 * @returns {Promise<{ results: Result[], unsteady: Result[] }>} what counts; and the failures that passed the second time
 */
export async function lookAgain(results, runAgain) {
  const failures = results.filter(({ state, again }) => state === "failed" && again);
  if (failures.length > mostToRunAgain) return { results, unsteady: [] };
  const groups = [];
  for (const asked of groupsOf(failures)) groups.push({ asked, report: await runAgain(asked) });
  return merged(results, groups);
}

/** @returns {Result[][]} */
function groupsOf(failures) {
  const groups = new Map();
  for (const failure of failures) {
    const { project, file } = failure.again;
    const key = project === "vitest" ? file : project;
    groups.set(key, [...(groups.get(key) ?? []), failure]);
  }
  return [...groups.values()];
}

/**
 * What fails again, or did not run again, has failed. So has what must not happen even once.
 * @param {Result[]} results of the first run
 * @param {Group[]} groups
 * @returns {{ results: Result[], unsteady: Result[] }}
 */
export function merged(results, groups) {
  const unsteady = [];
  const counting = results.flatMap((result) => {
    const report = groups.find(({ asked }) => asked.includes(result))?.report;
    if (!report || isGrave(result.reason)) return [result];
    const second = report.results.filter((one) => isPartOf(result, one));
    const why = whyStillFailed(second, report);
    if (why !== null) return [{ ...result, reason: withSecond(result.reason, why) }];
    if (!result.neverRan) unsteady.push(result);
    if (isBetween(result)) return [];
    return isWholeFile(result) ? second : [{ name: result.name, state: "passed" }];
  });
  return { results: counting, unsteady };
}

const isWholeFile = ({ again }) => again.project === "vitest" && again.title === undefined;

const isBetween = ({ again }) => again.file === undefined;

/** Whether a result of the second run is about what failed in the first one. */
function isPartOf(result, { name, state }) {
  if (isBetween(result)) return state === "passed";
  return name === result.name || (isWholeFile(result) && name.startsWith(`${result.name} › `));
}

/** @returns {string | null} null where it passed */
function whyStillFailed(second, { results }) {
  // What failed outside every test says that the whole run is not to be relied on.
  const outside = ({ state, again }) => state === "failed" && again?.file === undefined;
  const failure = second.find(({ state }) => state === "failed") ?? results.find(outside);
  if (failure) return failure.reason;
  return second.some(({ state }) => state === "passed") ? null : "it did not run";
}

/** Both reasons, where their first lines differ. */
function withSecond(first, second) {
  const line = (text) => text.trim().split("\n")[0];
  return line(first) === line(second) ? first : `${first.trim()}\nThe second time: ${second}`;
}
