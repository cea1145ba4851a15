import type { Migration } from "./migration.ts";

/**
 * Contents that are too large for the database are files in `DATABASE.files`, by `name`; `large_file_stats` tells which of
 * the user's files they were read from, so that one that did not change is not read again.
 * Names of contents that hold secrets are `sealed:KEY:HMAC`, here and in `file_blobs` (codec `sealed raw | sealed
 * deflate`). `content_seals.stage`: how far those of an earlier Parley are sealed: 0 not yet, 1 all, but pages that were
 * let go may still hold them, 2 done.
 */
export const keptContents: Migration = {
  version: 6,
  sql: `
    CREATE TABLE large_files (
      hash TEXT PRIMARY KEY NOT NULL,
      size INTEGER NOT NULL,
      name TEXT NOT NULL,
      kept_at INTEGER NOT NULL
    );
    CREATE TABLE large_file_stats (
      path TEXT PRIMARY KEY NOT NULL,
      stat TEXT NOT NULL,
      hash TEXT NOT NULL REFERENCES large_files (hash) ON DELETE CASCADE,
      checked_at INTEGER NOT NULL
    );
    CREATE INDEX large_file_stats_by_content ON large_file_stats (hash);
    CREATE TABLE content_seals (id INTEGER PRIMARY KEY CHECK (id = 1), stage INTEGER NOT NULL, last TEXT NOT NULL);
    INSERT INTO content_seals
      VALUES (1, CASE WHEN EXISTS (SELECT 1 FROM checkpoints) OR EXISTS (SELECT 1 FROM file_blobs) THEN 0 ELSE 2 END, '');
  `,
};
