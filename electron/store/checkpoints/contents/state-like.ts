import type { FolderTree } from "../../../files/folder-tree.ts";
import type { Limits } from "../limits.ts";
import type { FileState } from "./file-state.ts";
import { type Keeper, readState, statsOf, unread } from "./read-state.ts";

/** How a path is now, in the form of an earlier state: a file that was told by its stat alone still is. May be `hidden`. */
export function stateLike(
  earlier: FileState,
  tree: FolderTree,
  path: string,
  limits: Limits,
  looker: Keeper,
): FileState {
  if (earlier.kind === "file" && earlier.hash.startsWith("stat:")) {
    const stats = statsOf(tree, path);
    if (typeof stats === "object" && stats.isFile()) return unread(stats, "").state;
  }
  return readState(tree, path, limits, looker).state;
}
