import { type BigIntStats, constants } from "node:fs";
import { draftName } from "../../shared/conversation/draft-file.ts";
import { chmodOf, close, codeOf, read, statOf, sync, write } from "./calls.ts";
import { FileError } from "./file-error.ts";
import { type HeldFolder, linkIn, makeLinkIn, openIn, renameIn, statsIn, unlinkIn } from "./held-folder.ts";
import type { Work } from "./work.ts";

/** A file as it was when it was opened. */
export interface FileContent {
  stats: BigIntStats;
  bytes: Buffer;
}

/**
 * Reads a regular file from its start.
 * @param looked as it was a moment ago: a device may do something when it is opened, so nothing but a file is
 * @param maxBytes at most so many; a number of the file's facts where that depends on them
 * @throws the system's error, FileError NOFILE, REPLACED for a link
 */
export function readFileIn(
  held: HeldFolder,
  name: string,
  looked: BigIntStats,
  maxBytes: number | ((stats: BigIntStats) => number),
): Work<FileContent> {
  return withFileIn(held, name, looked, function* (fd, stats) {
    const most = typeof maxBytes === "number" ? maxBytes : maxBytes(stats);
    return { stats, bytes: yield* readStart(fd, Math.min(Number(stats.size), most)) };
  });
}

/**
 * Opens a regular file for reading, for as long as it is used.
 * @param looked as `readFileIn` takes it
 * @param use gets the file as it is when it is open
 * @throws as `readFileIn`
 */
export function* withFileIn<T>(
  held: HeldFolder,
  name: string,
  looked: BigIntStats,
  use: (fd: number, stats: BigIntStats) => Work<T>,
): Work<T> {
  mustBeFile(looked, name);
  const fd = yield* openIn(held, name, constants.O_RDONLY);
  try {
    const stats = yield* statOf(fd);
    mustBeFile(stats, name);
    return yield* use(fd, stats);
  } finally {
    yield* close(fd);
  }
}

function mustBeFile(stats: BigIntStats, name: string): void {
  if (!stats.isFile()) throw new FileError("NOFILE", `${name} is not a regular file`);
}

function* readStart(fd: number, length: number): Work<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const count = yield* read(fd, bytes, done, done);
    // It became shorter meanwhile.
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

export interface WriteOptions {
  /** Permission bits; undefined: as the system gives them to a new file. */
  mode: number | undefined;
  /** Whether it is on the disk when this is done. */
  isDurable: boolean;
  /** What it is called until it is whole; without one, a name that nobody knows. */
  draft?: string | undefined;
}

/** Writes a file whole or not at all: beside it first, then in its place, where a link gives way, too. */
export const writeFileIn = (
  held: HeldFolder,
  name: string,
  bytes: Uint8Array,
  options: WriteOptions,
): Work<void> => fillFileIn(held, name, (fd) => writeAll(fd, bytes), options);

/** As `writeFileIn`. @param fill gets the new file, empty and open for writing; when it throws, nothing is replaced */
export function* fillFileIn(
  held: HeldFolder,
  name: string,
  fill: (fd: number) => Work<void>,
  { mode, isDurable, draft }: WriteOptions,
): Work<void> {
  yield* replaced(held, name, draft, function* (draft) {
    // Where a mode is wanted, nobody else reads it before it has it.
    const fd = yield* openIn(held, draft, createOnly, mode === undefined ? undefined : 0o600);
    try {
      yield* fill(fd);
      if (mode !== undefined) yield* chmodOf(fd, mode);
      if (isDurable) yield* sync(fd);
    } finally {
      yield* close(fd);
    }
  });
}

const createOnly = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** Puts a link in the place of what is there. @param draft as `WriteOptions` have it */
export const writeLinkIn = (held: HeldFolder, name: string, target: string, draft?: string): Work<void> =>
  replaced(held, name, draft, (draft) => makeLinkIn(held, draft, target));

function* replaced(
  held: HeldFolder,
  name: string,
  draft = draftName(),
  make: (draft: string) => Work<void>,
): Work<void> {
  try {
    yield* make(draft);
    yield* renameIn(held, draft, held, name);
  } catch (error) {
    yield* discarded(held, draft);
    throw error;
  }
}

function* discarded(held: HeldFolder, name: string): Work<void> {
  try {
    yield* unlinkIn(held, name);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/**
 * Moves a file to another disk: copied, then removed. Never replaces what is there.
 * @throws the system's error, FileError NOFILE
 */
export function* moveAcross(from: HeldFolder, name: string, to: HeldFolder, newName: string): Work<void> {
  const stats = yield* statsIn(from, name);
  if (stats?.isSymbolicLink()) {
    yield* makeLinkIn(to, newName, (yield* linkIn(from, name)).toString("utf8"));
  } else {
    if (stats) mustBeFile(stats, name);
    yield* copyFileIn(from, name, to, newName, { isDurable: true, mostBytes: Number.POSITIVE_INFINITY });
  }
  yield* unlinkIn(from, name);
}

/**
 * Copies a regular file, with its mode. Never replaces what is there.
 * @param mostBytes what comes after them is left out: it may grow meanwhile
 * @throws the system's error, FileError NOFILE
 */
export function* copyFileIn(
  from: HeldFolder,
  name: string,
  to: HeldFolder,
  newName: string,
  { isDurable, mostBytes }: { isDurable: boolean; mostBytes: number },
): Work<void> {
  const source = yield* openIn(from, name, constants.O_RDONLY);
  try {
    const stats = yield* statOf(source);
    mustBeFile(stats, name);
    const target = yield* openIn(to, newName, createOnly);
    try {
      const chunk = Buffer.allocUnsafe(Math.min(copyBytes, Number(stats.size) + 1));
      for (let at = 0; at < mostBytes; ) {
        const count = Math.min(yield* read(source, chunk, 0, at), mostBytes - at);
        if (count === 0) break;
        yield* writeAll(target, chunk.subarray(0, count));
        at += count;
      }
      yield* chmodOf(target, Number(stats.mode & 0o7777n));
      if (isDurable) yield* sync(target);
    } catch (error) {
      yield* discarded(to, newName);
      throw error;
    } finally {
      yield* close(target);
    }
  } finally {
    yield* close(source);
  }
}

const copyBytes = 1_000_000;

function* writeAll(fd: number, bytes: Uint8Array): Work<void> {
  for (let done = 0; done < bytes.length; ) done += yield* write(fd, bytes, done);
}
