import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { namedByGit, wayBelow } from "../../files/git-named.ts";

/**
 * What git obeys in a working folder by a name that it was given, in its repositories and in the one around it.
 * @param folder absolute @param tops of the first, relative to the folder @returns relative to it
 */
export function namedInFolder(folder: string, tops: readonly string[]): string[] {
  const all = new Set([...topsAt(folder), ...tops.map((top) => join(folder, top))]);
  return [...all].flatMap(namedByGit).flatMap((path) => wayBelow(folder, path) ?? []);
}

/** The folder above, if any, that has a repository. */
function topsAt(folder: string): string[] {
  if (existsSync(join(folder, ".git"))) return [folder];
  return folder === dirname(folder) ? [] : topsAt(dirname(folder));
}
