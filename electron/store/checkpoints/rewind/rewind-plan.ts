import { join, relative } from "node:path";
import type { RewindPreview } from "../../../../shared/conversation/checkpoints.ts";
import { TimeSlices } from "../../../../shared/time-slices.ts";
import type { FolderTree } from "../../../files/folder-tree.ts";
import { type FolderTrees, withTrees } from "../../../files/folder-trees.ts";
import type { Checkpoint } from "../checkpoint-rows.ts";
import type { Contents } from "../contents/contents.ts";
import { type FileState, isSame } from "../contents/file-state.ts";
import { stateLike } from "../contents/state-like.ts";
import type { Limits } from "../limits.ts";
import type { CheckpointTables } from "../turn-recorder.ts";
import type { Step } from "./apply-steps.ts";
import { textDiff } from "./text-diff.ts";

export interface PlannedStep extends Step {
  folder: string;
  /** As the user sees it. */
  shown: string;
  action: "restore" | "remove" | "same";
  /** Changed since Parley touched it last, by something else. */
  isConflict: boolean;
  /** Why it cannot be taken back; null: it can. */
  why: string | null;
}

/** What goes back to how it was at a checkpoint: every path touched since, in its earliest state since. */
export async function planRewind(
  { files, contents }: CheckpointTables,
  checkpoint: Checkpoint,
  limits: Limits,
): Promise<PlannedStep[]> {
  return await withTrees((trees) => planned({ files, contents }, checkpoint, limits, trees));
}

async function planned(
  { files, contents }: Pick<CheckpointTables, "files" | "contents">,
  checkpoint: Checkpoint,
  limits: Limits,
  trees: FolderTrees,
): Promise<PlannedStep[]> {
  const steps: PlannedStep[] = [];
  const slices = new TimeSlices();
  const looker = contents.looking(limits);
  for (const { folder, path, before, after, why } of files.since(checkpoint.conversationId, checkpoint.seq)) {
    await slices.pause();
    const now = stateLike(before, trees.of(folder), path, limits, looker);
    const isDone = isSame(now, before);
    steps.push({
      folder,
      path,
      shown: shownPath(checkpoint.workingFolder, folder, path),
      now,
      goal: before,
      action: isDone ? "same" : before.kind === "absent" ? "remove" : "restore",
      isConflict: !isDone && after !== null && !isSame(now, after) && !isRefreshed(path),
      why: isDone ? null : (why ?? whyNot(now, before, contents)),
    });
  }
  return steps;
}

/** Git writes its index anew whenever somebody merely asks for the status: without the old one, history would not fit it. */
const isRefreshed = (path: string) => /(?:^|\/)\.git\/index$/.test(path);

function whyNot(now: FileState, goal: FileState, contents: Contents): string | null {
  if (now.kind === "other") return "a pipe, a socket or a device stands there";
  if (goal.kind === "other") return "it was a pipe, a socket or a device";
  return goal.kind === "file" ? contents.whyNot(goal.hash) : null;
}

/** Paths that are compared for the eye; of further ones it is only said what happens to them. */
const mostDiffs = 200;

/** The steps as the window shows them, with what would change in each. */
export async function previewFiles(
  { contents }: CheckpointTables,
  steps: readonly PlannedStep[],
): Promise<RewindPreview["files"]> {
  const files: RewindPreview["files"] = [];
  const slices = new TimeSlices();
  await withTrees(async (trees) => {
    for (const step of steps) {
      if (step.why !== null) continue;
      await slices.pause();
      const { shown: path, action, isConflict } = step;
      const hasDiff = action !== "same" && files.length < mostDiffs;
      const read = (hash: string) => contents.read(hash);
      const diff = hasDiff ? stateDiff(step, step.now, step.goal, read, trees) : null;
      files.push({ path, action, isConflict, diff });
    }
  });
  return files;
}

/** What changes from one state of a path to the other; one of them is how it is now. */
export function stateDiff(
  { folder, path, shown, now }: Pick<PlannedStep, "folder" | "path" | "shown" | "now">,
  from: FileState,
  to: FileState,
  read: (hash: string) => Uint8Array | undefined,
  trees: FolderTrees,
): string | null {
  const isText = ({ kind }: FileState) => kind === "file" || kind === "absent";
  if (!isText(from) || !isText(to)) return null;
  const bytesOf = (state: FileState): Uint8Array | null | undefined => {
    if (state.kind !== "file") return undefined;
    return (state === now ? current(trees.of(folder), path) : read(state.hash)) ?? null;
  };
  const [before, after] = [bytesOf(from), bytesOf(to)];
  return before === null || after === null ? null : textDiff(shown, before, after);
}

function current(tree: FolderTree, path: string): Uint8Array | null {
  try {
    const stats = tree.stats(path);
    return stats ? tree.readFile(path, stats, Number.MAX_SAFE_INTEGER).bytes : null;
  } catch {
    return null;
  }
}

export function shownPath(workingFolder: string, folder: string, path: string): string {
  return relative(workingFolder, folder) === "" ? path : join(folder, path);
}
