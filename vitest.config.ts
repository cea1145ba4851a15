import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

const temporaryFolder = "scripts/test/temporary-folder.mjs";

/** What a test file does that another one in the same process would notice. */
const replaces =
  /\bvi\.(mock|doMock|hoisted|resetModules|stubGlobal|stubEnv)\(|process\.env(\.\w+|\[.*?\]) = |delete process\.env|Object\.assign\(process\.env/;

/**
 * Two projects of the tests in a folder: those that replace something for their whole process have one each. The others
 * share one a worker, in which what they test is loaded once: half of the time of small tests is loading.
 */
function projects(name: string, globalSetup: string[]): TestProjectInlineConfiguration[] {
  const folder = `tests/${name}`;
  const apart = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => /\.test\.tsx?$/.test(path) && replaces.test(readFileSync(path, "utf8")));
  const common = {
    environment: "node",
    globalSetup,
    // Only against hanging, on the slowest machine: no test's speed is measured by it.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  };
  return [
    {
      test: {
        ...common,
        name,
        include: [`${folder}/**/*.test.{ts,tsx}`],
        exclude: apart,
        isolate: false,
      },
    },
    { test: { ...common, name: `${name}-apart`, include: apart } },
  ];
}

export default defineConfig({
  test: {
    // More than there are processors: a third of the time the integration tests wait for sound, servers and disks.
    maxWorkers: availableParallelism() + 1,
    projects: [
      ...projects("unit", [temporaryFolder]),
      ...projects("integration", [temporaryFolder, "tests/fixtures/built-programs.ts"]),
    ],
  },
});
