import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { playwright, vitest } from "./runners.mjs";
import { repeatText, summaryLine } from "./summary.mjs";

/**
 * Runs test files several times beside as many busy processes as there are processors, and says how often each test failed.
 * Whatever passes that does so on a busy CI computer, too.
 * @param {{ repeat: number, files: string[] }} options files relative to the root
 * @param {Record<string, string>} home
 * @returns {Promise<number>} the exit code: 1 where a test failed even once
 */
export async function repeat({ repeat: times, files }, home) {
  const results = await whileBusy(() => runTimes(times, files, home));
  const failures = repeatText(results, times);
  console.log(`\n${failures ? `${failures}\n` : ""}${summaryLine(results)}`);
  const isRed =
    results.some(({ state }) => state === "failed") || !results.some(({ state }) => state === "passed");
  return isRed ? 1 : 0;
}

async function runTimes(times, files, home) {
  const ofSound = files.filter((file) => file.startsWith("tests/e2e/sound/"));
  const ofWindows = files.filter((file) => file.startsWith("tests/e2e/") && !ofSound.includes(file));
  const others = files.filter((file) => !file.startsWith("tests/e2e/"));
  const reports = [];
  for (let time = 0; time < times && others.length > 0; time++) reports.push(await vitest(home, others));
  for (const [project, list] of [
    ["window", ofWindows],
    ["sound", ofSound],
  ])
    if (list.length > 0) reports.push(await playwright(project, home, [`--repeat-each=${times}`, ...list]));
  return reports.flatMap(({ results }) => results);
}

/** Ends with the pipe to us, however we end. */
const burn = `process.stdin.on("end", () => process.exit()).resume();
const compute = () => { for (const until = Date.now() + 50; Date.now() < until; ); setImmediate(compute); };
compute();`;

async function whileBusy(work) {
  const burners = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", burn], { stdio: ["pipe", "ignore", "inherit"] }),
  );
  try {
    return await work();
  } finally {
    for (const burner of burners) burner.kill("SIGKILL");
  }
}
