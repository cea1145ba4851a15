import type { NotRestorable } from "../../../shared/conversation/checkpoints.ts";
import { isDraftName } from "../../../shared/conversation/draft-file.ts";
import { TimeSlices } from "../../../shared/time-slices.ts";
import type { FolderNames, FolderTree } from "../../files/folder-tree.ts";
import { withTrees } from "../../files/folder-trees.ts";
import type { SeenFile } from "./contents/file-state.ts";
import {
  isSettled,
  type Keeper,
  otherState,
  readFile,
  statKey,
  statsOf,
  unread,
} from "./contents/read-state.ts";
import { type Limits, megabytes } from "./limits.ts";

/** A whole folder at one moment. */
export interface FolderIndex {
  /** Absolute, and free of symbolic links. */
  folder: string;
  limits: Limits;
  /** When it was begun, in milliseconds since the epoch. */
  checkedAt: number;
  /** By path relative to the folder. */
  seen: Map<string, SeenFile>;
  /** Folders of which `none` or only `some` entries are in `seen`; "" is the folder itself. */
  unseen: Map<string, { entries: "none" | "some"; why: string }>;
}

/**
 * Looks at every file below the folder, the ones near its top first, and keeps what is within the limits.
 * @param known an earlier index of it: what did not change since is not read again
 * @param keeper gets the content of each file that is read
 * @throws what the keeper throws
 */
export async function indexFolder(
  folder: string,
  limits: Limits,
  { known, now, keeper }: { known: FolderIndex | null; now: number; keeper: Keeper },
): Promise<FolderIndex> {
  const index: FolderIndex = { folder, limits, checkedAt: now, seen: new Map(), unseen: new Map() };
  await withTrees((trees) => lookAt(trees.of(folder), index, known, keeper));
  return index;
}

async function lookAt(
  tree: FolderTree,
  index: FolderIndex,
  known: FolderIndex | null,
  keeper: Keeper,
): Promise<void> {
  const { limits } = index;
  const slices = new TimeSlices();
  const queue = [""];
  // What a repository keeps of its history must not push out the files themselves, nor they it.
  const tallies = { work: { files: 0, folders: 0, bytes: 0 }, history: { files: 0, folders: 0, bytes: 0 } };
  for (let place = 0; place < queue.length; place++) {
    const within = queue[place] ?? "";
    const tally = tallies[isHistory(within) ? "history" : "work"];
    if (tally.files >= limits.maxFiles || tally.folders >= limits.maxFiles) {
      index.unseen.set(within, { entries: "none", why: beyond(limits) });
      continue;
    }
    const { names, unreachable } = namesIn(tree, within, (why) =>
      index.unseen.set(within, { entries: "none", why }),
    );
    if (unreachable.length > 0) index.unseen.set(within, { entries: "some", why: noText(unreachable) });
    let isAnySeen = false;
    for (const name of names) {
      await slices.pause();
      const path = within === "" ? name : `${within}/${name}`;
      const stats = statsOf(tree, path);
      if (!stats) continue;
      if (typeof stats === "string") {
        index.unseen.set(within, { entries: isAnySeen ? "some" : "none", why: stats });
        continue;
      }
      isAnySeen = true;
      if (stats.isDirectory()) {
        tally.folders++;
        index.seen.set(path, otherState(tree, path, stats));
        if (limits.ignore.includes(name)) index.unseen.set(path, { entries: "none", why: ignored(name) });
        else queue.push(path);
        continue;
      }
      if (tally.files >= limits.maxFiles) {
        index.unseen.set(within, { entries: "some", why: beyond(limits) });
        break;
      }
      tally.files++;
      if (!stats.isFile()) {
        index.seen.set(path, otherState(tree, path, stats));
        continue;
      }
      const size = Number(stats.size);
      if (size <= limits.maxFileBytes && tally.bytes + size > limits.maxBytes) {
        const why = `all before it have ${megabytes(tally.bytes)}; up to ${megabytes(limits.maxBytes)} are kept (checkpointMaxMb)`;
        index.seen.set(path, unread(stats, why));
        continue;
      }
      const before = known?.seen.get(path);
      // Of a large one its keeper knows whether it is still kept.
      const isKnown =
        known &&
        size <= limits.maxFileBytes &&
        before?.why === null &&
        before.stat === statKey(stats) &&
        isSettled(stats, known.checkedAt);
      const seen = isKnown ? before : readFile(tree, path, stats, limits, keeper);
      if (seen.state.kind === "absent") continue;
      index.seen.set(path, seen);
      if (seen.why === null && size <= limits.maxFileBytes) tally.bytes += size;
    }
  }
}

const isHistory = (path: string) => path.split("/").includes(".git");

/** What could not be brought back if it changed. */
export function notRestorableOf({ seen, unseen }: FolderIndex): NotRestorable[] {
  const files = [...seen].flatMap(([path, { why }]) => (why === null ? [] : [{ path, why }]));
  const folders = [...unseen].map(([path, { why, entries }]) => ({
    path: path === "" ? "." : `${path}/`,
    why: entries === "some" ? `${why}: only some of its files are` : why,
  }));
  return [...folders, ...files];
}

/** In an order that does not depend on the disk. */
export function namesIn(tree: FolderTree, path: string, onFailure: (why: string) => void): FolderNames {
  try {
    const { names, unreachable } = tree.names(path);
    // Another call of the same reply may be writing right now.
    return { names: names.filter((name) => !isDraftName(name)).sort(), unreachable: unreachable.sort() };
  } catch (error) {
    onFailure(`it cannot be looked into (${error instanceof Error ? error.message : String(error)})`);
    return { names: [], unreachable: [] };
  }
}

export const ignored = (name: string) => `folders named ${name} are not looked into (checkpointIgnore)`;
const noText = ([first, ...more]: readonly string[]) =>
  more.length === 0
    ? `${first} is not kept, as its name is no valid text`
    : `${first} and ${more.length} more are not kept, as their names are no valid text`;
const beyond = ({ maxFiles }: Limits) => `more than ${maxFiles} files are not kept (checkpointMaxFiles)`;
