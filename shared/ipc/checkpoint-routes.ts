import { z } from "zod";
import {
  type CheckpointSummary,
  type ConversationChanges,
  type RewindOutcome,
  type RewindPlan,
  rewindPart,
  rewindTarget,
} from "../conversation/checkpoints.ts";
import { answers, conversationId } from "./route-parts.ts";

/** What a conversation changed in files, and taking it back. */
export const checkpointRoutes = {
  "checkpoint.list": {
    input: z.object({ conversationId, limit: z.number().int().min(1).max(500) }),
    ...answers<CheckpointSummary[]>(),
  },
  /** By checkpoint, or by the prompt to go back to. */
  "checkpoint.preview": {
    input: z.object({
      conversationId,
      target: rewindTarget,
      part: rewindPart,
    }),
    ...answers<RewindPlan>(),
  },
  "checkpoint.rewind": {
    input: z.object({
      conversationId,
      target: rewindTarget,
      part: rewindPart,
      /** Whether files that something else has changed since are overwritten, too. */
      overwrite: z.boolean(),
    }),
    ...answers<RewindOutcome>(),
  },
  /** The files that the conversation changed, with their lines. */
  "checkpoint.changes": { input: z.object({ conversationId }), ...answers<ConversationChanges>() },
  /** Opens one of them in the system's program for it, where that only shows it; else its folder. */
  "checkpoint.openFile": { input: z.object({ conversationId, path: z.string().min(1).max(4096) }) },
  "checkpoint.redo": { input: z.object({ conversationId }), ...answers<RewindOutcome>() },
} as const;
