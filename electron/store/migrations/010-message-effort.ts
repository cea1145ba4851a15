import type { Migration } from "./migration.ts";

/** How much the model was asked to think for a reply; null: as much as it does by itself. */
export const messageEfforts: Migration = {
  version: 10,
  sql: "ALTER TABLE messages ADD COLUMN effort TEXT;",
};
