import { defineConfig } from "playwright/test";

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  // One app at a time: the tests share a screen, and two cores.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: "list",
});
