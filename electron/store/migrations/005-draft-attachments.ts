import type { Migration } from "./migration.ts";

/** What was attached to a draft, as JSON: references only, read when the prompt is sent. */
export const draftAttachments: Migration = {
  version: 5,
  sql: "ALTER TABLE sessions ADD COLUMN draft_attached TEXT NOT NULL DEFAULT '[]';",
};
