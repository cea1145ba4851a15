import type { IpcInput } from "../../../../shared/ipc/ipc.ts";
import type { AgentOptions } from "../../ports/agent-options.ts";
import type { SessionChanges, SessionRecord } from "../../ports/session-store.ts";
import { untitled } from "./title.ts";

/** What the user changes about a conversation: what is not given stays. */
export type SessionEdit = Omit<IpcInput<"conversation.change">, "conversationId">;

/** @param now milliseconds since the epoch */
export function changesOf(
  { title, isPinned, isArchived, group, draft, draftAttached }: SessionEdit,
  now: number,
): SessionChanges {
  return {
    ...(title !== undefined && { title, hasOwnTitle: true }),
    ...(isPinned !== undefined && { isPinned }),
    ...(isArchived !== undefined && { archivedAt: isArchived ? now : null }),
    ...(group !== undefined && { group }),
    ...(draft !== undefined && { draft }),
    ...(draftAttached !== undefined && { draftAttached }),
  };
}

/** A conversation that nobody has used yet. */
export function newSession(id: string, { clock, settings, workingFolder }: AgentOptions): SessionRecord {
  const now = clock.now();
  return {
    id,
    title: untitled,
    hasOwnTitle: false,
    workingFolder: workingFolder(),
    model: settings().model,
    createdAt: now,
    updatedAt: now,
    isPinned: false,
    group: null,
    draft: "",
    draftAttached: [],
    archivedAt: null,
    deletedAt: null,
    headMessageId: null,
    heldInputs: 0,
    permissionMode: null,
    chosenModel: null,
    chosenEffort: null,
    forkedFrom: null,
    kind: null,
  };
}
