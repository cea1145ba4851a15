import { defineConfig } from "vitest/config";

// What `npm run mutate` runs for each changed line: the unit tests that need no process, no database and no page.
export default defineConfig({
  test: {
    include: ["tests/unit/{agent,fence,permissions,store,stt-server,voice,shared}/**/*.test.ts"],
    // Seconds for each change, and they notice nothing that the tables beside them do not.
    exclude: ["tests/unit/permissions/*-property.test.ts"],
    environment: "node",
    globalSetup: "scripts/test/temporary-folder.mjs",
    testTimeout: 20_000,
    watch: false,
  },
});
