import type { Migration } from "./migration.ts";

/** A model and an effort of the conversation's own, null: those of the settings count; and how long a reply was thought about. */
export const modelChoices: Migration = {
  version: 8,
  sql: `
    ALTER TABLE sessions ADD COLUMN chosen_model TEXT;
    ALTER TABLE sessions ADD COLUMN chosen_effort TEXT;
    ALTER TABLE messages ADD COLUMN thinking_ms INTEGER;
  `,
};
