import { resolve } from "node:path";
import type { ConversationChanges } from "../../../shared/conversation/checkpoints.ts";
import type { Conversation } from "../../agent/conversation/conversation.ts";
import type { Rewinding } from "../../agent/ports/checkpoint-ports.ts";
import type { IpcHandlers } from "./ipc.ts";

export interface CheckpointRoutesOptions {
  /** null where nothing is kept. */
  rewinding: Pick<Rewinding, "list" | "changes"> | null;
  /** The open one, or the one in the store. @throws Error when there is none of that id */
  find(conversationId: string): Pick<Conversation, "workingFolder" | "previewRewind" | "rewind" | "redo">;
  openFile(path: string): Promise<void>;
}

/** The calls about checkpoints: what a rewind would do, the rewind, and the way forward again. */
export function checkpointRoutes({ rewinding, find, openFile }: CheckpointRoutesOptions) {
  const changes = async (conversationId: string): Promise<ConversationChanges> =>
    (await rewinding?.changes(conversationId, find(conversationId).workingFolder)) ?? noChanges;
  return {
    "checkpoint.list": ({ conversationId, limit }) => rewinding?.list(conversationId, limit) ?? [],
    "checkpoint.preview": ({ conversationId, target, part }) =>
      find(conversationId).previewRewind(target, part),
    "checkpoint.rewind": ({ conversationId, target, part, overwrite }) =>
      find(conversationId).rewind(target, { part, overwrite }),
    "checkpoint.changes": ({ conversationId }) => changes(conversationId),
    "checkpoint.openFile": async ({ conversationId, path }) => {
      // A window names no other file of this computer.
      const { files } = await changes(conversationId);
      if (!files.some((file) => file.path === path)) throw new Error(`${path} was not changed here.`);
      await openFile(resolve(find(conversationId).workingFolder, path));
    },
    "checkpoint.redo": ({ conversationId }) => find(conversationId).redo(),
  } satisfies Partial<IpcHandlers>;
}

const noChanges: ConversationChanges = { files: [], checkpointId: null };
