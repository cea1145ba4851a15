import { existsSync } from "node:fs";
import { join, parse, sep } from "node:path";
import { namedByGit, wayBelow } from "../files/git-named.ts";
import { type RealPath, realPath } from "./real-path.ts";

/**
 * Whether any of these files is, or lies in, what git's settings or hooks name in a repository around it. Each folder is
 * looked at once, however many files are in it.
 */
export function isNamedByGit(paths: readonly RealPath[]): boolean {
  const known = new Map<string, readonly string[] | null>();
  const namesAt = (folder: string) => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const names = namesIn(folder);
    known.set(folder, names);
    return names;
  };
  return paths.some(({ real }) => {
    for (const folder of downTo(real)) {
      const names = namesAt(folder);
      // Nothing is below what is not there.
      if (names === null) return false;
      if (names.some((path) => path === real || wayBelow(path, real) !== null)) return true;
    }
    return false;
  });
}

/** What git names in a repository, links followed; null for a folder that is not there. */
function namesIn(folder: string): readonly string[] | null {
  if (!existsSync(join(folder, ".git"))) return existsSync(folder) ? [] : null;
  return namedByGit(folder).map((path) => realPath(path, folder)?.real ?? path);
}

/** The folders around a path from the root down, and itself. */
function* downTo(path: string): Generator<string> {
  let at = parse(path).root;
  yield at;
  for (const name of path.slice(at.length).split(sep)) {
    at = join(at, name);
    yield at;
  }
}
