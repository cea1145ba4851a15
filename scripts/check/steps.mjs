import { join } from "node:path";
import { binary, root, run } from "../setup/run.mjs";

/** What has to be right before a test is worth running. Each is a program that answers with its exit code. */
const steps = {
  "types of the main side": () => types("main", "tsconfig.json"),
  "types of the windows": () => types("windows", "renderer/tsconfig.json"),
  "types of the end-to-end tests": () => types("end-to-end", "tests/e2e/tsconfig.json"),
  "format and lint": () => [binary("@biomejs/biome", "biome"), "check", "--error-on-warnings"],
  layers: () => [join(root, "scripts/check/layers.mjs"), root],
  "unused code": () => [binary("knip"), "--no-progress"],
};

/** What the compiler remembers makes the next check several times faster. */
function types(name, project) {
  const memory = join(root, `node_modules/.cache/parley/types-${name}.json`);
  return [binary("typescript", "tsc"), "-p", project, "--incremental", "--tsBuildInfoFile", memory];
}

/**
 * Runs every check, two at a time, and prints each one's result and, when it failed, what it said.
 * @returns in the order of the list: name and whether it passed
 */
export async function runChecks() {
  const waiting = Object.entries(steps);
  const results = new Map();
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, command] = next;
      results.set(name, await runStep(name, command()));
    }
  };
  await Promise.all([worker(), worker()]);
  return Object.keys(steps).map((name) => ({ name, passed: results.get(name) }));
}

async function runStep(name, args) {
  const started = performance.now();
  const { code, output } = await run(process.execPath, args, { quiet: true });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? "✓" : "✗"} ${name} (${seconds} s)`);
  if (code !== 0) console.log(output.trimEnd());
  return code === 0;
}
