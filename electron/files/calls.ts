import fs, { type BigIntStats, type Dirent } from "node:fs";
import files from "node:fs/promises";
import { promisify } from "node:util";
import { step, type Work } from "./work.ts";

const openLater = promisify(fs.open);
const statOfLater = promisify(fs.fstat);
const readLater = promisify(fs.read);
const writeLater = promisify(fs.write);
const chmodOfLater = promisify(fs.fchmod);
const syncLater = promisify(fs.fsync);
const closeLater = promisify(fs.close);

/** The calls of the system that the rest is made of, as steps. Descriptors are plain numbers: whoever opens one closes it. */
export const open = (path: string, flags: number, mode = 0o666): Work<number> =>
  step(
    () => fs.openSync(path, flags, mode),
    () => openLater(path, flags, mode),
  );

export const close = (fd: number): Work<void> =>
  step(
    () => fs.closeSync(fd),
    () => closeLater(fd),
  );

/** Of a folder: nothing waits to be written, and so nothing waits. */
export const closeFolder = (fd: number): Work<void> =>
  step(
    () => fs.closeSync(fd),
    async () => fs.closeSync(fd),
  );

export const statOf = (fd: number): Work<BigIntStats> =>
  step(
    () => fs.fstatSync(fd, { bigint: true }),
    () => statOfLater(fd, { bigint: true }),
  );

/** Of the entry itself; undefined where there is none. */
export const lstat = (path: string): Work<BigIntStats | undefined> =>
  step(
    () => fs.lstatSync(path, { bigint: true, throwIfNoEntry: false }),
    () => files.lstat(path, { bigint: true }).catch(ifAbsent),
  );

export const readNames = (path: string): Work<string[]> =>
  step(
    () => fs.readdirSync(path),
    () => files.readdir(path),
  );

/** As the disk has them: some may be no valid text. */
export const readRawNames = (path: string): Work<Buffer[]> =>
  step(
    () => fs.readdirSync(path, { encoding: "buffer" }),
    () => files.readdir(path, { encoding: "buffer" }),
  );

export const readEntries = (path: string): Work<Dirent[]> =>
  step(
    () => fs.readdirSync(path, { withFileTypes: true }),
    () => files.readdir(path, { withFileTypes: true }),
  );

export const readLink = (path: string): Work<Buffer> =>
  step(
    () => fs.readlinkSync(path, { encoding: "buffer" }),
    () => files.readlink(path, { encoding: "buffer" }),
  );

/** @returns how many bytes came: 0 at the end */
export const read = (fd: number, into: Uint8Array, from: number, position: number): Work<number> =>
  step(
    () => fs.readSync(fd, into, from, into.length - from, position),
    async () => (await readLater(fd, into, from, into.length - from, position)).bytesRead,
  );

/** @returns how many bytes went */
export const write = (fd: number, bytes: Uint8Array, from: number): Work<number> =>
  step(
    () => fs.writeSync(fd, bytes, from),
    async () => (await writeLater(fd, bytes, from, bytes.length - from)).bytesWritten,
  );

export const chmodOf = (fd: number, mode: number): Work<void> =>
  step(
    () => fs.fchmodSync(fd, mode),
    () => chmodOfLater(fd, mode),
  );

export const sync = (fd: number): Work<void> =>
  step(
    () => fs.fsyncSync(fd),
    () => syncLater(fd),
  );

export const chmod = (path: string, mode: number): Work<void> =>
  step(
    () => fs.chmodSync(path, mode),
    () => files.chmod(path, mode),
  );

export const access = (path: string, mode: number): Work<void> =>
  step(
    () => fs.accessSync(path, mode),
    () => files.access(path, mode),
  );

export const makeFolder = (path: string): Work<void> =>
  step(
    () => fs.mkdirSync(path),
    () => files.mkdir(path),
  );

/** With those that are missing above it; for the user alone. */
export const makeFolders = (path: string): Work<string | undefined> =>
  step(
    () => fs.mkdirSync(path, { recursive: true, mode: 0o700 }),
    () => files.mkdir(path, { recursive: true, mode: 0o700 }),
  );

export const removeFolder = (path: string): Work<void> =>
  step(
    () => fs.rmdirSync(path),
    () => files.rmdir(path),
  );

export const unlink = (path: string): Work<void> =>
  step(
    () => fs.unlinkSync(path),
    () => files.unlink(path),
  );

export const rename = (from: string, to: string): Work<void> =>
  step(
    () => fs.renameSync(from, to),
    () => files.rename(from, to),
  );

export const makeLink = (target: string, path: string): Work<void> =>
  step(
    () => fs.symlinkSync(target, path),
    () => files.symlink(target, path),
  );

export const realPath = (path: string): Work<string> =>
  step(
    () => fs.realpathSync.native(path),
    () => files.realpath(path),
  );

/** The system's name of the error, such as ENOENT; empty where it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

function ifAbsent(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
}
