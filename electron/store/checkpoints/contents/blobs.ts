import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { bytesOf, textColumn } from "../../database/text-column.ts";
import { isSealedName, type Seal } from "../seal/seal.ts";

/** Bytes that wait to be written: one transaction for many files, short enough for the main process not to wait. */
const batchBytes = 250_000;
/** The start of a file tells whether it is worth compressing. */
const sampleBytes = 65_536;

const column = z
  .union([z.instanceof(Uint8Array), z.instanceof(ArrayBuffer)])
  .transform((value) => (value instanceof ArrayBuffer ? Buffer.from(value) : Buffer.from(value)));
const blobRows = z.array(
  z.object({
    codec: textColumn.pipe(z.enum(["raw", "deflate", "sealed raw", "sealed deflate"])),
    bytes: column,
  }),
);
const countRows = z.array(z.object({ count: z.number() }));

type Codec = "raw" | "deflate" | "sealed raw" | "sealed deflate";

/**
 * Contents of files by their names, each once: SHA-256, or what `Seal` gives those that hold secrets. Deflate, since
 * every runtime that may open the file has it.
 */
export class Blobs {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #seal: Seal;
  readonly #select;
  readonly #selectHash;
  readonly #insert;
  readonly #prunes;
  readonly #waiting = new Map<string, { size: number; codec: Codec; bytes: Uint8Array }>();
  #waitingBytes = 0;

  constructor(database: Database, now: () => number, seal: Seal) {
    this.#database = database;
    this.#now = now;
    this.#seal = seal;
    this.#select = database.prepare(`SELECT ${bytesOf("codec")}, bytes FROM file_blobs WHERE hash = ?`);
    this.#selectHash = database.prepare("SELECT 1 FROM file_blobs WHERE hash = ?");
    this.#insert = database.prepare(
      "INSERT OR IGNORE INTO file_blobs (hash, size, codec, kept_at, bytes) VALUES (?, ?, ?, ?, ?)",
    );
    this.#prunes = database.prepare("SELECT count FROM file_blob_prunes");
  }

  /** How often contents were thrown away: what was known to be kept may not be any more when it differs. */
  get prunes(): number {
    return countRows.parse(this.#prunes.all([]))[0]?.count ?? 0;
  }

  has(hash: string): boolean {
    return this.#selectHash.all([hash]).length > 0;
  }

  /** @param path absolute: what the file with this content is called */
  nameOf(bytes: Uint8Array, path: string): string {
    const hash = hashOf(bytes);
    return bytes.length > 0 && this.#seal.isSecret(path, bytes) ? this.#seal.nameOf(hash) : hash;
  }

  /** Durable after `flush`. @returns its name @throws StoreError */
  keep(bytes: Uint8Array, path: string): string {
    const hash = this.nameOf(bytes, path);
    if (this.#waiting.has(hash) || this.has(hash)) return hash;
    const packed = isSealedName(hash) ? sealed(this.#seal, hash, pack(bytes)) : pack(bytes);
    this.#waiting.set(hash, { size: bytes.length, ...packed });
    this.#waitingBytes += packed.bytes.length;
    if (this.#waitingBytes >= batchBytes) this.flush();
    return hash;
  }

  /** @throws StoreError */
  flush(): void {
    const batch = [...this.#waiting];
    this.#waiting.clear();
    this.#waitingBytes = 0;
    if (batch.length === 0) return;
    this.#database.transaction(() => {
      const keptAt = this.#now();
      for (const [hash, { size, codec, bytes }] of batch) {
        this.#insert.run([hash, size, codec, keptAt, bytes]);
      }
    });
  }

  /** @returns undefined where it is not kept (any more), or cannot be opened @throws Error where it is not as it was kept */
  read(hash: string): Buffer | undefined {
    const found = this.#database.guard(() => this.#select.all([hash]));
    if (found.length === 0) return undefined;
    let bytes: Buffer | undefined;
    try {
      bytes = this.#unpacked(hash, found);
    } catch (error) {
      throw new Error(isDamaged, { cause: error });
    }
    if (bytes && !isSealedName(hash) && hashOf(bytes) !== hash) throw new Error(isDamaged);
    return bytes;
  }

  #unpacked(hash: string, found: readonly unknown[]): Buffer | undefined {
    const [row] = blobRows.parse(found);
    if (!row) return undefined;
    const bytes = row.codec.startsWith("sealed") ? this.#seal.open(hash, row.bytes) : row.bytes;
    return bytes && row.codec.endsWith("deflate") ? inflateRawSync(bytes) : bytes;
  }
}

export const isDamaged = "what was kept of it is damaged";

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** The same, so that only `seal` can open it. */
export function sealed(
  seal: Seal,
  name: string,
  { codec, bytes }: { codec: "raw" | "deflate"; bytes: Uint8Array },
) {
  return { codec: `sealed ${codec}` as const, bytes: seal.close(name, bytes) };
}

function pack(bytes: Uint8Array): { codec: "raw" | "deflate"; bytes: Uint8Array } {
  const sample = bytes.subarray(0, sampleBytes);
  if (sample.length < bytes.length && !shrinks(sample, deflated(sample))) return { codec: "raw", bytes };
  const smaller = deflated(bytes);
  return shrinks(bytes, smaller) ? { codec: "deflate", bytes: smaller } : { codec: "raw", bytes };
}

const deflated = (bytes: Uint8Array) => deflateRawSync(bytes, { level: 1 });
const shrinks = (from: Uint8Array, to: Uint8Array) => to.length < from.length * 0.95;
