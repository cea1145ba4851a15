import type { BigIntStats } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../../files/calls.ts";
import type { FileContent } from "../../../files/file-content.ts";
import type { FolderTree } from "../../../files/folder-tree.ts";
import type { Limits } from "../limits.ts";
import { absent, type FileState, type SeenFile } from "./file-state.ts";

/** A file whose clock says that it changed less than this before it was looked at may change again unseen, in milliseconds. */
const clockTickMs = 2000;

/** Gets the contents of files as they are looked at. */
export interface Keeper {
  /** @param path absolute, as the user would name it @returns the content's name */
  bytes(bytes: Uint8Array, path: string): string;
  /** Of a file above the limit. @param path as above @returns in words: why its content is not looked at */
  large(path: string, stats: BigIntStats, opened: OpenedFile): { hash: string; size: number } | string;
}

/** Opens the file that was looked at, for as long as it is used. @throws the system's error, FileError REPLACED, NOFILE */
export type OpenedFile = <T>(use: (fd: number) => T) => T;

/** Of a path that may not be looked at, or that the disk cannot read: nobody knows what is there. Told by its identity. */
export const hidden: FileState = { kind: "other" };

/** @returns undefined where there is nothing; in words: why it cannot be looked at */
export function statsOf(tree: FolderTree, path: string): BigIntStats | string | undefined {
  try {
    return tree.stats(path);
  } catch (error) {
    return `it cannot be looked at (${codeOf(error)})`;
  }
}

/**
 * How a path is now.
 * @param path in the tree; where a link stands in for one of its folders, nothing is there: links are not followed
 */
export function readState(
  tree: FolderTree,
  path: string,
  limits: Pick<Limits, "maxFileBytes">,
  keeper: Keeper,
): SeenFile {
  const stats = statsOf(tree, path);
  if (!stats) return { state: absent, stat: "", why: null };
  if (typeof stats === "string") return { state: hidden, stat: "", why: stats };
  return stats.isFile() ? readFile(tree, path, stats, limits, keeper) : otherState(tree, path, stats);
}

/** @throws what the keeper throws; a file that cannot be read is a state */
export function readFile(
  tree: FolderTree,
  path: string,
  seen: BigIntStats,
  limits: Pick<Limits, "maxFileBytes">,
  keeper: Keeper,
): SeenFile {
  const isTooLarge = ({ size }: BigIntStats) => Number(size) > limits.maxFileBytes;
  if (isTooLarge(seen)) return readLarge(tree, path, seen, keeper);
  let file: FileContent;
  try {
    file = tree.readFile(path, seen, (stats) => (isTooLarge(stats) ? 0 : Number(stats.size)));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { state: absent, stat: "", why: null };
    return unread(seen, `it cannot be read (${codeOf(error)})`);
  }
  const { stats, bytes } = file;
  // It grew since it was looked at.
  if (isTooLarge(stats)) return readLarge(tree, path, stats, keeper);
  const hash = keeper.bytes(bytes, join(tree.root, path));
  const state: FileState = { kind: "file", mode: modeOf(stats), size: bytes.length, hash };
  return { state, stat: statKey(stats), why: null };
}

function readLarge(tree: FolderTree, path: string, stats: BigIntStats, keeper: Keeper): SeenFile {
  const large = keeper.large(join(tree.root, path), stats, (use) => tree.withFile(path, stats, use));
  if (typeof large === "string") return unread(stats, large);
  return { state: { kind: "file", mode: modeOf(stats), ...large }, stat: statKey(stats), why: null };
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
export function otherState(tree: FolderTree, path: string, stats: BigIntStats): SeenFile {
  if (stats.isDirectory()) return { state: { kind: "directory", mode: modeOf(stats) }, stat: "", why: null };
  if (!stats.isSymbolicLink())
    return { state: { kind: "other" }, stat: "", why: "it is a pipe, a socket or a device" };
  const link = linkAt(tree, path);
  if (!link) return { state: absent, stat: "", why: null };
  const state: FileState = { kind: "symlink", target: link.toString("utf8") };
  const isText = Buffer.from(state.target, "utf8").equals(link);
  return { state, stat: "", why: isText ? null : "where the link leads is no valid text" };
}

/** @returns undefined where it went away meanwhile @throws the system's error */
function linkAt(tree: FolderTree, path: string): Buffer | undefined {
  try {
    return tree.linkAt(path);
  } catch (error) {
    if (["ENOENT", "EINVAL"].includes(codeOf(error))) return undefined;
    throw error;
  }
}

const modeOf = (stats: BigIntStats) => Number(stats.mode & 0o7777n);

export const statKey = ({ size, mode, ino, mtimeNs, ctimeNs }: BigIntStats) =>
  [size, mode, ino, mtimeNs, ctimeNs].join(":");

/** By two `statKey`s. Another name of the file that comes or goes, or a mode, leaves the content as it is. */
export const isSameContent = (a: string, b: string) => contentOf(a) === contentOf(b);

function contentOf(stat: string): string {
  const [size, , ino, mtimeNs] = stat.split(":");
  return [size, ino, mtimeNs].join(":");
}

/** Whether the file would show it if it had changed after `checkedAt` (milliseconds since the epoch). */
export const isSettled = (stats: BigIntStats, checkedAt: number) =>
  Number(stats.ctimeMs) + clockTickMs < checkedAt;
