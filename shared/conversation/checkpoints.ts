import { z } from "zod";

/** Checkpoints and rewind, as windows and commands show them. Paths are relative to the working folder where inside it. */

export const checkpointSummary = z.object({
  checkpointId: z.string(),
  conversationId: z.string(),
  /** The prompt whose turn it belongs to; null for one made by hand before any prompt. */
  messageId: z.string().nullable(),
  /** `turn`: made by itself before the first change of a turn. `rewind`: made by a rewind, so that `redo` can undo it. */
  kind: z.enum(["turn", "manual", "rewind"]),
  label: z.string(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  /** Paths that it holds an earlier state of. */
  files: z.number().int(),
});
export type CheckpointSummary = z.infer<typeof checkpointSummary>;

/** What cannot be brought back, and why, in words. */
export const notRestorable = z.object({ path: z.string(), why: z.string() });
export type NotRestorable = z.infer<typeof notRestorable>;

export const rewindPart = z.enum(["files", "conversation", "both"]);
export type RewindPart = z.infer<typeof rewindPart>;

/** Where a rewind goes: to a checkpoint, with all files or, by its path as shown, with one alone; or to before a prompt. */
export const rewindTarget = z.union([
  z.object({ checkpointId: z.string(), path: z.string().min(1).max(4096).optional() }),
  z.object({ messageId: z.string() }),
]);
export type RewindTarget = z.infer<typeof rewindTarget>;

/** What a rewind would do. */
export const rewindPreview = z.object({
  checkpoint: checkpointSummary,
  part: rewindPart,
  files: z.array(
    z.object({
      path: z.string(),
      /** `same`: it is already as it was. */
      action: z.enum(["restore", "remove", "same"]),
      /** Changed since Parley touched it last, by something else: overwritten only when the user says so. */
      isConflict: z.boolean(),
      /** A unified diff from now to then; null for what is not text or too large to compare. */
      diff: z.string().nullable(),
      isTooLarge: z.boolean().optional(),
    }),
  ),
  notRestorable: z.array(notRestorable),
  /** Prompts that leave the shown path, with what answers them (all stay in the tree). */
  prompts: z.number().int(),
});
export type RewindPreview = z.infer<typeof rewindPreview>;

/** What a rewind would do. `checkpoint` is null where no file was changed since: only the conversation can go back. */
export type RewindPlan = Omit<RewindPreview, "checkpoint"> & { checkpoint: CheckpointSummary | null };

/** What a rewind did, path by path. */
export const rewindOutcome = z.object({
  /** The checkpoint that `redo` goes back to; null where nothing of files changed. */
  redoCheckpointId: z.string().nullable(),
  files: z.array(
    z.object({
      path: z.string(),
      result: z.enum(["restored", "removed", "skipped", "failed"]),
      why: z.string().optional(),
    }),
  ),
  prompts: z.number().int(),
});
export type RewindOutcome = z.infer<typeof rewindOutcome>;

/** One file of `/checkpoint show`: from before the checkpoint's turn to now. */
export const checkpointDiff = z.object({
  path: z.string(),
  change: z.enum(["created", "changed", "removed", "none"]),
  diff: z.string().nullable(),
  /** To be compared. */
  isTooLarge: z.boolean().optional(),
});
export type CheckpointDiff = z.infer<typeof checkpointDiff>;

/** What a conversation changed in files, from before its first change to now. */
export const conversationChanges = z.object({
  files: z.array(checkpointDiff),
  /** The first one: a rewind to it takes all of that back. null: there is none any more. */
  checkpointId: z.string().nullable(),
});
export type ConversationChanges = z.infer<typeof conversationChanges>;
