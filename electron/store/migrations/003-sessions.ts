import type { Migration } from "./migration.ts";

/**
 * What a list shows and a crash must not take: pinned, grouped, archived and deleted sessions, drafts, prompts that
 * wait, the reply that is being streamed. `to_index` names what the search has not read yet: triggers fill it, so
 * whatever is kept is found some day, and the thread that indexes empties it. The index is a file of its own, which
 * `search_source` ties to this one. A draft is JSON, so that no character of it can be lost.
 */
export const sessionTables: Migration = {
  version: 3,
  sql: `
    ALTER TABLE sessions ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN folder TEXT;
    ALTER TABLE sessions ADD COLUMN draft TEXT NOT NULL DEFAULT '""';
    ALTER TABLE sessions ADD COLUMN permission_mode TEXT;
    ALTER TABLE sessions ADD COLUMN has_own_title INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN archived_at INTEGER;
    ALTER TABLE sessions ADD COLUMN deleted_at INTEGER;
    CREATE INDEX sessions_in_list ON sessions (pinned DESC, updated_at DESC, id DESC)
      WHERE parent_session_id IS NULL AND deleted_at IS NULL;
    CREATE INDEX sessions_deleted ON sessions (deleted_at) WHERE deleted_at IS NOT NULL;

    CREATE TABLE inputs (
      place INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      json TEXT NOT NULL
    );
    CREATE INDEX inputs_of_session ON inputs (session_id);

    CREATE TABLE partials (
      session_id TEXT PRIMARY KEY NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      message_id TEXT NOT NULL,
      json TEXT NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE search_source (id TEXT NOT NULL);
    INSERT INTO search_source VALUES (lower(hex(randomblob(16))));

    CREATE TABLE to_index (
      seq INTEGER PRIMARY KEY,
      session_id TEXT NOT NULL,
      message_id TEXT NOT NULL,
      tool_use_id TEXT
    );
    CREATE TRIGGER messages_to_index AFTER INSERT ON messages
      WHEN new.role = 'assistant' OR new.origin IN ('typed', 'voice', 'quick', 'scheduled', 'steering')
    BEGIN
      INSERT INTO to_index (session_id, message_id) VALUES (new.session_id, new.id);
    END;
    CREATE TRIGGER tool_calls_to_index AFTER INSERT ON tool_calls
    BEGIN
      INSERT INTO to_index (session_id, message_id, tool_use_id)
        VALUES (new.session_id, new.message_id, new.tool_use_id);
    END;
  `,
};
