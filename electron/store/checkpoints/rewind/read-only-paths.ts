import { basename, dirname, join } from "node:path";
import type { NotRestorable } from "../../../../shared/conversation/checkpoints.ts";
import type { FolderIndex } from "../folder-index.ts";

/** A fence takes so many paths; where there are more, the folders that they are in stand for them. */
const mostPaths = 100;

/**
 * What of a folder has to stay as it is while a fenced command runs, since a rewind could not bring it back. Folders that
 * can be made again are left out by their names, links too: a fence would look at what they lead to.
 * @returns absolute, none below another
 */
export function readOnlyPaths({ folder, seen, unseen, limits }: FolderIndex): string[] {
  const found = new Set<string>();
  for (const path of unseen.keys()) {
    if (path === "" || !limits.ignore.includes(basename(path))) found.add(path);
  }
  for (const [path, { state, why }] of seen) {
    if (why !== null && state.kind !== "symlink" && state.kind !== "directory") found.add(path);
  }
  return [...withoutNested(gathered(found))].map((path) => join(folder, path));
}

/** Of folders that stand for what is in them: that they cannot be changed, either. */
export function gatheredFolders(index: FolderIndex, readOnly: readonly string[]): NotRestorable[] {
  return readOnly.flatMap((target) => {
    const path = target.slice(index.folder.length + 1);
    if (index.unseen.has(path) || (index.seen.get(path)?.why ?? null) !== null) return [];
    return [{ path: path === "" ? "." : `${path}/`, why: "too much of what is in it could not be saved" }];
  });
}

/** The deepest first: what is near the top stays as exact as it can. */
function gathered(paths: Set<string>): Set<string> {
  let left = paths;
  while (left.size > mostPaths) {
    const deepest = Math.max(...[...left].map(depth));
    if (deepest === 0) break;
    left = new Set([...left].map((path) => (depth(path) === deepest ? above(path) : path)));
  }
  return left;
}

function withoutNested(paths: Set<string>): Set<string> {
  const isBelow = (path: string): boolean => path !== "" && (paths.has(above(path)) || isBelow(above(path)));
  return new Set([...paths].filter((path) => !isBelow(path)));
}

const above = (path: string) => (dirname(path) === "." ? "" : dirname(path));
const depth = (path: string) => (path === "" ? 0 : path.split("/").length);
