import { parse, sep } from "node:path";
import type { RewindOutcome } from "../../../../shared/conversation/checkpoints.ts";
import { draftName } from "../../../../shared/conversation/draft-file.ts";
import { TimeSlices } from "../../../../shared/time-slices.ts";
import { codeOf } from "../../../files/calls.ts";
import { FolderTree } from "../../../files/folder-tree.ts";
import { withTrees } from "../../../files/folder-trees.ts";
import type { FileState } from "../contents/file-state.ts";
import { isSameContent, statKey } from "../contents/read-state.ts";

/** From how a path is to how it was. */
export interface Step {
  path: string;
  now: FileState;
  goal: FileState;
  /** Of a file that is there: its `statKey` when `now` was read. */
  stat?: string;
}

/** Where the contents come from. */
export interface KeptContents {
  /** undefined: it is gone. */
  read(hash: string): Uint8Array | undefined;
  /** What is too large for the memory, to a file that is open and empty. @returns false where it is none of these */
  copyTo(hash: string, fd: number): boolean;
}

export type PathResult = Omit<RewindOutcome["files"][number], "path">;

/**
 * Takes every path back: first what has to go, then folders from the top, then files and links, each whole or not at
 * all, and last the modes of folders. What fails does not keep the others back.
 * @param folder absolute, and free of symbolic links; nothing outside it is touched
 * @param draftOf what a path is called until it is whole
 */
export async function applySteps(
  folder: string,
  steps: readonly Step[],
  contents: KeptContents,
  draftOf: (path: string) => string = draftName,
): Promise<Map<string, PathResult>> {
  return await withTrees((trees) => applied(trees.of(folder), steps, contents, draftOf));
}

async function applied(
  tree: FolderTree,
  steps: readonly Step[],
  contents: KeptContents,
  draftOf: (path: string) => string,
): Promise<Map<string, PathResult>> {
  const gone = needsRoot(steps) ? makeRoot(tree) : null;
  if (gone !== null) return new Map(steps.map(({ path }) => [path, { result: "failed", why: gone }]));
  const results = new Map<string, PathResult>();
  const slices = new TimeSlices();
  const attempt = async (todo: readonly Step[], work: (step: Step) => void) => {
    for (const step of todo) {
      await slices.pause();
      const known = results.get(step.path)?.result;
      if (known === "failed" || known === "skipped") continue;
      try {
        if (known === undefined && !isAsRead(tree, step)) {
          results.set(step.path, { result: "skipped", why: "it was changed while the rewind went on" });
          continue;
        }
        withRights(tree, folderOf(step.path), () => work(step));
        results.set(step.path, { result: step.goal.kind === "absent" ? "removed" : "restored" });
      } catch (error) {
        results.set(step.path, failure(error));
      }
    }
  };
  const down = steps.toSorted((a, b) => depth(a) - depth(b));
  const up = down.toReversed();
  await attempt(up.filter(hasToGo), ({ path, now }) => {
    if (now.kind === "directory") tree.removeFolder(path);
    else tree.unlink(path);
  });
  await attempt(
    down.filter(({ now, goal }) => goal.kind === "directory" && now.kind !== "directory"),
    ({ path }) => makeFolders(tree, path),
  );
  await attempt(down.filter(isFileOrLink), ({ path, goal }) => {
    makeFolders(tree, folderOf(path));
    const draft = draftOf(path);
    if (goal.kind === "symlink") tree.writeLink(path, goal.target, draft);
    if (goal.kind === "file") writeWhole(tree, path, goal, contents, draft);
  });
  await attempt(
    up.filter(({ goal }) => goal.kind === "directory"),
    ({ path, goal }) => {
      if (goal.kind === "directory") tree.setModeOfFolder(path, goal.mode);
    },
  );
  return results;
}

/** Whether it is still what was kept for the redo: a large rewind takes its time. */
function isAsRead(tree: FolderTree, { path, now, stat }: Step): boolean {
  const stats = tree.stats(path);
  if (!stats) return now.kind === "absent";
  if (now.kind === "file") {
    return stats.isFile() && (stat === undefined || isSameContent(stat, statKey(stats)));
  }
  if (now.kind === "symlink")
    return stats.isSymbolicLink() && tree.linkAt(path).toString("utf8") === now.target;
  return now.kind === "directory" && stats.isDirectory();
}

const depth = ({ path }: Step) => path.split("/").length;
const isFileOrLink = ({ goal }: Step) => goal.kind === "file" || goal.kind === "symlink";
/** A file in the place of a file is replaced in one go, without a moment in which there is none. */
const hasToGo = ({ now, goal }: Step) =>
  now.kind !== "absent" &&
  (goal.kind === "absent" || (now.kind === "directory") !== (goal.kind === "directory"));

const needsRoot = (steps: readonly Step[]) => steps.some(({ goal }) => goal.kind !== "absent");

/** A working folder that was deleted itself is made again, and those above it. @returns why it cannot be; null: it is there */
function makeRoot(tree: FolderTree): string | null {
  const { root } = parse(tree.root);
  const above = new FolderTree(root);
  try {
    if (!tree.stats("")) makeFolders(above, tree.root.slice(root.length).replaceAll(sep, "/"));
    return null;
  } catch (error) {
    return `the folder ${tree.root} is gone, and cannot be made again: ${messageOf(error)}`;
  } finally {
    above.close();
  }
}

/** "" is the folder of all. */
const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

function makeFolders(tree: FolderTree, path: string): void {
  if (path === "") return;
  let at = "";
  for (const name of path.split("/")) {
    at = at === "" ? name : `${at}/${name}`;
    const stats = tree.stats(at);
    if (!stats) tree.makeFolder(at);
    else if (!stats.isDirectory()) throw new Error(`${name} is in the way: it is no folder`);
  }
}

function writeWhole(
  tree: FolderTree,
  path: string,
  { hash, mode }: Extract<FileState, { kind: "file" }>,
  contents: KeptContents,
  draft: string,
): void {
  const bytes = contents.read(hash);
  if (bytes) tree.writeFile(path, bytes, mode, draft);
  else {
    const fill = (fd: number) => {
      if (!contents.copyTo(hash, fd)) throw new Error("its content is not kept any more");
    };
    tree.fillFile(path, mode, fill, draft);
  }
}

/** A folder that its owner may not write to lets files be changed, but not replaced: it gets the right for a moment. */
function withRights(tree: FolderTree, folder: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!["EACCES", "EPERM"].includes(codeOf(error))) throw error;
    const mode = tree.modeOfFolder(folder);
    tree.setModeOfFolder(folder, mode | 0o700);
    try {
      work();
    } finally {
      tree.setModeOfFolder(folder, mode);
    }
  }
}

function failure(error: unknown): PathResult {
  if (codeOf(error) === "ENOTEMPTY" || codeOf(error) === "EEXIST") {
    return { result: "skipped", why: "there is something in it that stays" };
  }
  return { result: "failed", why: messageOf(error) };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
