import { dirname, join } from "node:path";
import type { FileState } from "./file-state.ts";
import type { Limits } from "./limits.ts";
import { isReal, type Keeper, readState, statsOf, unread } from "./read-state.ts";

/** How a path is now, in the form of an earlier state: a file that was told by its stat alone still is. */
export function stateLike(
  earlier: FileState,
  folder: string,
  path: string,
  limits: Limits,
  looker: Keeper,
): FileState {
  if (earlier.kind === "file" && earlier.hash.startsWith("stat:")) {
    const target = join(folder, path);
    const stats = isReal(dirname(target)) ? statsOf(target) : undefined;
    if (stats?.isFile()) return unread(stats, "").state;
  }
  return readState(folder, path, limits, looker).state;
}
