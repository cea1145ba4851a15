import { defineConfig } from "vitest/config";

// What `npm run mutate` runs for each changed line: the unit tests that need no process, no database and no page.
export default defineConfig({
  test: {
    include: ["tests/unit/{agent,permissions,store,stt-server,voice,shared}/**/*.test.ts"],
    environment: "node",
    testTimeout: 20_000,
    watch: false,
  },
});
