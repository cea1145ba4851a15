import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const temporaryFolder = "scripts/test/temporary-folder.mjs";
const common = {
  // Only against hanging, on the slowest machine: no test's speed is measured by it.
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    // More than there are processors: a third of the time the integration tests wait for sound, servers and disks.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          name: "unit",
          globalSetup: temporaryFolder,
          include: ["tests/unit/**/*.test.{ts,tsx}"],
          environment: "node",
          ...common,
        },
      },
      {
        test: {
          name: "integration",
          globalSetup: [temporaryFolder, "tests/fixtures/built-programs.ts"],
          include: ["tests/integration/**/*.test.ts"],
          environment: "node",
          ...common,
        },
      },
    ],
  },
});
