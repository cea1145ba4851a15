import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";
import type { Database } from "../database.ts";

/** Bytes that wait to be written: one transaction for many files, short enough for the main process not to wait. */
const batchBytes = 250_000;
/** The start of a file tells whether it is worth compressing. */
const sampleBytes = 65_536;

const column = z
  .union([z.instanceof(Uint8Array), z.instanceof(ArrayBuffer)])
  .transform((value) => (value instanceof ArrayBuffer ? Buffer.from(value) : Buffer.from(value)));
const blobRows = z.array(z.object({ codec: z.enum(["raw", "deflate"]), bytes: column }));
const countRows = z.array(z.object({ count: z.number() }));

/** Contents of files by their hash, each once. Deflate, since every runtime that may open the file has it. */
export class Blobs {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #select;
  readonly #selectHash;
  readonly #insert;
  readonly #prunes;
  readonly #waiting = new Map<string, { size: number; codec: "raw" | "deflate"; bytes: Uint8Array }>();
  #waitingBytes = 0;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
    this.#select = database.prepare("SELECT codec, bytes FROM file_blobs WHERE hash = ?");
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

  /** Durable after `flush`. @returns its hash @throws StoreError */
  keep(bytes: Uint8Array): string {
    const hash = hashOf(bytes);
    if (this.#waiting.has(hash) || this.has(hash)) return hash;
    const packed = pack(bytes);
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

  /** @returns undefined where it is not kept (any more) */
  read(hash: string): Buffer | undefined {
    const [row] = this.#database.guard(() => blobRows.parse(this.#select.all([hash])));
    if (!row) return undefined;
    return row.codec === "raw" ? row.bytes : inflateRawSync(row.bytes);
  }
}

export const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function pack(bytes: Uint8Array): { codec: "raw" | "deflate"; bytes: Uint8Array } {
  const sample = bytes.subarray(0, sampleBytes);
  if (sample.length < bytes.length && !shrinks(sample, deflated(sample))) return { codec: "raw", bytes };
  const smaller = deflated(bytes);
  return shrinks(bytes, smaller) ? { codec: "deflate", bytes: smaller } : { codec: "raw", bytes };
}

const deflated = (bytes: Uint8Array) => deflateRawSync(bytes, { level: 1 });
const shrinks = (from: Uint8Array, to: Uint8Array) => to.length < from.length * 0.95;
