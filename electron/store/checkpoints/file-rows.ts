import { z } from "zod";
import type { NotRestorable } from "../../../shared/conversation/checkpoints.ts";
import type { Database, SqlValue } from "../database/database.ts";
import { asList, isWhole, readableIn, shown, shownText } from "../database/text-column.ts";
import type { Checkpoint } from "./checkpoint-rows.ts";
import { isDamaged } from "./contents/blobs.ts";
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

const number = z.number().nullable();
const text = z.string().nullable();
const stateValues = [text, number, number, text, text] as const;
const stateNames = (when: string) =>
  ["kind", "mode", "size", "hash", "target"].map((name) => `${name}_${when}`);
const fileNames = ["folder", "path", ...stateNames("before"), ...stateNames("after"), "not_kept"].join(", ");
const row = z.tuple([z.string(), z.string(), ...stateValues, ...stateValues, shownText.nullable()]);
/** Reads what `fileList` selects. */
export const filesIn = readableIn(row.transform(toFileRow));
/** Rows of `checkpoint_files` as one value. @param from as SQL, with the order of the rows */
export const fileList = (from: string) => asList(fileNames, `SELECT checkpoint_files.* FROM ${from}`);
const bytesColumn = z.union([z.instanceof(Uint8Array), z.instanceof(ArrayBuffer)]);
const manifestRow = z.object({ seq: z.number(), bytes: bytesColumn });
const seqRows = z.array(z.object({ seq: z.number() }));
const limitsIn = readableIn(z.tuple([shownText, shownText]).transform(([path, why]) => ({ path, why })));

/** The tables of what checkpoints hold. All methods throw StoreError. */
export function fileRows(database: Database) {
  const insert = database.prepare(`
    INSERT OR IGNORE INTO checkpoint_files (checkpoint_seq, folder, path, existed_before, kind_before, mode_before, size_before,
      hash_before, target_before, kind_after, mode_after, size_after, hash_after, target_after, not_kept)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const update = database.prepare(`
    UPDATE checkpoint_files SET kind_after = ?, mode_after = ?, size_after = ?, hash_after = ?, target_after = ?
    WHERE checkpoint_seq = ? AND folder = ? AND path = ?`);
  const select = database.prepare(fileList("checkpoint_files WHERE checkpoint_seq = ? ORDER BY path"));
  const has = database.prepare(
    "SELECT 1 FROM checkpoint_files WHERE checkpoint_seq = ? AND folder = ? AND path = ?",
  );
  const selectSince = database.prepare(
    fileList(`checkpoints JOIN checkpoint_files ON checkpoint_seq = seq
      WHERE session_id = ? AND seq >= ? ORDER BY seq, path`),
  );
  // A turn of theirs that began earlier may have gone on: of each conversation that was at work since, its last one counts too.
  const selectOthers = database.prepare(`
    WITH others (seq) AS (
      SELECT seq FROM checkpoints WHERE session_id <> ?1 AND seq > ?2
      UNION ALL
      SELECT max(seq) FROM checkpoints JOIN sessions ON sessions.id = session_id
      WHERE session_id <> ?1 AND seq < ?2 AND updated_at >= ?3 GROUP BY session_id)
    ${fileList(`others JOIN checkpoint_files ON checkpoint_seq = others.seq
      WHERE folder || '/' || path IN (SELECT value FROM json_each(?4))`)}`);
  const selectCutOff = database.prepare(`
    SELECT DISTINCT seq FROM checkpoints JOIN checkpoint_files ON checkpoint_seq = seq
    WHERE session_id = ? AND kind_after IS NULL`);
  const insertLimit = database.prepare(
    "INSERT OR IGNORE INTO checkpoint_limits (checkpoint_seq, path, why) VALUES (?, ?, ?)",
  );
  const selectLimits = database.prepare(
    asList(
      "path, why",
      `SELECT path, why FROM checkpoints JOIN checkpoint_limits ON checkpoint_seq = seq
       WHERE session_id = ? AND seq >= ? ORDER BY seq, path`,
    ),
  );
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
    setAfter(seq: number, { folder, path }: Pick<FileRow, "folder" | "path">, after: FileState | null): void {
      update.run([...columnsOf(after), seq, folder, path]);
    },
    has: (seq: number, folder: string, path: string) => has.all([seq, folder, path]).length > 0,
    of: (seq: number) => database.guard(() => filesIn(select.all([seq]))),
    /** Checkpoints of which it is not known how a call left something. */
    cutOff: (conversationId: string): number[] =>
      seqRows.parse(selectCutOff.all([conversationId])).map(({ seq }) => seq),
    /** Of each path touched at or after a checkpoint: how it was before the first time, and after the last. */
    since(conversationId: string, seq: number): FileRow[] {
      const found = database.guard(() => filesIn(selectSince.all([conversationId, seq])));
      const paths = new Map<string, FileRow>();
      for (const next of found) {
        const key = JSON.stringify([next.folder, next.path]);
        const first = paths.get(key);
        if (first) first.after = next.after;
        else paths.set(key, next);
      }
      return [...paths.values()];
    },
    /** What calls of other conversations did to these paths at or after a checkpoint. */
    ofOthers(
      { conversationId, seq, createdAt }: Pick<Checkpoint, "conversationId" | "seq" | "createdAt">,
      places: readonly Pick<FileRow, "folder" | "path">[],
    ): FileRow[] {
      const paths = JSON.stringify(places.map(({ folder, path }) => `${folder}/${path}`));
      return database.guard(() => filesIn(selectOthers.all([conversationId, seq, createdAt, paths])));
    },
    /** @returns whether it was not noted for this checkpoint before */
    addLimit: (seq: number, { path, why }: NotRestorable) => insertLimit.run([seq, path, why]) > 0,
    limitsSince: (conversationId: string, seq: number): NotRestorable[] =>
      database.guard(() => limitsIn(selectLimits.all([conversationId, seq]))),
    saveManifest: (seq: number, index: FolderIndex) => saveManifest.run([seq, packIndex(index)]),
    dropManifest: (seq: number) => dropManifest.run([seq]),
    /** The folders whose calls had not finished, by checkpoint; null: one that is damaged. */
    manifests: (conversationId: string) =>
      database.guard(() =>
        z
          .array(manifestRow)
          .parse(selectManifests.all([conversationId]))
          .map(({ seq, bytes }) => ({ seq, index: unlessDamaged(() => unpackIndex(new Uint8Array(bytes))) })),
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

/** What was kept of a path, and is damaged: the same as no other state. */
const damaged: FileState = { kind: "file", mode: 0, size: 0, hash: "damaged" };

function toFileRow([folder, path, ...values]: z.infer<typeof row>): FileRow {
  const [kind, mode, size, hash, target, ...rest] = values;
  const [kindAfter, modeAfter, sizeAfter, hashAfter, targetAfter, why] = rest;
  const before = stateOf(kind, mode, size, hash, target);
  const isReadable = before !== damaged && isWhole(folder) && isWhole(path);
  return {
    folder: shown(folder),
    path: shown(path),
    before: isReadable ? before : damaged,
    after: kindAfter === null ? null : stateOf(kindAfter, modeAfter, sizeAfter, hashAfter, targetAfter),
    why: isReadable ? why : isDamaged,
  };
}

const wholeState = fileState.refine((state) => state.kind !== "symlink" || isWhole(state.target));

function stateOf(
  ...[kind, mode, size, hash, target]: [
    string | null,
    number | null,
    number | null,
    string | null,
    string | null,
  ]
): FileState {
  return wholeState.safeParse({ kind, mode, size, hash, target }).data ?? damaged;
}

/** @returns null for what cannot be read: the rest can be used all the same */
export function unlessDamaged<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
