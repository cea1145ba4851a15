import { defineConfig } from "playwright/test";

/** The pictures of the documents: the real app, before a scripted model, at a fixed time and size. */
export default defineConfig({
  testDir: "tests/screenshots",
  globalSetup: "./scripts/test/temporary-folder.mjs",
  outputDir: "test-results/screenshots",
  workers: 1,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: "list",
});
