import { join } from "node:path";
import { z } from "zod";
import { isSecretPath } from "../../../../shared/safety/secret-files.ts";
import { TimeSlices } from "../../../../shared/time-slices.ts";
import type { Database } from "../../database/database.ts";
import { asList, bytesOf, readableIn, textColumn, wholeText } from "../../database/text-column.ts";
import { Blobs, sealed } from "../contents/blobs.ts";
import { packIndex } from "../contents/manifest.ts";
import { pendingContents } from "../contents/pending-contents.ts";
import { inShortWrites } from "../contents/short-writes.ts";
import { fileRows } from "../file-rows.ts";
import { scrubBackUps } from "./scrub-back-ups.ts";
import { isSealedName, type Seal } from "./seal.ts";

const stageRows = z.array(z.object({ stage: z.number(), last: textColumn.catch("") }));
const seqRows = z.array(z.object({ seq: z.number() }));
const sessionsIn = readableIn(z.tuple([wholeText]));
const contentRows = z.array(
  z.object({
    size: z.number(),
    codec: textColumn.pipe(z.enum(["raw", "deflate"])),
    kept_at: z.number(),
    bytes: z.union([z.instanceof(Uint8Array), z.instanceof(ArrayBuffer)]),
  }),
);
const hashesIn = readableIn(z.tuple([z.string()]));

/** Contents whose names are asked for at once. */
const batch = 100;

/** Whether contents of an earlier Parley wait to be sealed. @throws StoreError */
export function hasOldContents(database: Database): boolean {
  return stageOf(database).stage === 0;
}

/**
 * Seals what an earlier Parley kept of files that hold secrets, in its rows, in calls that a crash cut off, and in
 * back-ups. In short steps: others write in between, and what a kill cuts off goes on at the next start. What nothing
 * holds any more goes, since nobody knows whose it was. @throws StoreError
 */
export async function sealOldContents(database: Database, seal: Seal, now: () => number): Promise<void> {
  if (!hasOldContents(database)) return;
  database.exec("PRAGMA secure_delete = ON");
  const work = new OldContents(database, seal, now);
  work.manifests();
  await work.rows();
  await work.contents();
  scrubBackUps(database.file);
  database.exec("UPDATE content_seals SET stage = 1");
  // The log would still have the pages as they were.
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

/**
 * The last step, when a start has the file for itself: pages and gaps that hold what was let go are left out.
 * Where that fails, such as for want of room, the next start tries again.
 */
export function finishSealing(database: Database): void {
  if (stageOf(database).stage !== 1) return;
  database.exec("VACUUM; UPDATE content_seals SET stage = 2");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

class OldContents {
  readonly #database: Database;
  readonly #seal: Seal;
  readonly #blobs: Blobs;
  readonly #select;
  readonly #insert;

  constructor(database: Database, seal: Seal, now: () => number) {
    this.#database = database;
    this.#seal = seal;
    this.#blobs = new Blobs(database, now, seal);
    this.#select = database.prepare(
      `SELECT size, ${bytesOf("codec")}, kept_at, bytes FROM file_blobs WHERE hash = ? AND codec IN ('raw', 'deflate')`,
    );
    this.#insert = database.prepare(
      "INSERT OR IGNORE INTO file_blobs (hash, size, codec, kept_at, bytes) VALUES (?, ?, ?, ?, ?)",
    );
  }

  /** Of calls that a crash cut off. */
  manifests(): void {
    const files = fileRows(this.#database);
    const sessions = this.#database.prepare(
      asList(
        "session_id",
        "SELECT DISTINCT session_id FROM checkpoints JOIN checkpoint_manifests ON checkpoint_seq = seq",
      ),
    );
    for (const [session] of sessionsIn(sessions.all([]))) {
      for (const { seq, index } of files.manifests(session)) {
        if (!index) continue;
        this.#database.transaction(() => {
          for (const [path, { state }] of index.seen) {
            if (state.kind === "file") state.hash = this.#newName(state.hash, join(index.folder, path));
          }
          this.#database
            .prepare("UPDATE checkpoint_manifests SET bytes = ? WHERE checkpoint_seq = ?")
            .run([packIndex(index), seq]);
        });
      }
    }
  }

  /** Of files whose names tell. */
  async rows(): Promise<void> {
    const files = fileRows(this.#database);
    const all = this.#database.prepare("SELECT seq FROM checkpoints");
    const update = this.#database.prepare(`UPDATE checkpoint_files SET hash_before = ?, hash_after = ?
      WHERE checkpoint_seq = ? AND folder = ? AND path = ?`);
    for (const { seq } of seqRows.parse(all.all([]))) {
      const secret = files.of(seq).filter(({ folder, path }) => isSecretPath(join(folder, path)));
      await inShortWrites(this.#database, secret, ({ folder, path, before, after }) => {
        const [from, to] = [before, after].map((state) =>
          state?.kind === "file" ? this.#newName(state.hash, join(folder, path)) : null,
        );
        update.run([from ?? null, to ?? null, seq, folder, path]);
      });
    }
  }

  /** Of those that hold a key whatever their file is called, and those that nothing holds. */
  async contents(): Promise<void> {
    const database = this.#database;
    const next = database.prepare(
      asList(
        "hash",
        "SELECT hash FROM file_blobs WHERE hash > ? AND codec IN ('raw', 'deflate') ORDER BY hash LIMIT ?",
      ),
    );
    const rename = ["before", "after"].map((when) =>
      database.prepare(`UPDATE checkpoint_files SET hash_${when} = ? WHERE hash_${when} = ?`),
    );
    const isHeld = database.prepare("SELECT 1 FROM checkpoint_files WHERE hash_before = ? LIMIT 1");
    const drop = database.prepare("DELETE FROM file_blobs WHERE hash = ?");
    const count = database.prepare("UPDATE file_blob_prunes SET count = count + 1");
    const reached = database.prepare("UPDATE content_seals SET last = ?");
    const pending = pendingContents(database);
    const slices = new TimeSlices();
    for (let { last } = stageOf(database); ; ) {
      const names = hashesIn(next.all([last, batch])).map(([hash]) => hash);
      if (names.length === 0) return;
      await inShortWrites(database, names, (hash) => {
        const name = this.#newName(hash, "");
        if (name !== hash) for (const statement of rename) statement.run([name, hash]);
        if (name !== hash || (isHeld.all([hash]).length === 0 && !pending(hash))) {
          drop.run([hash]);
          count.run([]);
        }
        reached.run([hash]);
      });
      await slices.pause();
      last = names.at(-1) ?? last;
    }
  }

  /** @returns the same where it holds no secret; a content that is sealed now is kept under its new name, too */
  #newName(hash: string, path: string): string {
    if (isSealedName(hash) || hash.startsWith("stat:")) return hash;
    const [row] = contentRows.parse(this.#select.all([hash]));
    const bytes = row && this.#blobs.read(hash);
    if (bytes ? !this.#seal.isSecret(path, bytes) || bytes.length === 0 : !isSecretPath(path)) return hash;
    const name = this.#seal.nameOf(hash);
    if (row) {
      const { codec, ...kept } = sealed(this.#seal, name, {
        codec: row.codec,
        bytes: new Uint8Array(row.bytes),
      });
      this.#insert.run([name, row.size, codec, row.kept_at, kept.bytes]);
    }
    return name;
  }
}

function stageOf(database: Database): { stage: number; last: string } {
  const [row] = stageRows.parse(
    database.prepare(`SELECT stage, ${bytesOf("last")} FROM content_seals`).all([]),
  );
  return row ?? { stage: 2, last: "" };
}
