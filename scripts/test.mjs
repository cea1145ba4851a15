import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runChecks } from "./check/steps.mjs";
import { withPrivateDesktop } from "./setup/display.mjs";
import { runtimeLine } from "./setup/electron-runtime.mjs";
import { binary, root, run } from "./setup/run.mjs";
import { orExit, say } from "./setup/say.mjs";
import { setUp } from "./setup/set-up.mjs";
import { withPrivateHome } from "./test/private-home.mjs";
import {
  checkReport,
  exitCodeOf,
  failureText,
  nothing,
  playwrightReport,
  summaryLine,
  timeText,
  total,
  withExitCode,
} from "./test/summary.mjs";

const toOurOwn = ["ignore", "inherit", "inherit"];

/** @type {[name: string, ms: number][]} */
const parts = [];

// npm test: set-up, the checks, unit and integration tests, end-to-end tests in real Electron. All of them always,
// then where the time went, every failure by name and one line for the whole.
const report = await orExit(async () => {
  const runtime = await timed("set-up", () => setUp({ forTests: true }));
  say(runtimeLine(runtime));
  const checks = checkReport(await timed("checks", runChecks));
  const tests = await withPrivateHome(async (home) => [
    await timed("vitest", () => withPrivateDesktop((desktop) => vitest({ ...home, ...desktop }))),
    // Each of its workers has a desktop of its own.
    await timed("window", () => playwright("window", home)),
    // What must keep up with real time has the computer to itself.
    await timed("sound", () => playwright("sound", home)),
  ]);
  return total([checks, ...tests]);
});
if (report) {
  console.log(`\n${timeText(parts, report.times ?? [])}`);
  console.log(`${failureText(report)}\n${summaryLine(report)}`.trimStart());
  process.exitCode = exitCodeOf(report);
}

/** @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>} */
async function timed(name, work) {
  const started = performance.now();
  try {
    return await work();
  } finally {
    parts.push([name, performance.now() - started]);
  }
}

async function vitest(env) {
  const file = join(env.HOME, "vitest.json");
  const reporter = join(root, "scripts/test/vitest-reporter.mjs");
  const { code } = await run(
    process.execPath,
    [binary("vitest"), "run", "--reporter=default", `--reporter=${reporter}`],
    { env: { ...env, PARLEY_TEST_REPORT: file }, stdio: toOurOwn },
  );
  return withExitCode("vitest", read(file) ?? nothing(), code);
}

/** @param project of playwright.config.ts */
async function playwright(project, env) {
  const file = join(env.HOME, `${project}.json`);
  const options = [`--project=${project}`, `--output=test-results/${project}`, "--reporter=list,json"];
  const { code } = await run(process.execPath, [binary("playwright"), "test", ...options], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
    stdio: toOurOwn,
  });
  return withExitCode(`playwright ${project}`, playwrightReport(read(file)), code);
}

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
