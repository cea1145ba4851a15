import { TimeSlices } from "../../../shared/time-slices.ts";
import type { FolderTree } from "../../files/folder-tree.ts";
import { withTrees } from "../../files/folder-trees.ts";
import { absent, type FileState, isSame, type SeenFile } from "./contents/file-state.ts";
import {
  isSettled,
  type Keeper,
  otherState,
  readFile,
  statKey,
  statsOf,
  unread,
} from "./contents/read-state.ts";
import { type FolderIndex, ignored, namesIn } from "./folder-index.ts";
import { foldName } from "./rewind/twins.ts";

export interface Change {
  path: string;
  before: FileState;
  /** null: nobody may look at it now. */
  after: FileState | null;
  /** Why `before` cannot be brought back; null: it can. */
  why: string | null;
}

/** A call that makes more files than this many times the limit is followed no further. */
const mostNew = 10;

/** What is otherwise in a folder than it was when it was indexed, as far as it was looked at then. @param looker keeps nothing */
export async function changesSince(index: FolderIndex, looker: Keeper): Promise<Change[]> {
  return await withTrees((trees) => changesIn(trees.of(index.folder), index, looker));
}

async function changesIn(tree: FolderTree, index: FolderIndex, looker: Keeper): Promise<Change[]> {
  const { seen, unseen, limits } = index;
  const changes: Change[] = [];
  const found = new Set<string>();
  const slices = new TimeSlices();
  const queue = [""];
  let left = limits.maxFiles * mostNew;
  for (let place = 0; place < queue.length; place++) {
    const within = queue[place] ?? "";
    const known = unseen.get(within)?.entries;
    if (known === "none") continue;
    for (const name of namesIn(tree, within, () => {}).names) {
      await slices.pause();
      const path = within === "" ? name : `${within}/${name}`;
      const before = seen.get(path);
      // Whether it is new or was only not looked at, nobody knows.
      if (!before && (known === "some" || left-- <= 0)) continue;
      const after = stateNow(tree, index, looker, path, before);
      if (after?.kind === "absent") continue;
      found.add(path);
      const isIgnored = after?.kind === "directory" && limits.ignore.includes(name);
      if (after?.kind === "directory" && !isIgnored) queue.push(path);
      if (!before || after === null || !isSame(before.state, after)) {
        const why = isIgnored ? ignored(name) : (before?.why ?? whyFolder(index, path, after));
        changes.push({ path, before: before?.state ?? absent, after, why });
      }
    }
  }
  const folded = new Set([...found].map(foldName));
  for (const [path, before] of seen) {
    if (found.has(path)) continue;
    await slices.pause();
    // Renamed in its case alone: the disk would still find it.
    const isRenamed = folded.has(foldName(path));
    const after = isRenamed ? absent : stateNow(tree, index, looker, path, before);
    if (after !== null && isSame(before.state, after)) continue;
    changes.push({ path, before: before.state, after, why: before.why ?? whyFolder(index, path, after) });
  }
  return changes;
}

/** As `changesSince` compares by: a file whose content was not read before is told by its stat alone. */
function stateNow(
  tree: FolderTree,
  { limits, checkedAt }: FolderIndex,
  looker: Keeper,
  path: string,
  before?: SeenFile,
): FileState | null {
  const stats = statsOf(tree, path);
  if (!stats) return absent;
  if (typeof stats === "string") return null;
  if (!stats.isFile()) return otherState(tree, path, stats).state;
  if (before?.state.kind === "file") {
    if (before.why !== null) return unread(stats, before.why).state;
    if (before.stat === statKey(stats) && isSettled(stats, checkedAt)) return before.state;
  }
  return readFile(tree, path, stats, limits, looker).state;
}

/** A folder that is gone, and whose content was not looked at. */
function whyFolder({ unseen }: FolderIndex, path: string, after: FileState | null): string | null {
  const folder = unseen.get(path);
  return folder?.entries === "none" && after?.kind !== "directory" ? folder.why : null;
}
