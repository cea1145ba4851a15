import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
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
 * @returns null where that cannot be told, such as a link that leads nowhere
 */
export function realPath(path: string, folder: string): RealPath | null {
  if (path.includes("\0")) return null;
  try {
    const real = existingPart(resolve(folder, expandHome(path)));
    const way = relative(realpathSync.native(folder), real);
    return { real, isInside: way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way) };
  } catch {
    return null;
  }
}

/**
 * As `realPath`, the way programs get it from a shell: `..` leads out of where a link leads to, not of where it lies.
 * The tools go by the text alone.
 */
export function realWord(word: string, folder: string, from: string): RealPath | null {
  const parts = expandHome(word).split(/[\\/]+/);
  // Where relative words begin.
  let at = isAbsolute(expandHome(word)) ? resolve("/") : from;
  let isReal = true;
  for (const part of parts) {
    const next = part === ".." ? dirname(at) : join(at, part);
    if (part === ".." && !isReal) return null;
    const found = realPath(next, folder);
    if (!found) return null;
    at = found.real;
    isReal = isThere(at);
  }
  return realPath(at, folder);
}

/** @throws Error for what can be neither followed nor made */
function existingPart(target: string): string {
  const missing: string[] = [];
  for (let at = target; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...missing);
    } catch (error) {
      if (!isAbsent(error) || isThere(at)) throw error;
    }
    if (dirname(at) === at) throw new Error(`${target} has no folder above it.`);
    missing.unshift(basename(at));
  }
}

/** A link that leads nowhere: what it will lead to later, nobody knows. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

const isAbsent = (error: unknown) =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
