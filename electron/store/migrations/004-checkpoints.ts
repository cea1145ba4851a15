import type { Migration } from "./migration.ts";

/**
 * A checkpoint holds how paths were before (and, to tell others' changes from Parley's, after) what its turn did to them.
 * `seq` is the order in which checkpoints were made. Paths are relative to their working folder, with `/`.
 * A state: kind absent | file | symlink | directory | other, permission bits, and of a file size and hash: SHA-256 of a
 * content in `file_blobs`, or `stat:…` of one that was not kept (`not_kept` says why), of a link where it leads.
 * `checkpoint_manifests`: a whole folder as it was before a call that is not finished; what differs becomes rows after it.
 */
export const checkpointTables: Migration = {
  version: 4,
  sql: `
    CREATE TABLE checkpoints (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      session_id TEXT NOT NULL,
      message_id TEXT,
      head_message_id TEXT,
      kind TEXT NOT NULL,
      part TEXT NOT NULL,
      label TEXT NOT NULL,
      working_folder TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      is_taken_back INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX checkpoints_of_session ON checkpoints (session_id, seq);

    CREATE TABLE checkpoint_files (
      checkpoint_seq INTEGER NOT NULL REFERENCES checkpoints (seq) ON DELETE CASCADE,
      folder TEXT NOT NULL,
      path TEXT NOT NULL,
      existed_before INTEGER NOT NULL,
      kind_before TEXT NOT NULL,
      mode_before INTEGER,
      size_before INTEGER,
      hash_before TEXT,
      target_before TEXT,
      kind_after TEXT,
      mode_after INTEGER,
      size_after INTEGER,
      hash_after TEXT,
      target_after TEXT,
      not_kept TEXT,
      PRIMARY KEY (checkpoint_seq, folder, path)
    ) WITHOUT ROWID;

    CREATE INDEX checkpoint_files_by_content ON checkpoint_files (hash_before) WHERE hash_before IS NOT NULL;

    CREATE TABLE checkpoint_limits (
      checkpoint_seq INTEGER NOT NULL REFERENCES checkpoints (seq) ON DELETE CASCADE,
      path TEXT NOT NULL,
      why TEXT NOT NULL,
      PRIMARY KEY (checkpoint_seq, path)
    ) WITHOUT ROWID;

    CREATE TABLE checkpoint_manifests (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      checkpoint_seq INTEGER NOT NULL UNIQUE REFERENCES checkpoints (seq) ON DELETE CASCADE,
      bytes BLOB NOT NULL
    );

    CREATE TABLE file_blobs (
      hash TEXT PRIMARY KEY NOT NULL,
      size INTEGER NOT NULL,
      codec TEXT NOT NULL,
      kept_at INTEGER NOT NULL,
      bytes BLOB NOT NULL
    );
    CREATE TABLE file_blob_prunes (id INTEGER PRIMARY KEY CHECK (id = 1), count INTEGER NOT NULL);
    INSERT INTO file_blob_prunes VALUES (1, 0);

    CREATE TRIGGER checkpoints_go_with_their_session AFTER DELETE ON sessions BEGIN
      DELETE FROM checkpoints WHERE session_id = OLD.id;
    END;
  `,
};
