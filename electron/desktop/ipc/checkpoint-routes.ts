import type { Conversation } from "../../agent/conversation/conversation.ts";
import type { Rewinding } from "../../agent/ports/checkpoint-ports.ts";
import type { IpcHandlers } from "./ipc.ts";

export interface CheckpointRoutesOptions {
  /** null where nothing is kept. */
  rewinding: Pick<Rewinding, "list"> | null;
  /** The open one, or the one in the store. @throws Error when there is none of that id */
  find(conversationId: string): Pick<Conversation, "previewRewind" | "rewind" | "redo">;
}

/** The calls about checkpoints: what a rewind would do, the rewind, and the way forward again. */
export function checkpointRoutes({ rewinding, find }: CheckpointRoutesOptions) {
  return {
    "checkpoint.list": ({ conversationId, limit }) => rewinding?.list(conversationId, limit) ?? [],
    "checkpoint.preview": ({ conversationId, target, part }) =>
      find(conversationId).previewRewind(target, part),
    "checkpoint.rewind": ({ conversationId, target, part, overwrite }) =>
      find(conversationId).rewind(target, { part, overwrite }),
    "checkpoint.redo": ({ conversationId }) => find(conversationId).redo(),
  } satisfies Partial<IpcHandlers>;
}
