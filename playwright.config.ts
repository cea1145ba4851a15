import { availableParallelism } from "node:os";
import { defineConfig } from "playwright/test";

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  // An app for each processor, but no more: what is heard and said must keep up with real time.
  workers: Math.min(3, availableParallelism()),
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: "list",
});
