import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { openPromise, type ZipEntry, type ZipFile } from "yauzl";
import { ZipFile as ZipWriter } from "yazl";
import { privateMode } from "../database/private-file.ts";
import { unlessFull } from "../database/store-errors.ts";
import { type BackupManifest, damaged, manifestName, notABackup, parseManifest } from "./backup-manifest.ts";

/** What is to go into an archive. */
export interface ArchiveFile {
  name: string;
  path: string;
}

/** The archive's comment: its manifest has no entry of its own in the manifest. */
const commentOf = (manifest: string) => `parley ${hashOfText(manifest)}`;
const hashOfText = (text: string) => createHash("sha256").update(text).digest("hex");
/** More than any list of contents has, in bytes. */
const mostManifestBytes = 64_000_000;
const endOfZip = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const startOfZip = Buffer.from([0x50, 0x4b, 0x03, 0x04]);

/**
 * Writes a zip with a manifest of SHA-256 sums. Whole or not at all: it gets its name once it is on the disk and was read
 * back.
 * @throws Error where it cannot be written; nothing is left then
 */
export async function writeArchive(
  to: string,
  files: readonly ArchiveFile[],
  head: Omit<BackupManifest, "entries">,
): Promise<void> {
  const entries: BackupManifest["entries"] = [];
  for (const { name, path } of files) entries.push({ name, ...(await sumOf(path)) });
  const manifest = JSON.stringify({ ...head, entries } satisfies BackupManifest, null, 1);
  const part = `${to}.part`;
  try {
    await rm(part, { force: true });
    const zip = new ZipWriter();
    const mtime = new Date(head.madeAt);
    zip.addBuffer(Buffer.from(manifest), manifestName, { mtime });
    for (const { name, path } of files) zip.addFile(path, name, { mtime, compressionLevel: 1 });
    zip.end({ comment: commentOf(manifest) });
    await new Promise<void>((resolve, reject) => {
      // What is said of files that cannot be read.
      zip.on("error", reject);
      pipeline(zip.outputStream, createWriteStream(part, { mode: privateMode, flush: true })).then(
        resolve,
        reject,
      );
    });
    await readArchive(part, async () => new Nothing());
    await rename(part, to);
  } catch (error) {
    await rm(part, { force: true });
    throw unlessFull(error, to);
  }
}

/**
 * Reads all of it, and checks each entry by its sum.
 * @param place where an entry goes
 * @throws StoreError that says what is wrong with it; what was written until then is the caller's to remove
 */
export async function readArchive(
  file: string,
  place: (name: string) => Promise<Writable>,
): Promise<BackupManifest> {
  const comment = await commentIn(file);
  const zip = await openPromise(file, { lazyEntries: true }).catch((error: unknown) => {
    throw damaged(file, "it is not whole", error);
  });
  try {
    return await readEntries(file, zip, comment, place);
  } finally {
    zip.close();
  }
}

async function readEntries(
  file: string,
  zip: ZipFile,
  comment: string,
  place: (name: string) => Promise<Writable>,
): Promise<BackupManifest> {
  let manifest: BackupManifest | null = null;
  const missing = new Set<string>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (!manifest) {
        const text = await textOf(file, zip, entry);
        manifest = parseManifest(text, file);
        if (comment !== commentOf(text)) throw damaged(file, "its list of contents was changed");
        for (const { name } of manifest.entries) missing.add(name);
        continue;
      }
      const expected = manifest.entries.find(({ name }) => name === entry.fileName);
      if (!expected || !missing.delete(entry.fileName)) {
        throw damaged(file, "it holds what its list of contents does not name");
      }
      const check = new Check(expected.sha256, expected.bytes);
      await pipeline(await zip.openReadStreamPromise(entry), check, await place(entry.fileName));
      if (!check.isRight) throw damaged(file, `${entry.fileName} in it is not what was backed up`);
    }
  } catch (error) {
    throw isDamage(error) ? damaged(file, "what is in it cannot be read", error) : error;
  }
  if (!manifest) throw damaged(file, "it is empty");
  if (missing.size > 0) throw damaged(file, `${[...missing].join(", ")} is missing`);
  return manifest;
}

async function textOf(file: string, zip: ZipFile, entry: ZipEntry): Promise<string> {
  if (entry.fileName !== manifestName) throw notABackup(file);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    bytes += chunk.length;
    if (bytes > mostManifestBytes) throw damaged(file, "its list of contents is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** What zlib and yauzl say of bytes that are not what they should be has no code of the file system's. */
function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || error.name === "StoreError") return false;
  return (
    !("code" in error) || String(error.code).startsWith("Z_") || error.code === "ERR_STREAM_PREMATURE_CLOSE"
  );
}

/** What stands behind the zip's directory. @throws StoreError for what begins or ends in another way than a zip of ours */
async function commentIn(file: string): Promise<string> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const start = Buffer.alloc(4);
    await handle.read(start, 0, 4, 0);
    if (!start.equals(startOfZip)) throw notABackup(file);
    const length = Math.min(size, 1024);
    const tail = Buffer.alloc(length);
    await handle.read(tail, 0, length, size - length);
    const at = tail.lastIndexOf(endOfZip);
    if (at < 0) throw damaged(file, "its end is missing");
    return tail.subarray(at + 22).toString("latin1");
  } finally {
    await handle.close();
  }
}

export async function sumOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return { bytes: (await stat(path)).size, sha256: hash.digest("hex") };
}

/** Passes bytes through, and tells whether they were the right ones. */
class Check extends Transform {
  readonly #sha256: string;
  readonly #bytes: number;
  readonly #hash = createHash("sha256");
  #seen = 0;
  isRight = false;

  constructor(sha256: string, bytes: number) {
    super();
    this.#sha256 = sha256;
    this.#bytes = bytes;
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: Error | null, data?: Buffer) => void) {
    this.#seen += chunk.length;
    // No more is written than what was promised: a small file may unpack to a full disk.
    if (this.#seen > this.#bytes) return done(new Error("longer than its list of contents says"));
    this.#hash.update(chunk);
    done(null, chunk);
  }

  override _flush(done: () => void): void {
    this.isRight = this.#seen === this.#bytes && this.#hash.digest("hex") === this.#sha256;
    done();
  }
}

class Nothing extends Writable {
  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    done();
  }
}
