import { availableParallelism } from "node:os";
import { defineConfig } from "playwright/test";

/** What is played and heard in real time through a sound server: where the computer is busy, it stutters. */
const sound = /tests\/e2e\/sound\//;

// Each day other parts of what takes long are played (tests/e2e/support/today.ts): the same ones until the end of a run.
process.env.PARLEY_DAY ??= String(Math.floor(Date.now() / 86_400_000));

export default defineConfig({
  testDir: "tests/e2e",
  globalSetup: ["./scripts/test/temporary-folder.mjs", "./tests/fixtures/built-programs.ts"],
  outputDir: "test-results",
  // One more than there are processors: half of its time a test waits, for sound, for servers, for what settles.
  workers: Math.min(4, availableParallelism() + 1),
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  timeout: 300_000,
  // What is heard or drawn may come late where the computer is busy; what never comes costs this once.
  expect: { timeout: 60_000 },
  reporter: "list",
  projects: [
    { name: "sound", testMatch: sound, workers: 1 },
    { name: "window", testIgnore: sound },
  ],
});
