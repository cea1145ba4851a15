import type { Migration } from "./migration.ts";

/** A sub-agent's conversation is a session of its own, below the one that started it. The user's own have no parent. */
export const subagentSessions: Migration = {
  version: 2,
  sql: `
    ALTER TABLE sessions ADD COLUMN parent_session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE;
    CREATE INDEX sessions_of_parent ON sessions (parent_session_id) WHERE parent_session_id IS NOT NULL;
  `,
};
