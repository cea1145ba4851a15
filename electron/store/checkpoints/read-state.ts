import { type BigIntStats, lstatSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { absent, type FileState, type SeenFile } from "./file-state.ts";
import type { Limits } from "./limits.ts";

/** A file whose clock says that it changed less than this before it was looked at may change again unseen, in milliseconds. */
const clockTickMs = 2000;

/** Gets the contents of files as they are looked at. */
export interface Keeper {
  /** @param path absolute, as the user would name it @returns the content's name */
  bytes(bytes: Uint8Array, path: string): string;
  /** Of a file above the limit. @param target what is opened @returns in words: why its content is not looked at */
  large(target: string, path: string, stats: BigIntStats): { hash: string; size: number } | string;
}

/**
 * How a path is now.
 * @param folder absolute, and free of symbolic links
 * @param path relative; where a link stands in for one of its folders, nothing is there: links are not followed
 */
export function readState(
  folder: string,
  path: string,
  limits: Pick<Limits, "maxFileBytes">,
  keeper: Keeper,
): SeenFile {
  const target = join(folder, path);
  const stats = isReal(dirname(target)) ? statsOf(target) : undefined;
  if (!stats) return { state: absent, stat: "", why: null };
  return stats.isFile() ? readFile(target, target, stats, limits, keeper) : otherState(target, stats);
}

/** @param path as `Keeper` takes it @throws what the keeper throws; a file that cannot be read is a state */
export function readFile(
  target: string,
  path: string,
  stats: BigIntStats,
  limits: Pick<Limits, "maxFileBytes">,
  keeper: Keeper,
): SeenFile {
  if (Number(stats.size) > limits.maxFileBytes) {
    const large = keeper.large(target, path, stats);
    if (typeof large === "string") return unread(stats, large);
    return { state: { kind: "file", mode: modeOf(stats), ...large }, stat: statKey(stats), why: null };
  }
  let bytes: Buffer;
  try {
    bytes = readFileSync(target);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { state: absent, stat: "", why: null };
    return unread(stats, `it cannot be read (${codeOf(error)})`);
  }
  const state: FileState = {
    kind: "file",
    mode: modeOf(stats),
    size: bytes.length,
    hash: keeper.bytes(bytes, path),
  };
  return { state, stat: statKey(stats), why: null };
}

/** A file whose content is not looked at. */
export function unread(stats: BigIntStats, why: string): SeenFile {
  const stat = statKey(stats);
  const state: FileState = {
    kind: "file",
    mode: modeOf(stats),
    size: Number(stats.size),
    hash: `stat:${stat}`,
  };
  return { state, stat, why };
}

/** Of what is no file. */
export function otherState(target: string, stats: BigIntStats): SeenFile {
  if (stats.isDirectory()) return { state: { kind: "directory", mode: modeOf(stats) }, stat: "", why: null };
  if (!stats.isSymbolicLink())
    return { state: { kind: "other" }, stat: "", why: "it is a pipe, a socket or a device" };
  const link = readlinkSync(target, { encoding: "buffer" });
  const state: FileState = { kind: "symlink", target: link.toString("utf8") };
  const isText = Buffer.from(state.target, "utf8").equals(link);
  return { state, stat: "", why: isText ? null : "where the link leads is no valid text" };
}

/** @returns undefined where nothing is there, nor behind links that go in a circle */
export function statsOf(target: string): BigIntStats | undefined {
  try {
    return lstatSync(target, { bigint: true });
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(codeOf(error))) return undefined;
    throw error;
  }
}

const modeOf = (stats: BigIntStats) => Number(stats.mode & 0o7777n);

export const statKey = ({ size, mode, ino, mtimeNs, ctimeNs }: BigIntStats) =>
  [size, mode, ino, mtimeNs, ctimeNs].join(":");

/** Whether the file would show it if it had changed after `checkedAt` (milliseconds since the epoch). */
export const isSettled = (stats: BigIntStats, checkedAt: number) =>
  Number(stats.ctimeMs) + clockTickMs < checkedAt;

/** Whether the folder is there and no link stands in its path. */
export function isReal(folder: string): boolean {
  try {
    return realpathSync(folder) === folder;
  } catch {
    return false;
  }
}

/** The system's name of the error, such as ENOENT; empty where it has none. */
export const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error ? String(error.code) : "";
