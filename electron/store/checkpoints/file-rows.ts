import { z } from "zod";
import type { NotRestorable } from "../../../shared/conversation/checkpoints.ts";
import type { Database, SqlValue } from "../database/database.ts";
import { type FileState, fileState } from "./contents/file-state.ts";
import { packIndex, unpackIndex } from "./contents/manifest.ts";
import type { FolderIndex } from "./folder-index.ts";

/** What a checkpoint holds of one path. */
export interface FileRow {
  /** Absolute, and free of symbolic links. */
  folder: string;
  /** Relative to it, with `/`. */
  path: string;
  before: FileState;
  /** As Parley left it; null: it was ended before it could look. */
  after: FileState | null;
  /** Why `before` cannot be brought back; null: it can. */
  why: string | null;
}

const optional = z.union([z.number(), z.string()]).nullable();
const row = z.object({
  folder: z.string(),
  path: z.string(),
  kind_before: z.string(),
  mode_before: optional,
  size_before: optional,
  hash_before: optional,
  target_before: optional,
  kind_after: z.string().nullable(),
  mode_after: optional,
  size_after: optional,
  hash_after: optional,
  target_after: optional,
  not_kept: z.string().nullable(),
});
export const fileRow = row.transform(toFileRow);
const bytesColumn = z.union([z.instanceof(Uint8Array), z.instanceof(ArrayBuffer)]);
const manifestRow = z.object({ seq: z.number(), bytes: bytesColumn });
const limitRow = z.object({ path: z.string(), why: z.string() });

/** The tables of what checkpoints hold. All methods throw StoreError. */
export function fileRows(database: Database) {
  const insert = database.prepare(`
    INSERT OR IGNORE INTO checkpoint_files (checkpoint_seq, folder, path, existed_before, kind_before, mode_before, size_before,
      hash_before, target_before, kind_after, mode_after, size_after, hash_after, target_after, not_kept)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const update = database.prepare(`
    UPDATE checkpoint_files SET kind_after = ?, mode_after = ?, size_after = ?, hash_after = ?, target_after = ?
    WHERE checkpoint_seq = ? AND folder = ? AND path = ?`);
  const select = database.prepare("SELECT * FROM checkpoint_files WHERE checkpoint_seq = ? ORDER BY path");
  const has = database.prepare(
    "SELECT 1 FROM checkpoint_files WHERE checkpoint_seq = ? AND folder = ? AND path = ?",
  );
  const selectSince = database.prepare(`
    SELECT checkpoint_files.* FROM checkpoints
    JOIN checkpoint_files ON checkpoint_seq = seq WHERE session_id = ? AND seq >= ? ORDER BY seq, path`);
  const insertLimit = database.prepare(
    "INSERT OR IGNORE INTO checkpoint_limits (checkpoint_seq, path, why) VALUES (?, ?, ?)",
  );
  const selectLimits = database.prepare(`
    SELECT path, why FROM checkpoints JOIN checkpoint_limits ON checkpoint_seq = seq
    WHERE session_id = ? AND seq >= ? ORDER BY seq, path`);
  const saveManifest = database.prepare(
    "INSERT OR REPLACE INTO checkpoint_manifests (checkpoint_seq, bytes) VALUES (?, ?)",
  );
  const dropManifest = database.prepare("DELETE FROM checkpoint_manifests WHERE checkpoint_seq = ?");
  const selectManifests = database.prepare(`
    SELECT checkpoint_seq AS seq, bytes FROM checkpoint_manifests JOIN checkpoints ON checkpoint_seq = seq
    WHERE session_id = ?`);

  return {
    /** The state that is there already is the earlier one, and stays. */
    add(seq: number, { folder, path, before, after, why }: FileRow): void {
      const existed = Number(before.kind !== "absent");
      insert.run([seq, folder, path, existed, ...columnsOf(before), ...columnsOf(after), why]);
    },
    setAfter(seq: number, { folder, path }: Pick<FileRow, "folder" | "path">, after: FileState): void {
      update.run([...columnsOf(after), seq, folder, path]);
    },
    has: (seq: number, folder: string, path: string) => has.all([seq, folder, path]).length > 0,
    of: (seq: number) => database.guard(() => z.array(fileRow).parse(select.all([seq]))),
    /** Of each path touched at or after a checkpoint: how it was before the first time, and after the last. */
    since(conversationId: string, seq: number): FileRow[] {
      const found = database.guard(() => z.array(fileRow).parse(selectSince.all([conversationId, seq])));
      const paths = new Map<string, FileRow>();
      for (const next of found) {
        const key = JSON.stringify([next.folder, next.path]);
        const first = paths.get(key);
        if (first) first.after = next.after;
        else paths.set(key, next);
      }
      return [...paths.values()];
    },
    /** @returns whether it was not noted for this checkpoint before */
    addLimit: (seq: number, { path, why }: NotRestorable) => insertLimit.run([seq, path, why]) > 0,
    limitsSince: (conversationId: string, seq: number): NotRestorable[] =>
      z.array(limitRow).parse(selectLimits.all([conversationId, seq])),
    saveManifest: (seq: number, index: FolderIndex) => saveManifest.run([seq, packIndex(index)]),
    dropManifest: (seq: number) => dropManifest.run([seq]),
    /** The folders whose calls had not finished, by checkpoint. */
    manifests: (conversationId: string) =>
      database.guard(() =>
        z
          .array(manifestRow)
          .parse(selectManifests.all([conversationId]))
          .map(({ seq, bytes }) => ({ seq, index: unpackIndex(new Uint8Array(bytes)) })),
      ),
  };
}

export type FileRows = ReturnType<typeof fileRows>;

function columnsOf(state: FileState | null): SqlValue[] {
  return [
    state?.kind ?? null,
    state && "mode" in state ? state.mode : null,
    state && "size" in state ? state.size : null,
    state && "hash" in state ? state.hash : null,
    state && "target" in state ? state.target : null,
  ];
}

function toFileRow(found: z.infer<typeof row>): FileRow {
  return {
    folder: found.folder,
    path: found.path,
    before: fileState.parse({
      kind: found.kind_before,
      mode: found.mode_before,
      size: found.size_before,
      hash: found.hash_before,
      target: found.target_before,
    }),
    after:
      found.kind_after === null
        ? null
        : fileState.parse({
            kind: found.kind_after,
            mode: found.mode_after,
            size: found.size_after,
            hash: found.hash_after,
            target: found.target_after,
          }),
    why: found.not_kept,
  };
}
