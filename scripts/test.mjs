import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runChecks } from "./check/steps.mjs";
import { withPrivateDesktop } from "./setup/display.mjs";
import { runtimeLine } from "./setup/electron-runtime.mjs";
import { binary, run } from "./setup/run.mjs";
import { orExit, say } from "./setup/say.mjs";
import { setUp } from "./setup/set-up.mjs";
import { withPrivateHome } from "./test/private-home.mjs";
import {
  checkCounts,
  exitCodeOf,
  playwrightCounts,
  summaryLine,
  total,
  vitestCounts,
  withExitCode,
} from "./test/summary.mjs";

const toOurOwn = ["ignore", "inherit", "inherit"];

// npm test: set-up, the checks, unit and integration tests, end-to-end tests in real Electron. All of them always,
// then one line for the whole.
const counts = await orExit(async () => {
  const runtime = await setUp({ forTests: true });
  say(runtimeLine(runtime));
  const checks = checkCounts(await runChecks());
  const tests = await withPrivateHome((home) =>
    withPrivateDesktop(async (desktop) => {
      const env = { ...home, ...desktop };
      return [await vitest(env), await playwright(env)];
    }),
  );
  return total([checks, ...tests]);
});
if (counts) {
  console.log(`\n${summaryLine(counts)}`);
  process.exitCode = exitCodeOf(counts);
}

async function vitest(env) {
  const report = join(env.HOME, "vitest.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { code } = await run(process.execPath, [binary("vitest"), ...args], { env, stdio: toOurOwn });
  return withExitCode(vitestCounts(read(report)), code);
}

async function playwright(env) {
  const report = join(env.HOME, "playwright.json");
  const args = [binary("playwright"), "test", "--reporter=list,json"];
  const { code } = await run(process.execPath, args, {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    stdio: toOurOwn,
  });
  return withExitCode(playwrightCounts(read(report)), code);
}

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
