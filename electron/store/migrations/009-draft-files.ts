import type { Migration } from "./migration.ts";

/** Files that were pasted, dropped or picked and are beside a draft, whole, as JSON: with the prompt they become part of it. */
export const draftFiles: Migration = {
  version: 9,
  sql: "CREATE TABLE draft_files (id TEXT PRIMARY KEY NOT NULL, json TEXT NOT NULL) WITHOUT ROWID;",
};
