import type { Migration } from "./migration.ts";

/** The conversation that another one is a fork of. It may be gone: nothing depends on it. */
export const forkedFrom: Migration = {
  version: 12,
  sql: "ALTER TABLE sessions ADD COLUMN forked_from TEXT;",
};
