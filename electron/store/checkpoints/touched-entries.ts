import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { codeOf, statsOf } from "./read-state.ts";

/**
 * What in the folder a call that names these paths can change: each path, what it leads to where it is a link, and the
 * folders above it that are not there yet. What lies outside is left out: tools refuse it.
 * @param folder absolute, and free of symbolic links
 * @returns relative to the folder, with `/`, folders before what is in them
 */
export function touchedEntries(folder: string, paths: readonly string[]): string[] {
  const entries = new Set<string>();
  for (const path of paths) {
    const target = resolve(folder, expandHome(path));
    const entry = realEntry(target);
    add(folder, entry, entries);
    const leadsTo = linkEnd(entry);
    if (leadsTo !== undefined) add(folder, leadsTo, entries);
  }
  return [...entries];
}

function add(folder: string, entry: string, entries: Set<string>): void {
  const way = relative(folder, entry);
  if (way === "" || way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) return;
  const parts = way.split(sep);
  for (let length = 1; length < parts.length; length++) {
    const above = parts.slice(0, length);
    if (statsOf(join(folder, ...above)) === undefined) entries.add(above.join("/"));
  }
  entries.add(parts.join("/"));
}

/** The entry itself, its folders free of links as far as they are there. */
function realEntry(target: string): string {
  const missing = [basename(target)];
  for (let at = dirname(target); ; at = dirname(at)) {
    try {
      return join(realpathSync(at), ...missing);
    } catch (error) {
      if (!["ENOENT", "ENOTDIR"].includes(codeOf(error)) || at === dirname(at)) return target;
      missing.unshift(basename(at));
    }
  }
}

/** @returns undefined for what is no link, or leads nowhere */
function linkEnd(entry: string): string | undefined {
  if (!statsOf(entry)?.isSymbolicLink()) return undefined;
  try {
    return realpathSync(entry);
  } catch {
    return undefined;
  }
}

function expandHome(path: string): string {
  if (path === "~") return homedir();
  return path.startsWith("~/") || path.startsWith(`~${sep}`) ? join(homedir(), path.slice(2)) : path;
}
