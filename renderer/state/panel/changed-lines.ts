import type { CheckpointDiff, ConversationChanges } from "../../../shared/conversation/checkpoints.ts";
import { readDiff } from "../conversation/diff-lines.ts";

/** A changed file, and how many lines came and went; 0 of both where its lines cannot be shown. */
export interface ChangedLines extends CheckpointDiff {
  added: number;
  removed: number;
}

export function changedLines({ files }: ConversationChanges): ChangedLines[] {
  return files.map((file) => ({ ...file, ...totalOf(file.diff === null ? [] : readDiff(file.diff)) }));
}

export function totalOf(files: readonly { added: number; removed: number }[]): {
  added: number;
  removed: number;
} {
  return {
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
  };
}
