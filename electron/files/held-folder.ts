import { type BigIntStats, constants, type Dirent, existsSync } from "node:fs";
import { join, parse, sep } from "node:path";
import {
  access,
  chmod,
  close,
  closeFolder,
  codeOf,
  lstat,
  makeFolder,
  makeLink,
  open,
  readEntries,
  readLink,
  readNames,
  readRawNames,
  removeFolder,
  rename,
  statOf,
  unlink,
} from "./calls.ts";
import { FileError } from "./file-error.ts";
import type { Work } from "./work.ts";

/**
 * A folder that is held open. What is done to its entries is done in this very folder, whatever stands at its path by
 * then: on Linux the system is given `/proc/self/fd/N/name`, which is N's own entry. macOS and Windows have no such name:
 * there the way is looked at again before each call, which leaves a gap of microseconds.
 */
export interface HeldFolder {
  /** Absolute and free of links, as it was when it was opened: for messages, and where there is no better name. */
  readonly path: string;
  /** null on Windows, where folders cannot be opened. */
  readonly fd: number | null;
  /** What the system is given for it. */
  readonly own: string;
}

const hasOwnNames = process.platform === "linux" && existsSync("/proc/self/fd");

/** Not in Node's list: to look up entries, without the right to list them (Linux). */
const pathOnly = process.platform === "linux" ? 0x20_0000 : 0;
/** Not in Node's list: no link in any component (macOS). */
const noFollowAny = process.platform === "darwin" ? 0x2000_0000 : 0;

const folderFlags =
  process.platform === "win32"
    ? null
    : constants.O_DIRECTORY | (noFollowAny || constants.O_NOFOLLOW) | pathOnly;
/** For files: no link, and no waiting for whoever writes to a pipe. Windows has none of it. */
const fileFlags =
  process.platform === "win32" ? 0 : (noFollowAny || constants.O_NOFOLLOW) | constants.O_NONBLOCK;

/**
 * Opens a folder as the root of all that is below it: no component of its path may be a link.
 * @param path absolute, and free of links when it was chosen
 * @throws the system's error, FileError REPLACED where a link or a file stands in the way now
 */
export function* openRoot(path: string): Work<HeldFolder> {
  const { root } = parse(path);
  if (!hasOwnNames) return yield* openAt(path);
  let held = yield* openAt(root);
  for (const name of path.slice(root.length).split(sep).filter(Boolean)) held = yield* exchanged(held, name);
  return held;
}

/** @returns the folder in it, in exchange: `held` is closed, also when it throws */
function* exchanged(held: HeldFolder, name: string): Work<HeldFolder> {
  try {
    return yield* openChild(held, name);
  } finally {
    yield* release(held);
  }
}

/** @throws the system's error, FileError REPLACED where no folder stands there */
export function* openChild(held: HeldFolder, name: string): Work<HeldFolder> {
  const entry = yield* entryPath(held, name);
  try {
    return yield* openAt(entry, join(held.path, name));
  } catch (error) {
    throw inWords(error, held);
  }
}

function* openAt(at: string, path = at): Work<HeldFolder> {
  if (folderFlags === null) {
    yield* mustBeFolder(path);
    return { path, fd: null, own: path };
  }
  try {
    const fd = yield* open(at, folderFlags);
    return { path, fd, own: hasOwnNames ? `/proc/self/fd/${fd}` : path };
  } catch (error) {
    if (!["ENOTDIR", "ELOOP"].includes(codeOf(error))) throw error;
    throw new FileError("REPLACED", `${path} is no folder (any more)`, { cause: error });
  }
}

export function* release({ fd }: HeldFolder): Work<void> {
  if (fd !== null) yield* closeFolder(fd);
}

/** @throws the system's error */
export function* statsOfFolder({ fd, path }: HeldFolder): Work<BigIntStats> {
  if (fd !== null) return yield* statOf(fd);
  const stats = yield* lstat(path);
  if (!stats?.isDirectory()) throw new FileError("REPLACED", `${path} is no folder any more`);
  return stats;
}

/** Of the entry itself, links not followed; undefined where there is none. */
export const statsIn = (held: HeldFolder, name: string): Work<BigIntStats | undefined> =>
  inside(held, name, lstat);

export const linkIn = (held: HeldFolder, name: string): Work<Buffer> => inside(held, name, readLink);
export const unlinkIn = (held: HeldFolder, name: string): Work<void> => inside(held, name, unlink);
export const makeFolderIn = (held: HeldFolder, name: string): Work<void> => inside(held, name, makeFolder);
export const removeFolderIn = (held: HeldFolder, name: string): Work<void> =>
  inside(held, name, removeFolder);
export const makeLinkIn = (held: HeldFolder, name: string, target: string): Work<void> =>
  inside(held, name, (path) => makeLink(target, path));

/** @returns a descriptor, never of what a link leads to @throws FileError REPLACED for a link */
export function* openIn(held: HeldFolder, name: string, flags: number, mode?: number): Work<number> {
  try {
    return yield* inside(held, name, (path) => open(path, flags | fileFlags, mode));
  } catch (error) {
    if (codeOf(error) !== "ELOOP") throw error;
    throw new FileError("REPLACED", `${name} is a link now`, { cause: error });
  }
}

/**
 * Whether the file may be written to: to replace it needs no such right, and a read-only one would be changed all the same.
 * @throws the system's error where it may not
 */
export function* mustBeWritable(held: HeldFolder, name: string): Work<void> {
  if (!hasOwnNames) {
    yield* inside(held, name, (path) => access(path, constants.W_OK));
    return;
  }
  const fd = yield* openIn(held, name, pathOnly);
  try {
    yield* access(`/proc/self/fd/${fd}`, constants.W_OK);
  } finally {
    yield* close(fd);
  }
}

/** Moves the entry itself, links not followed; what stands there already gives way. */
export const renameIn = (from: HeldFolder, name: string, to: HeldFolder, newName: string): Work<void> =>
  inside(from, name, (path) => inside(to, newName, (newPath) => rename(path, newPath)));

export const namesOf = (held: HeldFolder): Work<string[]> => itself(held, readNames);
export const rawNamesOf = (held: HeldFolder): Work<Buffer[]> => itself(held, readRawNames);
export const entriesOf = (held: HeldFolder): Work<Dirent[]> => itself(held, readEntries);
export const setModeOf = (held: HeldFolder, mode: number): Work<void> =>
  itself(held, (path) => chmod(path, mode));

function* inside<T>(held: HeldFolder, name: string, call: (path: string) => Work<T>): Work<T> {
  const path = yield* entryPath(held, name);
  try {
    return yield* call(path);
  } catch (error) {
    throw inWords(error, held);
  }
}

function* itself<T>(held: HeldFolder, call: (path: string) => Work<T>): Work<T> {
  if (!hasOwnNames) yield* lookAgain(held);
  try {
    return yield* call(held.own);
  } catch (error) {
    throw inWords(error, held);
  }
}

function* entryPath(held: HeldFolder, name: string): Work<string> {
  if (name === "" || name === "." || name === ".." || /[/\0]/.test(name) || name.includes(sep)) {
    throw new Error(`${JSON.stringify(name)} is no name of a file.`);
  }
  if (!hasOwnNames) yield* lookAgain(held);
  return `${held.own}${sep}${name}`;
}

/** Whether the path still leads there, without links. */
function* lookAgain(held: HeldFolder): Work<void> {
  if (folderFlags === null) {
    yield* mustBeFolder(held.path);
    return;
  }
  const again = yield* openAt(held.path);
  try {
    const [now, before] = [yield* statsOfFolder(again), yield* statsOfFolder(held)];
    if (now.ino !== before.ino || now.dev !== before.dev) {
      throw new FileError("REPLACED", `${held.path} was replaced`);
    }
  } finally {
    yield* release(again);
  }
}

/** Each component by itself: on Windows a link or a junction shows as a link. */
function* mustBeFolder(path: string): Work<void> {
  const { root } = parse(path);
  let at = root;
  for (const name of path.slice(root.length).split(sep).filter(Boolean)) {
    at = join(at, name);
    const stats = yield* lstat(at);
    if (stats?.isDirectory()) continue;
    if (stats) throw new FileError("REPLACED", `${at} is no folder (any more)`);
    throw new FileError("ENOENT", `there is no folder ${at}`);
  }
}

/** Names of descriptors mean nothing to a reader. */
function inWords(error: unknown, { own, path }: HeldFolder): unknown {
  if (!(error instanceof Error) || own === path) return error;
  error.message = error.message.replaceAll(`${own}/`, join(path, "/")).replaceAll(`${own}'`, `${path}'`);
  return error;
}
