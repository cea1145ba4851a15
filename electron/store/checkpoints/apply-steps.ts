import {
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { RewindOutcome } from "../../../shared/checkpoints.ts";
import { draftName } from "../../../shared/draft-file.ts";
import { TimeSlices } from "../../../shared/time-slices.ts";
import type { FileState } from "./file-state.ts";
import { codeOf, isReal, statsOf } from "./read-state.ts";

/** From how a path is to how it was. */
export interface Step {
  path: string;
  now: FileState;
  goal: FileState;
}

/** Where the contents come from. */
export interface KeptContents {
  /** undefined: it is gone. */
  read(hash: string): Uint8Array | undefined;
  /** What is too large for the memory, to a file that is not there yet. @returns false where it is none of these */
  copyTo(hash: string, draft: string): boolean;
}

export type PathResult = Omit<RewindOutcome["files"][number], "path">;

/**
 * Takes every path back: first what has to go, then folders from the top, then files and links, each whole or not at
 * all, and last the modes of folders. What fails does not keep the others back.
 * @param folder absolute, and free of symbolic links; nothing outside it is touched
 */
export async function applySteps(
  folder: string,
  steps: readonly Step[],
  contents: KeptContents,
): Promise<Map<string, PathResult>> {
  const results = new Map<string, PathResult>();
  const slices = new TimeSlices();
  const attempt = async (todo: readonly Step[], work: (target: string, step: Step) => void) => {
    for (const step of todo) {
      await slices.pause();
      const known = results.get(step.path)?.result;
      if (known === "failed" || known === "skipped") continue;
      const target = join(folder, step.path);
      try {
        withRights(dirname(target), () => work(target, step));
        results.set(step.path, { result: step.goal.kind === "absent" ? "removed" : "restored" });
      } catch (error) {
        results.set(step.path, failure(error));
      }
    }
  };
  const down = steps.toSorted((a, b) => depth(a) - depth(b));
  const up = down.toReversed();
  await attempt(up.filter(hasToGo), (target, { now }) => {
    if (now.kind === "directory") rmdirSync(target);
    else unlinkSync(target);
  });
  await attempt(
    down.filter(({ now, goal }) => goal.kind === "directory" && now.kind !== "directory"),
    (target, { path }) => makeFolders(folder, path, target),
  );
  await attempt(down.filter(isFileOrLink), (target, { path, goal }) => {
    makeFolders(folder, dirname(path), dirname(target));
    if (goal.kind === "symlink") replace(target, (draft) => symlinkSync(goal.target, draft));
    if (goal.kind === "file") writeWhole(target, goal, contents);
  });
  await attempt(
    up.filter(({ goal }) => goal.kind === "directory"),
    (target, { goal }) => {
      if (goal.kind === "directory") chmodSync(target, goal.mode);
    },
  );
  return results;
}

const depth = ({ path }: Step) => path.split("/").length;
const isFileOrLink = ({ goal }: Step) => goal.kind === "file" || goal.kind === "symlink";
/** A file in the place of a file is replaced in one go, without a moment in which there is none. */
const hasToGo = ({ now, goal }: Step) =>
  now.kind !== "absent" &&
  (goal.kind === "absent" || (now.kind === "directory") !== (goal.kind === "directory"));

function makeFolders(folder: string, path: string, target: string): void {
  if (path === "." || path === "") return;
  let at = folder;
  for (const name of path.split("/")) {
    at = join(at, name);
    const stats = statsOf(at);
    if (!stats) mkdirSync(at);
    else if (!stats.isDirectory()) throw new Error(`${name} is in the way: it is no folder`);
  }
  if (!isReal(target)) throw new Error("its folder leads elsewhere");
}

function writeWhole(
  target: string,
  { hash, mode }: Extract<FileState, { kind: "file" }>,
  contents: KeptContents,
): void {
  const bytes = contents.read(hash);
  replace(target, (draft) => {
    if (bytes) writeFileSync(draft, bytes, { flag: "wx" });
    else if (!contents.copyTo(hash, draft)) throw new Error("its content is not kept any more");
    chmodSync(draft, mode);
  });
}

/** Beside it first, then in its place. */
function replace(target: string, make: (draft: string) => void): void {
  const draft = join(dirname(target), draftName());
  try {
    make(draft);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** A folder that its owner may not write to lets files be changed, but not replaced: it gets the right for a moment. */
function withRights(folder: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!["EACCES", "EPERM"].includes(codeOf(error))) throw error;
    const mode = lstatSync(folder).mode & 0o7777;
    chmodSync(folder, mode | 0o700);
    try {
      work();
    } finally {
      chmodSync(folder, mode);
    }
  }
}

function failure(error: unknown): PathResult {
  if (codeOf(error) === "ENOTEMPTY" || codeOf(error) === "EEXIST") {
    return { result: "skipped", why: "there is something in it that stays" };
  }
  return { result: "failed", why: error instanceof Error ? error.message : String(error) };
}
