import type { Database } from "../../database/database.ts";
import { isSealedName, Seal } from "../seal/seal.ts";
import { Blobs } from "./blobs.ts";
import { keyIsGone, LargeFiles, type LargeLimits } from "./large-files.ts";
import type { Keeper } from "./read-state.ts";

/** Contents of files by their names: small ones in the database, large ones beside it, those that hold secrets sealed. */
export class Contents {
  readonly #seal: Seal;
  readonly #blobs: Blobs;
  readonly #large: LargeFiles;

  /** @param keys as `Seal` takes them */
  constructor(
    database: Database,
    keys: readonly Uint8Array[],
    { now, newId }: { now(): number; newId(): string },
  ) {
    this.#seal = new Seal(keys);
    this.#blobs = new Blobs(database, now, this.#seal);
    this.#large = new LargeFiles(database, this.#seal, { now, newId });
  }

  /** How often contents were thrown away: what was known to be kept may not be any more when it differs. */
  get prunes(): number {
    return this.#blobs.prunes;
  }

  /**
   * What is read with it is kept, durably after `flush`. Large files stay until `release`, though nothing holds them yet.
   * @param needed contents that must not make room for others meanwhile
   */
  keeping(limits: LargeLimits, needed: Iterable<string> = []): Keeper & { release(): void } {
    const { hashes, release } = this.#large.claim(needed);
    return {
      bytes: (bytes, path) => this.#blobs.keep(bytes, path),
      large: (path, stats, opened) => this.#large.keep(path, stats, opened, limits, hashes),
      release,
    };
  }

  /** What is read with it is only looked at. */
  looking(limits: LargeLimits): Keeper {
    return {
      bytes: (bytes, path) => this.#blobs.nameOf(bytes, path),
      large: (path, stats, opened) => this.#large.hashOf(path, stats, opened, limits),
    };
  }

  /** Whether a file that was found unchanged can still be brought back. */
  holds(hash: string): boolean {
    return this.#large.has(hash) || this.#blobs.has(hash);
  }

  /** @throws StoreError */
  flush(): void {
    this.#blobs.flush();
  }

  /** @returns undefined where it is not kept (any more), cannot be opened, or is too large for the memory */
  read(hash: string): Buffer | undefined {
    return this.#blobs.read(hash);
  }

  /** A large one, to a file that is open and empty. @returns false where it is none */
  copyTo(hash: string, fd: number): boolean {
    return this.#large.copyTo(hash, fd);
  }

  /** Why a content cannot be brought back; null: it can. */
  whyNot(hash: string): string | null {
    if (!this.#blobs.has(hash)) return this.#large.whyNot(hash);
    return isSealedName(hash) && !this.#seal.opens(hash) ? keyIsGone : null;
  }
}
