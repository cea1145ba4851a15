import type { RewindOutcome } from "../../../shared/conversation/checkpoints.ts";
import type { IpcInput, RewindPlan } from "../../../shared/ipc.ts";
import type { Conversation } from "../../agent/conversation/conversation.ts";
import type { Rewinding } from "../../agent/ports/checkpoint-ports.ts";
import type { SessionStore } from "../../agent/ports/session-store.ts";
import type { IpcHandlers } from "./ipc.ts";

type CheckpointRoute = "checkpoint.list" | "checkpoint.preview" | "checkpoint.rewind" | "checkpoint.redo";

export interface CheckpointRouteParts {
  /** null where nothing is kept: then only the conversation goes back, and not forward again. */
  rewinding: Rewinding | null;
  store: Pick<SessionStore, "pathFrom">;
  /** The open one, or the one in the store. @throws Error when there is none of that id */
  find(conversationId: string): Conversation;
}

/** The calls about checkpoints: what a rewind would do, the rewind, and the way forward again. */
export function checkpointRoutes(parts: CheckpointRouteParts): Pick<IpcHandlers, CheckpointRoute> {
  const { rewinding, find } = parts;
  return {
    "checkpoint.list": ({ conversationId, limit }) => rewinding?.list(conversationId, limit) ?? [],
    "checkpoint.preview": (input) => preview(parts, input),
    "checkpoint.rewind": (input) => rewind(parts, input),
    "checkpoint.redo": ({ conversationId }) => redo(rewinding, find(conversationId)),
  };
}

async function preview(
  { rewinding, store }: CheckpointRouteParts,
  { conversationId, target, part }: IpcInput<"checkpoint.preview">,
): Promise<RewindPlan> {
  const checkpointId = checkpointOf(rewinding, conversationId, target);
  const plan =
    !rewinding || checkpointId === null
      ? { checkpoint: null, part, files: [], notRestorable: [], messages: 0 }
      : await rewinding.preview(checkpointId, part);
  if (part === "files" || !("messageId" in target)) return plan;
  // The prompt that was asked for may be earlier than the turn whose files come back.
  return { ...plan, messages: store.pathFrom(conversationId, target.messageId).length };
}

/** Files first: they are the part that can fail, and the redo notes where the conversation stands before it moves. */
async function rewind(
  { rewinding, find }: CheckpointRouteParts,
  { conversationId, target, part, overwrite }: IpcInput<"checkpoint.rewind">,
): Promise<RewindOutcome> {
  const conversation = idle(find(conversationId));
  const found = checkpointOf(rewinding, conversationId, target);
  const nothing = { redoCheckpointId: null, files: [], messages: 0 };
  if (!rewinding || (found === null && part === "files")) {
    return part === "files" || !("messageId" in target)
      ? nothing
      : { ...nothing, ...conversation.rewindTo(target.messageId) };
  }
  const checkpointId = found ?? (await markHere(rewinding, conversation));
  const { messages } = await rewinding.preview(checkpointId, "conversation");
  const files = await rewinding.rewindFiles(checkpointId, overwrite, found === null ? "conversation" : part);
  const move = () => {
    if (part === "files") return 0;
    if ("messageId" in target) return conversation.rewindTo(target.messageId).messages;
    conversation.moveHeadTo(rewinding.headOf(checkpointId), "rewind");
    return messages;
  };
  const outcome = { ...files, messages: move() };
  conversation.emit({ type: "checkpoint.rewound", checkpointId, outcome });
  return outcome;
}

async function redo(rewinding: Rewinding | null, conversation: Conversation): Promise<RewindOutcome> {
  if (!rewinding) throw new Error("There is no rewind to take back.");
  const { messageId, ...files } = await rewinding.redo(idle(conversation).id);
  if (messageId !== null) conversation.moveHeadTo(messageId);
  const outcome = { ...files, messages: 0 };
  const checkpointId = files.redoCheckpointId;
  if (checkpointId) conversation.emit({ type: "checkpoint.rewound", checkpointId, outcome, isRedo: true });
  return outcome;
}

/** Half a rewind, refused at its second part, would be worse than none. */
function idle(conversation: Conversation): Conversation {
  if (conversation.state !== "idle") throw new Error("A run is going on. Stop it first, then rewind.");
  return conversation;
}

/** null: no file was changed since that prompt. */
function checkpointOf(
  rewinding: Rewinding | null,
  conversationId: string,
  target: IpcInput<"checkpoint.preview">["target"],
): string | null {
  if ("checkpointId" in target) return target.checkpointId;
  return rewinding?.atMessage(conversationId, target.messageId)?.checkpointId ?? null;
}

/** No file was changed since: a checkpoint of its own, so that going back can be taken back, too. */
async function markHere(rewinding: Rewinding, { id, workingFolder }: Conversation): Promise<string> {
  return (await rewinding.create(id, { messageId: null, label: "Before a rewind", workingFolder }))
    .checkpointId;
}
