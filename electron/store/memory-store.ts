import type { AgentEvent } from "../../shared/events.ts";
import type { Message } from "../../shared/messages.ts";
import {
  type ConversationStore,
  type StoredConversation,
  type StoredToolCall,
  StoreError,
} from "../agent/ports.ts";

interface Kept {
  conversation: StoredConversation;
  messages: Message[];
  calls: Map<string, StoredToolCall>;
}

/** Conversations for as long as Parley runs: where memory is switched off, and where the database cannot be opened. */
export class MemoryStore implements ConversationStore {
  readonly #kept = new Map<string, Kept>();
  readonly #messageIds = new Set<string>();
  readonly #lastEvents = new Map<string, number>();

  saveConversation(conversation: StoredConversation): void {
    const known = this.#kept.get(conversation.id);
    if (known) known.conversation = { ...conversation, createdAt: known.conversation.createdAt };
    else
      this.#kept.set(conversation.id, { conversation: { ...conversation }, messages: [], calls: new Map() });
  }

  listConversations(limit: number): StoredConversation[] {
    return [...this.#kept.values()]
      .map(({ conversation }) => ({ ...conversation }))
      .sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1))
      .slice(0, limit);
  }

  loadConversation(conversationId: string): StoredConversation | undefined {
    return structuredClone(this.#kept.get(conversationId)?.conversation);
  }

  appendMessage(conversationId: string, message: Message): void {
    const { conversation, messages } = this.#open(conversationId);
    if (this.#messageIds.has(message.id)) throw invalid(`Message ${message.id} is kept already.`);
    this.#messageIds.add(message.id);
    messages.push(structuredClone(message));
    conversation.updatedAt = message.createdAt;
  }

  loadMessages(conversationId: string): Message[] {
    return structuredClone(this.#kept.get(conversationId)?.messages ?? []);
  }

  saveToolCall(conversationId: string, call: StoredToolCall): void {
    const { calls } = this.#open(conversationId);
    if (!this.#messageIds.has(call.messageId)) throw invalid(`There is no message ${call.messageId}.`);
    calls.set(call.toolUseId, structuredClone(call));
  }

  loadToolCall(conversationId: string, toolUseId: string): StoredToolCall | undefined {
    return structuredClone(this.#kept.get(conversationId)?.calls.get(toolUseId));
  }

  /** The log ends with the process: of it only its end is known here. */
  appendEvent({ conversationId, id }: AgentEvent): void {
    this.#lastEvents.set(conversationId, id);
  }

  lastEventId(conversationId: string): number {
    return this.#lastEvents.get(conversationId) ?? 0;
  }

  close(): void {
    this.#kept.clear();
    this.#messageIds.clear();
    this.#lastEvents.clear();
  }

  #open(conversationId: string): Kept {
    const kept = this.#kept.get(conversationId);
    if (!kept) throw invalid(`There is no conversation ${conversationId}.`);
    return kept;
  }
}

function invalid(message: string): StoreError {
  return new StoreError("invalid", message, "This is a fault of Parley's own: start it again.");
}
