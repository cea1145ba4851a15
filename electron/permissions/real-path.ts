import { lstatSync, realpathSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { maxPathChars } from "../../shared/safety/globs.ts";
import { expandHome } from "../files/expand-home.ts";

/** Where a path leads in truth. */
export interface RealPath {
  /** Absolute, links followed as far as anything is there. */
  readonly real: string;
  /** Below the folder, or the folder itself. */
  readonly isInside: boolean;
}

/**
 * Follows `path` as it will be followed when it is used: `~`, `..`, and the links of the longest part that is there.
 * @param folder absolute: the working folder, where relative paths begin
 * @returns null where that cannot be told, such as a link that leads nowhere, and for one too long to be anywhere
 */
export function realPath(path: string, folder: string): RealPath | null {
  return placed(path, folder, () => existingPart(resolve(folder, expandHome(path))));
}

/**
 * As `realPath`, the way programs get it from a shell: `..` leads out of where a link leads to, not of where it lies.
 * The tools go by the text alone.
 * @param from absolute, free of links: where relative words begin
 */
export function realWord(word: string, folder: string, from: string): RealPath | null {
  const way = expandHome(word);
  return placed(word, folder, () => follow(isAbsolute(way) ? resolve("/") : from, way.split(/[\\/]+/)));
}

function placed(text: string, folder: string, find: () => string): RealPath | null {
  if (text.includes("\0")) return null;
  try {
    const real = find();
    if (real.length > maxPathChars) return null;
    const way = relative(realpathSync.native(folder), real);
    return { real, isInside: way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way) };
  } catch {
    return null;
  }
}

/** @throws Error for what can be neither followed nor made */
function existingPart(target: string): string {
  if (target.length > maxPathChars) throw new Error("No path is that long.");
  try {
    return realpathSync.native(target);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  const { root } = parse(target);
  return follow(root, target.slice(root.length).split(sep));
}

/**
 * Goes name by name, each looked at once, and no further than something is there: nothing is below what is not.
 * @param start absolute, free of links
 * @throws Error for a link that leads nowhere (what it will lead to later, nobody knows), for what may not be looked at,
 * and for `..` behind what is not there
 */
function follow(start: string, names: readonly string[]): string {
  let at = start;
  for (const [index, name] of names.entries()) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    const entry = entryAt(next);
    if (!entry) {
      const missing = names.slice(index);
      if (missing.includes("..")) throw new Error(`${next} is not there.`);
      return join(asNamed(at), ...missing);
    }
    at = entry.isSymbolicLink() ? realpathSync.native(next) : next;
  }
  return asNamed(at);
}

/** In its own letters, where the system takes others for the same; as it is where nothing is there. */
function asNamed(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (isAbsent(error)) return path;
    throw error;
  }
}

function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

const isAbsent = (error: unknown) =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
