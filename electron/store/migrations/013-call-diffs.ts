import type { Migration } from "./migration.ts";

/** What a call changed in files, as a unified diff; null: nothing, or it is too long to keep. */
export const callDiffs: Migration = {
  version: 13,
  sql: "ALTER TABLE tool_calls ADD COLUMN diff TEXT;",
};
