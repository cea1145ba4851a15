import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withPrivateDesktop } from "../setup/display.mjs";
import { binary, root, run } from "../setup/run.mjs";
import { playwrightReport, runnerReport } from "./results.mjs";

/** @typedef {import("./results.mjs").Report} Report */
/** @typedef {import("./results.mjs").Result} Result */

/** Of the whole run, its second look included: see playwright.config.ts. */
const day = String(Math.floor(Date.now() / 86_400_000));

const toOurOwn = ["ignore", "inherit", "inherit"];

/**
 * @param {Record<string, string>} home environment of {@link import("./private-home.mjs").withPrivateHome}
 * @param {string[]} [options] further ones of Vitest's own: files, workers
 * @returns {Promise<Report>}
 */
export async function vitest(home, options = []) {
  const file = join(home.HOME, "vitest.json");
  const reporter = join(root, "scripts/test/vitest-reporter.mjs");
  const args = [binary("vitest"), "run", "--reporter=default", `--reporter=${reporter}`, ...options];
  const { code } = await withPrivateDesktop((desktop) =>
    run(process.execPath, args, { env: { ...home, ...desktop, PARLEY_TEST_REPORT: file }, stdio: toOurOwn }),
  );
  return runnerReport("vitest", taken(file), code);
}

/**
 * Each of its workers has a desktop of its own.
 * @param {"window" | "sound"} project of playwright.config.ts
 * @param {Record<string, string>} home
 * @param {string[]} [options] further ones of Playwright's own
 * @returns {Promise<Report>}
 */
export async function playwright(project, home, options = []) {
  const file = join(home.HOME, `${project}.json`);
  const args = [
    ...[binary("playwright"), "test", `--project=${project}`, "--reporter=list,json"],
    ...[`--output=test-results/${project}`, ...options],
  ];
  const { code } = await run(process.execPath, args, {
    env: { PARLEY_DAY: day, ...home, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
    stdio: toOurOwn,
  });
  const report = taken(file);
  return runnerReport(`playwright ${project}`, report && playwrightReport(project, report), code);
}

/**
 * Runs failures again: only they, one after the other.
 * @param {Result[]} failures of one file (Vitest) or of one project (Playwright)
 * @param {Record<string, string>} home
 * @returns {Promise<Report>}
 */
export async function runAgain(failures, home) {
  const [{ project }] = failures.map(({ again }) => again);
  if (project === "vitest") return await vitest(home, vitestAgain(failures));
  const options = playwrightAgain(failures, join(home.HOME, "failed.json"));
  return await playwright(project, home, [`--output=test-results/${project}-again`, ...options]);
}

/** @returns {string[]} Vitest's options for these tests of one file alone; for all of it where it broke as a whole */
export function vitestAgain(failures) {
  const titles = failures.flatMap(({ again }) => again.title ?? []);
  // Vitest joins the titles of groups and tests with a space here, and with " > " in its reports.
  const patterns = titles.map((title) => escaped(title).replaceAll(" > ", " (?:> )?"));
  const only = titles.length > 0 ? [`--testNamePattern=^(?:${patterns.join("|")})$`] : [];
  return [failures[0].again.file, "--maxWorkers=1", ...only];
}

/**
 * @param {Result[]} failures of one project
 * @param {string} list the file to write them to
 * @returns {string[]} Playwright's options for these tests alone
 */
export function playwrightAgain(failures, list) {
  writeFileSync(
    list,
    JSON.stringify({ status: "failed", failedTests: failures.flatMap(({ again }) => again.id ?? []) }),
  );
  return ["--workers=1", "--last-failed", `--last-failed-file=${list}`];
}

const escaped = (text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** Reads a report and removes it, so that a runner which writes none is not taken for the one before it. */
function taken(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  } finally {
    rmSync(file, { force: true });
  }
}
