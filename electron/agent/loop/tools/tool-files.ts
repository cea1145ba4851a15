import { isRunByTools } from "../../../../shared/safety/tool-files.ts";
import type { ChangedFile, Checkpoints } from "../../ports/checkpoint-ports.ts";

/** Files that the user's own tools run, as far as a conversation changed them: what a run outside of the fence would obey. */
export interface ToolFiles {
  /** Those that changed since the conversation began, or since the user last saw them there and let a command run outside. */
  changed(): ChangedFile[];
  /** The user saw these and let a command run outside. */
  accept(files: readonly ChangedFile[]): void;
}

/** @param accepted by path, what the user saw: outlives the runs of the conversation */
export function toolFiles(
  checkpoints: Checkpoints,
  {
    conversationId,
    workingFolder,
    accepted,
  }: { conversationId: string; workingFolder: string; accepted: Map<string, string> },
): ToolFiles {
  return {
    changed: () =>
      checkpoints
        .changedFiles(conversationId, workingFolder, isRunByTools)
        .filter(({ path, now }) => accepted.get(keyOf(workingFolder, path)) !== now),
    accept(files) {
      for (const { path, now } of files) accepted.set(keyOf(workingFolder, path), now);
    },
  };
}

const keyOf = (folder: string, path: string) => `${folder}\0${path}`;
