import type { AgentEvent } from "../../shared/events.ts";
import type { Message } from "../../shared/messages.ts";
import type { ConversationStore, StoredConversation, StoredToolCall, StoredUsage } from "../agent/ports.ts";
import type { Database } from "./database.ts";
import { eventsOf } from "./events.ts";
import { messagesOf } from "./messages.ts";
import { openDatabase } from "./open-database.ts";
import { sessionsOf } from "./sessions.ts";
import { toolCallsOf } from "./tool-calls.ts";

/**
 * Opens the database of conversations, which is made if it is not there.
 * @param reportError gets what failed while nobody waited: log rows that could not be written
 * @throws StoreError when the file cannot be used; a MemoryStore can stand in for it then
 */
export function openSqliteStore(file: string, reportError: (error: unknown) => void): ConversationStore {
  return new SqliteStore(openDatabase(file), reportError);
}

/** Conversations in a SQLite file. What a write returned from survives the death of the process. */
class SqliteStore implements ConversationStore {
  readonly #database: Database;
  readonly #sessions;
  readonly #messages;
  readonly #toolCalls;
  readonly #events;

  constructor(database: Database, reportError: (error: unknown) => void) {
    this.#database = database;
    this.#sessions = sessionsOf(database);
    this.#messages = messagesOf(database);
    this.#toolCalls = toolCallsOf(database);
    this.#events = eventsOf(database, reportError);
  }

  saveConversation(conversation: StoredConversation): void {
    this.#sessions.save(conversation);
  }

  listConversations(limit: number): StoredConversation[] {
    return this.#sessions.list(limit);
  }

  loadConversation(conversationId: string): StoredConversation | undefined {
    return this.#sessions.load(conversationId);
  }

  appendMessage(conversationId: string, message: Message, calls: readonly StoredToolCall[] = []): void {
    this.#database.transaction(() => {
      for (const call of calls) this.#toolCalls.save(conversationId, call);
      this.#messages.append(conversationId, message);
    });
  }

  loadMessages(conversationId: string): Message[] {
    return this.#messages.load(conversationId);
  }

  usageOfChildren(conversationId: string): StoredUsage[] {
    return this.#sessions.usageOfChildren(conversationId);
  }

  loadToolCall(conversationId: string, toolUseId: string): StoredToolCall | undefined {
    return this.#toolCalls.load(conversationId, toolUseId);
  }

  callDurations(conversationId: string): ReadonlyMap<string, number> {
    return this.#toolCalls.durations(conversationId);
  }

  appendEvent(event: AgentEvent): void {
    this.#events.append(event);
  }

  lastEventId(conversationId: string): number {
    return this.#events.lastId(conversationId);
  }

  close(): void {
    try {
      this.#events.flush();
    } finally {
      this.#database.close();
    }
  }
}
