import type { Message } from "../../shared/messages.ts";
import { itemsOfHistory } from "../../shared/stored-transcript.ts";
import { type ConversationView, emptyView } from "../../shared/transcript.ts";
import type { ConversationStore, StoredConversation } from "./ports.ts";

/** A conversation as it was left. */
export interface Resumed {
  stored: StoredConversation;
  messages: Message[];
  view: ConversationView;
}

/**
 * Loads a conversation with what a window shows of it: its messages, and the calls as cards.
 * @returns null when there is none of that id @throws StoreError
 */
export function resume(store: ConversationStore, conversationId: string): Resumed | null {
  const stored = store.loadConversation(conversationId);
  if (!stored) return null;
  const messages = store.loadMessages(conversationId);
  return {
    stored,
    messages,
    view: {
      ...emptyView(conversationId, stored.title),
      lastEventId: store.lastEventId(conversationId),
      items: itemsOfHistory(messages, store.callDurations(conversationId)),
    },
  };
}
