import { type BigIntStats, existsSync, fstatSync, mkdirSync, renameSync, rmSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { StoreError } from "../../../agent/ports/ports.ts";
import type { Database } from "../../database/database.ts";
import { asList, readableIn, shownText, wholeText } from "../../database/text-column.ts";
import { type Limits, megabytes, tooLarge } from "../limits.ts";
import { isSealedName, type Seal } from "../seal/seal.ts";
import { copyAndHash, hashOfFile, restoreCopy, sealCopy, unsealCopy } from "./file-copies.ts";
import { pendingContents } from "./pending-contents.ts";
import { isSettled, type OpenedFile, statKey } from "./read-state.ts";

/** How much of large files is kept. */
export type LargeLimits = Pick<Limits, "maxFileBytes" | "maxLargeBytes" | "minFreeBytes">;

const dayMs = 86_400_000;
/** Files whose hash is remembered though they are not kept. */
const mostKnown = 100;

const keptNames = "hash, size, name";
// A name that is damaged leads nowhere.
const keptIn = readableIn(
  z.tuple([wholeText, z.number(), shownText]).transform(([hash, size, name]) => ({ hash, size, name })),
);
const statsIn = readableIn(
  z
    .tuple([wholeText, wholeText, z.number()])
    .transform(([stat, hash, checkedAt]) => ({ stat, hash, checkedAt })),
);
const sumRows = z.array(z.object({ bytes: z.number().nullable() }));

/** The folder of the copies. */
export const largeFolder = (databaseFile: string) => `${databaseFile}.files`;

/** Of a kept copy. A name that is none of ours, as a back-up may bring one, leads nowhere. */
export const largePath = (folder: string, name: string): string =>
  join(folder, /^[\w-]{1,64}$/.test(name) ? name : "none");

/**
 * Contents that are too large for the database: copies beside it, by the same names. An unchanged file is neither read
 * nor copied again, also after a start. Nothing goes through the memory whole.
 */
export class LargeFiles {
  readonly #database: Database;
  readonly #seal: Seal;
  readonly #now: () => number;
  readonly #newId: () => string;
  readonly #folder: string;
  readonly #statements;
  /** What indexes that are being made rely on already. */
  readonly #claims = new Set<Set<string>>();
  readonly #hashes = new Map<string, { stat: string; hash: string; checkedAt: number }>();

  constructor(database: Database, seal: Seal, { now, newId }: { now(): number; newId(): string }) {
    this.#database = database;
    this.#seal = seal;
    this.#now = now;
    this.#newId = newId;
    this.#folder = largeFolder(database.file);
    this.#statements = {
      select: database.prepare(asList(keptNames, "SELECT * FROM large_files WHERE hash = ?")),
      insert: database.prepare(
        "INSERT OR IGNORE INTO large_files (hash, size, name, kept_at) VALUES (?, ?, ?, ?)",
      ),
      drop: database.prepare("DELETE FROM large_files WHERE hash = ?"),
      sum: database.prepare("SELECT sum(size) AS bytes FROM large_files"),
      stat: database.prepare(
        asList("stat, hash, checked_at", "SELECT * FROM large_file_stats WHERE path = ?"),
      ),
      saveStat: database.prepare(
        "INSERT OR REPLACE INTO large_file_stats (path, stat, hash, checked_at) VALUES (?, ?, ?, ?)",
      ),
      /** Those that nothing holds first, then the oldest. */
      mayGo: database.prepare(
        asList(
          keptNames,
          `SELECT * FROM (
            SELECT *, EXISTS (SELECT 1 FROM checkpoint_files WHERE hash_before = hash) AS is_held FROM large_files)
          WHERE NOT is_held OR kept_at < ? ORDER BY is_held, kept_at`,
        ),
      ),
    };
  }

  /** Until it is let go, what is in the set stays. */
  claim(needed: Iterable<string>): { hashes: Set<string>; release(): void } {
    const hashes = new Set(needed);
    this.#claims.add(hashes);
    return { hashes, release: () => this.#claims.delete(hashes) };
  }

  has(hash: string): boolean {
    return this.#row(hash) !== undefined;
  }

  /**
   * @param path absolute: what the file is called, and decides whether it is sealed
   * @returns in words: why it is not kept @throws StoreError
   */
  keep(
    path: string,
    stats: BigIntStats,
    opened: OpenedFile,
    limits: LargeLimits,
    claimed: Set<string>,
  ): { hash: string; size: number } | string {
    const size = Number(stats.size);
    const known = statsIn(this.#statements.stat.all([path]))[0];
    if (known?.stat === statKey(stats) && this.has(known.hash)) {
      // It may have changed within a tick of the disk's clock: reading is cheaper than a copy.
      const now = isSettled(stats, known.checkedAt) ? known : this.hashOf(path, stats, opened, limits);
      if (typeof now !== "string" && now.hash === known.hash) {
        claimed.add(known.hash);
        return { hash: known.hash, size };
      }
    }
    const noRoom = this.#makeRoom(size, limits);
    if (noRoom !== null) return noRoom;
    const checkedAt = this.#now();
    let hash: string;
    try {
      hash = this.#copy(path, size, opened);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      return `it could not be saved (${error instanceof Error ? error.message : String(error)})`;
    }
    claimed.add(hash);
    this.#statements.saveStat.run([path, statKey(stats), hash, checkedAt]);
    return { hash, size: this.#row(hash)?.size ?? size };
  }

  /** Only looks. @returns in words: why not */
  hashOf(
    path: string,
    stats: BigIntStats,
    opened: OpenedFile,
    limits: LargeLimits,
  ): { hash: string; size: number } | string {
    const size = Number(stats.size);
    if (size > limits.maxLargeBytes) return tooLarge(size, limits);
    const known = this.#hashes.get(path) ?? statsIn(this.#statements.stat.all([path]))[0];
    if (known?.stat === statKey(stats) && isSettled(stats, known.checkedAt))
      return { hash: known.hash, size };
    const checkedAt = this.#now();
    try {
      const read = opened((handle) => hashOfFile(handle, size));
      const hash = this.#nameOf(path, read.hash);
      this.#hashes.delete(path);
      this.#hashes.set(path, { stat: statKey(stats), hash, checkedAt });
      for (const oldest of this.#hashes.keys()) {
        if (this.#hashes.size <= mostKnown) break;
        this.#hashes.delete(oldest);
      }
      return { hash, size: read.size };
    } catch (error) {
      return `it cannot be read (${error instanceof Error ? error.message : String(error)})`;
    }
  }

  /** Why a kept content cannot be brought back; null: it can. */
  whyNot(hash: string): string | null {
    const row = this.#row(hash);
    if (!row || !existsSync(largePath(this.#folder, row.name))) return "its content is not kept any more";
    return isSealedName(hash) && !this.#seal.opens(hash) ? keyIsGone : null;
  }

  /** @param fd of a file that is empty @returns false where it is not kept here @throws Error where it is not as it was */
  copyTo(hash: string, fd: number): boolean {
    const row = this.#row(hash);
    if (!row) return false;
    const kept = largePath(this.#folder, row.name);
    if (isSealedName(hash)) unsealCopy(kept, fd, (head) => this.#seal.opening(hash, head));
    else restoreCopy(kept, fd, hash);
    if (fstatSync(fd).size !== row.size) throw new Error("what was kept of it is not whole any more");
    return true;
  }

  #row(hash: string) {
    return keptIn(this.#statements.select.all([hash]))[0];
  }

  #nameOf(path: string, hash: string): string {
    return this.#seal.isSecret(path, new Uint8Array()) ? this.#seal.nameOf(hash) : hash;
  }

  /** @param mostBytes as `hashOfFile` takes it: room was made for no more */
  #copy(path: string, mostBytes: number, opened: OpenedFile): string {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const name = this.#newId();
    const draft = join(this.#folder, `${name}.new`);
    try {
      const { hash, size } = opened((handle) => {
        if (!this.#seal.isSecret(path, new Uint8Array())) return copyAndHash(handle, draft, mostBytes);
        // Twice: what it is sealed under has to be known before.
        const read = hashOfFile(handle, mostBytes);
        const sealedName = this.#seal.nameOf(read.hash);
        sealCopy(handle, draft, this.#seal.closing(sealedName), read);
        return { hash: sealedName, size: read.size };
      });
      if (this.has(hash)) return hash;
      renameSync(draft, join(this.#folder, name));
      this.#statements.insert.run([hash, size, name, this.#now()]);
      return hash;
    } finally {
      rmSync(draft, { force: true });
    }
  }

  /** @returns why there is none; null: there is */
  #makeRoom(size: number, limits: LargeLimits): string | null {
    const { maxLargeBytes, minFreeBytes } = limits;
    if (maxLargeBytes === 0) return tooLarge(size, limits);
    const most = `up to ${megabytes(maxLargeBytes)} of large files are kept (checkpointLargeMb)`;
    if (size > maxLargeBytes) return `it has ${megabytes(size)}; ${most}`;
    let used = sumRows.parse(this.#statements.sum.all([]))[0]?.bytes ?? 0;
    if (used + size > maxLargeBytes) used -= this.#evict(used + size - maxLargeBytes);
    if (used + size > maxLargeBytes)
      return `it has ${megabytes(size)}, others have ${megabytes(used)}; ${most}`;
    const { bavail, bsize } = statfsSync(dirname(this.#folder));
    if (bavail * bsize - size >= minFreeBytes) return null;
    return `less than ${megabytes(minFreeBytes)} of the disk would be left free (checkpointFreeMb)`;
  }

  /** Lets go of what nothing holds, then of what was kept more than a day ago. @returns bytes */
  #evict(wanted: number): number {
    const isPending = pendingContents(this.#database);
    let freed = 0;
    for (const { hash, size, name } of keptIn(this.#statements.mayGo.all([this.#now() - dayMs]))) {
      if (freed >= wanted) break;
      if (isPending(hash) || [...this.#claims].some((claimed) => claimed.has(hash))) continue;
      this.#statements.drop.run([hash]);
      rmSync(largePath(this.#folder, name), { force: true });
      freed += size;
    }
    return freed;
  }
}

export const keyIsGone = "it is sealed, and the key that opens it is gone";
