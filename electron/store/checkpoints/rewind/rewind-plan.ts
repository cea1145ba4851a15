import { join, relative } from "node:path";
import type { CheckpointDiff, RewindPreview } from "../../../../shared/conversation/checkpoints.ts";
import { TimeSlices } from "../../../../shared/time-slices.ts";
import type { FolderTree } from "../../../files/folder-tree.ts";
import { type FolderTrees, withTrees } from "../../../files/folder-trees.ts";
import type { Checkpoint } from "../checkpoint-rows.ts";
import type { Contents } from "../contents/contents.ts";
import { absent, type FileState, isSame } from "../contents/file-state.ts";
import { hidden } from "../contents/read-state.ts";
import { stateLike } from "../contents/state-like.ts";
import { unlessDamaged } from "../file-rows.ts";
import type { Limits } from "../limits.ts";
import type { CheckpointTables } from "../turn-recorder.ts";
import { isRefreshed, markHistory } from "./git-history.ts";
import type { PlannedStep } from "./planned-step.ts";
import { mostDiffBytes, textDiff } from "./text-diff.ts";
import { ListedNames, twinsOf } from "./twins.ts";

/**
 * What goes back to how it was at a checkpoint: every path touched since, in its earliest state since.
 * @param path as shown: of one file alone, with the folders that it needs
 */
export async function planRewind(
  { files, contents }: CheckpointTables,
  checkpoint: Checkpoint,
  limits: Limits,
  path?: string,
): Promise<PlannedStep[]> {
  const steps = await withTrees((trees) => planned({ files, contents }, checkpoint, limits, trees));
  if (path === undefined) return steps;
  const [own] = steps.filter(({ shown }) => shown === path);
  const isAbove = (step: PlannedStep) =>
    own !== undefined &&
    step.folder === own.folder &&
    step.action === "restore" &&
    own.action === "restore" &&
    own.path.startsWith(`${step.path}/`);
  return steps.filter((step) => step === own || isAbove(step));
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
  const rows = files.since(checkpoint.conversationId, checkpoint.seq);
  const listed = new ListedNames(trees);
  const twins = twinsOf(rows.map(({ folder, path }) => `${folder}/${path}`));
  for (const { folder, path, before, after, why } of rows) {
    await slices.pause();
    // A tool may have named it by the other name: then it is there by both.
    const isTwin = after?.kind === "absent" && twins.has(`${folder}/${path}`);
    const isGone = isTwin && !listed.has(folder, path);
    const now = isGone ? absent : stateLike(before, trees.of(folder), path, limits, looker);
    const isDone = isSame(now, before);
    steps.push({
      folder,
      path,
      shown: shownPath(checkpoint.workingFolder, folder, path),
      isTwin,
      now,
      goal: before,
      action: isDone ? "same" : before.kind === "absent" ? "remove" : "restore",
      isConflict: !isDone && after !== null && !isSame(now, after),
      why: isDone ? null : (why ?? whyNot(now, before, contents)),
    });
  }
  markOthers(files, checkpoint, steps);
  markHistory(steps, checkpoint.createdAt, trees);
  return steps;
}

/**
 * While a command runs, other conversations work in its folder, too: what one of them left as it is now counts as theirs, though
 * it is among what the command may have changed.
 */
function markOthers(files: CheckpointTables["files"], checkpoint: Checkpoint, steps: PlannedStep[]): void {
  const open = steps.filter(
    ({ action, isConflict, path }) => action !== "same" && !isConflict && !isRefreshed(path),
  );
  if (open.length === 0) return;
  const byPath = new Map(open.map((step) => [`${step.folder}/${step.path}`, step]));
  for (const { folder, path, before, after } of files.ofOthers(checkpoint, open)) {
    const step = byPath.get(`${folder}/${path}`);
    // One that is not finished, or was cut off, has left it as it is.
    const left = after ?? step?.now;
    if (step && left && isSame(left, step.now) && !isSame(left, before)) step.isConflict = true;
  }
}

function whyNot(now: FileState, goal: FileState, contents: Contents): string | null {
  if (now === hidden) return "its folder cannot be looked into: rewind again when it can";
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
      const shown = hasDiff ? stateDiff(step, step.now, step.goal, read, trees) : { diff: null };
      files.push({ path, action, isConflict, ...shown });
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
): Pick<CheckpointDiff, "diff" | "isTooLarge"> {
  const isText = ({ kind }: FileState) => kind === "file" || kind === "absent";
  if (!isText(from) || !isText(to)) return { diff: null };
  const isTooLarge = (state: FileState) => state.kind === "file" && state.size > mostDiffBytes;
  if (isTooLarge(from) || isTooLarge(to)) return { diff: null, isTooLarge: true };
  const bytesOf = (state: FileState): Uint8Array | null | undefined => {
    if (state.kind !== "file") return undefined;
    return (state === now ? current(trees.of(folder), path) : unlessDamaged(() => read(state.hash))) ?? null;
  };
  const [before, after] = [bytesOf(from), bytesOf(to)];
  if (before === null || after === null) return { diff: null };
  // It grew since.
  const hasGrown = [before, after].some((bytes) => bytes && bytes.length > mostDiffBytes);
  return hasGrown ? { diff: null, isTooLarge: true } : { diff: textDiff(shown, before, after) };
}

function current(tree: FolderTree, path: string): Uint8Array | null {
  try {
    const stats = tree.stats(path);
    return stats ? tree.readFile(path, stats, mostDiffBytes + 1).bytes : null;
  } catch {
    return null;
  }
}

export function shownPath(workingFolder: string, folder: string, path: string): string {
  return relative(workingFolder, folder) === "" ? path : join(folder, path);
}
