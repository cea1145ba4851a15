import { runChecks } from "./check/steps.mjs";
import { runtimeLine } from "./setup/electron-runtime.mjs";
import { orExit, say } from "./setup/say.mjs";
import { setUp } from "./setup/set-up.mjs";
import { readOptions } from "./test/options.mjs";
import { withPrivateHome } from "./test/private-home.mjs";
import { repeat } from "./test/repeat.mjs";
import { checkReport } from "./test/results.mjs";
import { playwright, runAgain, vitest } from "./test/runners.mjs";
import { lookAgain } from "./test/second-look.mjs";
import {
  exitCodeOf,
  failureText,
  summaryLine,
  timeText,
  tooUnsteady,
  unsteadyText,
} from "./test/summary.mjs";

/** @type {[name: string, ms: number][]} */
const parts = [];

// npm test: set-up, the checks, unit and integration tests, end-to-end tests in real Electron; then what failed runs once more,
// alone. At the end: where the time went, what was unsteady, every failure by name, and one line for the whole.
await orExit(async () => {
  const options = readOptions(process.argv.slice(2));
  const runtime = await timed("set-up", () => setUp({ forTests: true }));
  say(runtimeLine(runtime));
  if (options.repeat) process.exitCode = await withPrivateHome((home) => repeat(options, home));
  else process.exitCode = await runAll(options);
});

/** @returns {Promise<number>} the exit code */
async function runAll({ strict }) {
  const checks = checkReport(await timed("checks", runChecks));
  const isRed = checks.results.some(({ state }) => state === "failed");
  if (isRed) say("The checks failed: no test is run, since none would count.");
  return isRed
    ? tell([checks], checks.results, [], strict)
    : await withPrivateHome((home) => runTests(checks, home, strict));
}

async function runTests(checks, home, strict) {
  const reports = [
    checks,
    await timed("vitest", () => vitest(home)),
    await timed("window", () => playwright("window", home)),
    // What must keep up with real time has the computer to itself.
    await timed("sound", () => playwright("sound", home)),
  ];
  const first = reports.flatMap(({ results }) => results);
  const look = () => lookAgain(first, (failures) => runAgain(failures, home));
  const { results, unsteady } = await timed("second look", look);
  return tell(reports, results, unsteady, strict);
}

/** @returns the exit code */
function tell(reports, results, unsteady, strict) {
  const lines = [
    timeText(
      parts,
      reports.flatMap(({ times }) => times),
    ),
    unsteadyText(unsteady),
    failureText(results),
    tooUnsteady(unsteady, strict),
    summaryLine(results),
  ];
  console.log(`\n${lines.filter(Boolean).join("\n")}`);
  return exitCodeOf(results, unsteady, strict);
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
