import { setImmediate as breathe } from "node:timers/promises";
import type { Message } from "../../../shared/conversation/messages.ts";
import type { StoredToolCall } from "../../agent/ports/ports.ts";
import type { SessionStore } from "../../agent/ports/session-store.ts";
import { unknownSession } from "../database/unknown.ts";
import type { SessionFile } from "./session-file.ts";

/** Messages between two pauses: some milliseconds. */
const atOnce = 50;

/** All that is kept of a conversation. @throws StoreError where there is none */
export async function exportSession(store: SessionStore, conversationId: string): Promise<SessionFile> {
  const session = store.loadSession(conversationId);
  if (!session) throw unknownSession("the store", conversationId);
  const { title, model, workingFolder, createdAt, updatedAt, headMessageId } = session;
  const { chosenModel, chosenEffort } = session;
  const messages: SessionFile["messages"] = [];
  const toolCalls: StoredToolCall[] = [];
  const parents = new Map(store.loadTree(conversationId).map(({ id, parentId }) => [id, parentId]));
  for (const [place, id] of parentsFirst(parents).entries()) {
    if (place % atOnce === atOnce - 1) await breathe();
    const found = store.loadMessage(conversationId, id);
    if (!found) continue;
    messages.push(found);
    for (const block of found.message.content) {
      const call = block.type === "tool_use" ? store.loadToolCall(conversationId, block.id) : undefined;
      if (call?.messageId === id) toolCalls.push(call);
    }
  }
  const meeting = store.meetingLines(conversationId, { limit: Number.MAX_SAFE_INTEGER });
  return {
    format: "parley-session",
    version: 1,
    title,
    model,
    ...(chosenModel !== null && { chosenModel }),
    ...(chosenEffort !== null && { chosenEffort }),
    workingFolder,
    createdAt,
    updatedAt,
    headMessageId,
    messages,
    ...(meeting.length > 0 && { meeting }),
    toolCalls,
  };
}

export interface ImportOptions {
  store: SessionStore;
  newId(): string;
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * Makes a conversation of a file, with new ids. It is out of sight until it is whole: what a crash leaves of it goes with
 * the deleted ones.
 * @returns its id @throws StoreError, and then nothing of it is left
 */
export async function importSession(
  { store, newId, now }: ImportOptions,
  file: SessionFile,
): Promise<string> {
  const id = newId();
  const { title, model, workingFolder, createdAt, updatedAt } = file;
  const { chosenModel = null, chosenEffort = null } = file;
  const session = { id, title, model, workingFolder, createdAt, updatedAt };
  store.saveConversation(session);
  try {
    store.changeSession(id, { deletedAt: now(), hasOwnTitle: true, chosenModel, chosenEffort });
    // First: the prompts say which of them they brought.
    for (const [place, line] of (file.meeting ?? []).entries()) {
      if (place % atOnce === atOnce - 1) await breathe();
      store.noteLine(id, line);
    }
    await importMessages(store, id, file, newId);
    store.saveConversation(session);
    store.changeSession(id, { deletedAt: null });
    return id;
  } catch (error) {
    store.deleteSession(id);
    throw error;
  }
}

async function importMessages(
  store: SessionStore,
  conversationId: string,
  { messages, toolCalls, headMessageId }: SessionFile,
  newId: () => string,
): Promise<void> {
  const ids = new Map<string, string>();
  const idOf = (old: string | null) => (old === null ? null : (ids.get(old) ?? null));
  let head: string | null = null;
  for (const [place, { message, parentId }] of messages.entries()) {
    if (place % atOnce === atOnce - 1) await breathe();
    const parent = idOf(parentId);
    if (parent !== head) store.moveHead(conversationId, parent);
    head = newId();
    ids.set(message.id, head);
    store.appendMessage(conversationId, withIds(message, head, idOf(message.covers ?? null)));
  }
  for (const call of toolCalls) {
    store.saveToolCall(conversationId, { ...call, messageId: ids.get(call.messageId) ?? call.messageId });
  }
  store.moveHead(conversationId, idOf(headMessageId));
}

const withIds = (message: Message, id: string, covers: string | null): Message => ({
  ...message,
  id,
  ...(covers !== null && { covers }),
});

/** Times may be equal or wrong: only the tree says what stands before what. */
function parentsFirst(parents: ReadonlyMap<string, string | null>): string[] {
  const ordered = new Set<string>();
  for (const id of parents.keys()) {
    const missing: string[] = [];
    for (let at: string | null = id; at !== null && !ordered.has(at); at = parents.get(at) ?? null)
      missing.push(at);
    for (const next of missing.reverse()) ordered.add(next);
  }
  return [...ordered];
}
