import type { AgentEvent } from "../../shared/events.ts";
import type { Message } from "../../shared/messages.ts";
import {
  type ConversationStore,
  type StoredConversation,
  type StoredToolCall,
  type StoredUsage,
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
    const { id, parentId } = conversation;
    const known = this.#kept.get(id);
    if (known) {
      const { createdAt, parentId } = known.conversation;
      known.conversation = withParent({ ...conversation, createdAt }, parentId);
      return;
    }
    if (parentId !== undefined) this.#open(parentId);
    this.#kept.set(id, { conversation: withParent(conversation, parentId), messages: [], calls: new Map() });
  }

  listConversations(limit: number): StoredConversation[] {
    return [...this.#kept.values()]
      .filter(({ conversation }) => conversation.parentId === undefined)
      .map(({ conversation }) => ({ ...conversation }))
      .sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1))
      .slice(0, limit);
  }

  loadConversation(conversationId: string): StoredConversation | undefined {
    return structuredClone(this.#kept.get(conversationId)?.conversation);
  }

  appendMessage(conversationId: string, message: Message, toolCalls: readonly StoredToolCall[] = []): void {
    const { conversation, messages, calls } = this.#open(conversationId);
    if (this.#messageIds.has(message.id)) throw invalid(`Message ${message.id} is kept already.`);
    const orphan = toolCalls.find(({ messageId }) => !this.#messageIds.has(messageId));
    if (orphan) throw invalid(`There is no message ${orphan.messageId}.`);
    for (const call of toolCalls) calls.set(call.toolUseId, structuredClone(call));
    this.#messageIds.add(message.id);
    messages.push(structuredClone(message));
    conversation.updatedAt = message.createdAt;
  }

  loadMessages(conversationId: string): Message[] {
    return structuredClone(this.#kept.get(conversationId)?.messages ?? []);
  }

  usageOfChildren(conversationId: string): StoredUsage[] {
    return this.#usageBelow(conversationId).sort((a, b) => a.createdAt - b.createdAt);
  }

  #usageBelow(parentId: string): StoredUsage[] {
    const children = [...this.#kept.values()].filter(
      ({ conversation }) => conversation.parentId === parentId,
    );
    return children.flatMap(({ conversation, messages }) => [
      ...messages.flatMap(({ usage, model, createdAt }) =>
        usage && model !== undefined ? [{ usage: { ...usage }, model, createdAt }] : [],
      ),
      ...this.#usageBelow(conversation.id),
    ]);
  }

  loadToolCall(conversationId: string, toolUseId: string): StoredToolCall | undefined {
    return structuredClone(this.#kept.get(conversationId)?.calls.get(toolUseId));
  }

  callDurations(conversationId: string): ReadonlyMap<string, number> {
    const calls = this.#kept.get(conversationId)?.calls ?? new Map<string, StoredToolCall>();
    return new Map([...calls.values()].map(({ toolUseId, durationMs }) => [toolUseId, durationMs]));
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

/** A copy; one of the user's own conversations has no parent at all. */
function withParent(
  { parentId: _, ...rest }: StoredConversation,
  parentId: string | undefined,
): StoredConversation {
  return parentId === undefined ? rest : { ...rest, parentId };
}

function invalid(message: string): StoreError {
  return new StoreError("invalid", message, "This is a fault of Parley's own: start it again.");
}
