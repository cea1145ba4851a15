import type { Migration } from "./migration.ts";

/**
 * Times are milliseconds since the epoch. Messages are a tree: `parent_id` is the message before, `position` its
 * distance from the first one, and a session's `head_message_id` the end of the path that counts. Every index is one
 * more page that an append writes: there are as few as the look-ups need.
 */
export const firstTables: Migration = {
  version: 1,
  sql: `
    CREATE TABLE sessions (
      id TEXT PRIMARY KEY NOT NULL,
      title TEXT NOT NULL,
      model TEXT NOT NULL,
      working_folder TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      head_message_id TEXT
    );

    CREATE TABLE messages (
      id TEXT PRIMARY KEY NOT NULL,
      session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      parent_id TEXT,
      position INTEGER NOT NULL,
      role TEXT NOT NULL,
      origin TEXT,
      source TEXT,
      created_at INTEGER NOT NULL,
      stop_reason TEXT,
      model TEXT,
      input_tokens INTEGER,
      output_tokens INTEGER,
      cache_read_tokens INTEGER,
      cache_write_tokens INTEGER,
      latency_ms INTEGER,
      covers TEXT
    ) WITHOUT ROWID;
    CREATE INDEX messages_in_order ON messages (session_id, position);

    CREATE TABLE blocks (
      message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      type TEXT NOT NULL,
      json TEXT NOT NULL,
      PRIMARY KEY (message_id, seq)
    ) WITHOUT ROWID;

    CREATE TABLE tool_calls (
      session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      tool_use_id TEXT NOT NULL,
      message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      input TEXT NOT NULL,
      output TEXT NOT NULL,
      is_error INTEGER NOT NULL,
      duration_ms INTEGER NOT NULL,
      was_truncated INTEGER NOT NULL,
      original_chars INTEGER NOT NULL,
      PRIMARY KEY (session_id, tool_use_id)
    );
    CREATE INDEX tool_calls_by_message ON tool_calls (message_id);

    CREATE TABLE events (
      seq INTEGER PRIMARY KEY,
      session_id TEXT NOT NULL,
      event_id INTEGER NOT NULL,
      at INTEGER NOT NULL,
      type TEXT NOT NULL,
      json TEXT NOT NULL
    );
    CREATE INDEX events_of_session ON events (session_id, event_id);
  `,
};
