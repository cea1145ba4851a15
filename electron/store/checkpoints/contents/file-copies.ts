import type { DecipherGCM } from "node:crypto";
import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { privateMode } from "../../database/private-file.ts";
import { type Sealing, sealHeadBytes } from "../seal/seal.ts";
import { isDamaged } from "./blobs.ts";

/** Bytes that are in memory at once. */
const pieceBytes = 1_048_576;

/** SHA-256, in hex, and bytes. */
export interface HashedFile {
  hash: string;
  size: number;
}

/** @param mostBytes from its beginning: it may grow for as long as it is read */
export function hashOfFile(handle: number, mostBytes: number): HashedFile {
  const hash = createHash("sha256");
  const size = eachPiece(handle, 0, mostBytes, (piece) => hash.update(piece));
  return { hash: hash.digest("hex"), size };
}

/**
 * Where the disk can, the copy shares its blocks with the file until one of them changes.
 * @param mostBytes as `hashOfFile` takes it
 */
export function copyAndHash(handle: number, draft: string, mostBytes: number): HashedFile {
  try {
    copyFileSync(ownName(handle), draft, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
    chmodSync(draft, privateMode);
    return withHandle(draft, "r+", (copy) => {
      if (fstatSync(copy).size > mostBytes) ftruncateSync(copy, mostBytes);
      return hashOfFile(copy, mostBytes);
    });
  } catch {
    rmSync(draft, { force: true });
    const hash = createHash("sha256");
    const size = writing(draft, (write) =>
      eachPiece(handle, 0, mostBytes, (piece) => {
        hash.update(piece);
        write(piece);
      }),
    );
    return { hash: hash.digest("hex"), size };
  }
}

/** @throws Error where the file does not begin with what was read of it any more */
export function sealCopy(handle: number, draft: string, { nonce, cipher }: Sealing, read: HashedFile): void {
  const again = createHash("sha256");
  writing(draft, (write, out) => {
    write(new Uint8Array(sealHeadBytes));
    eachPiece(handle, 0, read.size, (piece) => {
      again.update(piece);
      write(cipher.update(piece));
    });
    write(cipher.final());
    writeSync(out, Buffer.concat([nonce, cipher.getAuthTag()]), 0, sealHeadBytes, 0);
  });
  if (again.digest("hex") !== read.hash) throw new Error("it changes while it is read");
}

/** @throws Error without the key, or where the copy is not as it was sealed: the target is worth nothing then */
export function unsealCopy(
  kept: string,
  target: number,
  opening: (head: Uint8Array) => DecipherGCM | undefined,
): void {
  withHandle(kept, "r", (handle) => {
    const head = new Uint8Array(sealHeadBytes);
    readSync(handle, head, 0, sealHeadBytes, 0);
    const decipher = opening(head);
    if (!decipher) throw new Error("it is sealed, and the key that opens it is gone");
    eachPiece(handle, sealHeadBytes, untilItsEnd, (piece) => writeAll(target, decipher.update(piece)));
    writeAll(target, decipher.final());
  });
}

/**
 * As `copyAndHash` shares blocks. @param target an empty file that is open
 * @throws Error where the copy is not what `hash` says any more
 */
export function restoreCopy(kept: string, target: number, hash: string): void {
  if (withHandle(kept, "r", (handle) => hashOfFile(handle, untilItsEnd)).hash !== hash)
    throw new Error(isDamaged);
  try {
    copyFileSync(kept, ownName(target), constants.COPYFILE_FICLONE_FORCE);
  } catch {
    ftruncateSync(target);
    withHandle(kept, "r", (handle) => eachPiece(handle, 0, untilItsEnd, (piece) => writeAll(target, piece)));
  }
}

/** A name of the very file that is open, whatever stands at its path by now. @throws Error where there is none: only Linux has them */
function ownName(handle: number): string {
  if (process.platform !== "linux") throw new Error("open files have no names here");
  return `/proc/self/fd/${handle}`;
}

/** Of what Parley keeps itself: nobody adds to it. */
const untilItsEnd = Number.POSITIVE_INFINITY;

/** @returns how many bytes there were, up to `mostBytes` */
function eachPiece(
  handle: number,
  from: number,
  mostBytes: number,
  use: (piece: Uint8Array) => void,
): number {
  const buffer = new Uint8Array(pieceBytes);
  let done = 0;
  while (done < mostBytes) {
    const count = readSync(handle, buffer, 0, Math.min(pieceBytes, mostBytes - done), from + done);
    if (count === 0) break;
    use(buffer.subarray(0, count));
    done += count;
  }
  return done;
}

/** Whole or not at all. */
function writing<T>(draft: string, work: (write: (bytes: Uint8Array) => void, handle: number) => T): T {
  const handle = openSync(draft, "wx", privateMode);
  try {
    return work((bytes) => writeAll(handle, bytes), handle);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

function writeAll(handle: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; ) from += writeSync(handle, bytes, from);
}

function withHandle<T>(path: string, flags: string, work: (handle: number) => T): T {
  const handle = openSync(path, flags);
  try {
    return work(handle);
  } finally {
    closeSync(handle);
  }
}
