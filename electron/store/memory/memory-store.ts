import type { AgentEvent, QueuedInput } from "../../../shared/conversation/events.ts";
import { isOverheard, type Message } from "../../../shared/conversation/messages.ts";
import type { SearchHit } from "../../../shared/conversation/sessions.ts";
import { TimeSlices } from "../../../shared/time-slices.ts";
import {
  type AppendedAlong,
  type StoredConversation,
  type StoredToolCall,
  type StoredUsage,
  StoreError,
} from "../../agent/ports/ports.ts";
import type {
  MessagePage,
  SearchQuery,
  SessionChanges,
  SessionRecord,
  SessionStore,
} from "../../agent/ports/session-store.ts";
import { unknownSession } from "../database/unknown.ts";
import { contextOf, isPrompt } from "../messages/context-path.ts";
import { bestMatches } from "../sessions/session-reference.ts";
import { branchesOf, firstWords, newestLeafBelow } from "../sessions/tree-shape.ts";
import { searchMemory } from "./memory-search.ts";
import { type MemoryNode, MemorySession } from "./memory-session.ts";

/** Conversations for as long as Parley runs: where memory is switched off, and where the database cannot be opened. */
export class MemoryStore implements SessionStore {
  readonly #sessions = new Map<string, MemorySession>();
  readonly #messageIds = new Set<string>();
  readonly #lastEvents = new Map<string, number>();
  readonly #lifted = new Map<string, number>();

  saveConversation(conversation: StoredConversation): void {
    const { id, parentId } = conversation;
    const known = this.#sessions.get(id);
    if (known) {
      const { title, workingFolder, model, updatedAt } = conversation;
      Object.assign(known.record, { title, workingFolder, model, updatedAt });
      return;
    }
    if (parentId !== undefined) this.#open(parentId);
    this.#sessions.set(id, new MemorySession(conversation));
  }

  listConversations(limit: number): StoredConversation[] {
    return this.#listed()
      .sort((a, b) => b.record.updatedAt - a.record.updatedAt || (a.record.id < b.record.id ? 1 : -1))
      .slice(0, limit)
      .map((session) => session.conversation());
  }

  loadConversation(conversationId: string): StoredConversation | undefined {
    return this.#sessions.get(conversationId)?.conversation();
  }

  loadSession(conversationId: string): SessionRecord | undefined {
    return this.#sessions.get(conversationId)?.load();
  }

  listSessions({
    limit,
    after,
    isArchived = false,
  }: Parameters<SessionStore["listSessions"]>[0]): SessionRecord[] {
    const cursor = after && {
      isPinned: after.isPinned,
      updatedAt: after.updatedAt,
      id: after.conversationId,
    };
    return this.#listed()
      .map((session) => session.load())
      .filter((record) => (record.archivedAt !== null) === isArchived)
      .filter((record) => !cursor || inListOrder(cursor, record) < 0)
      .sort(inListOrder)
      .slice(0, limit);
  }

  findSessions(reference: string, limit: number): SessionRecord[] {
    const records = this.#listed().map((session) => session.load());
    return bestMatches(records.sort(inListOrder), reference).slice(0, limit);
  }

  changeSession(conversationId: string, changes: SessionChanges): void {
    const set = Object.entries(changes).filter(([, value]) => value !== undefined);
    Object.assign(this.#open(conversationId).record, Object.fromEntries(set));
  }

  deleteSession(conversationId: string): void {
    const session = this.#sessions.get(conversationId);
    if (!session) return;
    for (const child of this.#childrenOf(conversationId)) this.deleteSession(child.record.id);
    for (const id of session.nodes.keys()) this.#messageIds.delete(id);
    this.#lastEvents.delete(conversationId);
    this.#sessions.delete(conversationId);
  }

  copySession(
    conversationId: string,
    messageId: string | null,
    into: StoredConversation,
    newId: () => string,
  ): void {
    const from = this.#open(conversationId);
    const path = from.pathTo(messageId === null ? from.head : from.node(messageId));
    const ids = new Map(path.map(({ message }) => [message.id, newId()]));
    const copied = (id: string) => ids.get(id) ?? id;
    this.saveConversation(into);
    for (const { message } of path) {
      const { id, covers } = message;
      this.appendMessage(into.id, { ...message, id: copied(id), ...(covers && { covers: copied(covers) }) });
    }
    for (const call of from.calls.values()) {
      const messageId = ids.get(call.messageId);
      if (messageId !== undefined) this.saveToolCall(into.id, { ...call, messageId });
    }
    this.#open(into.id).record.updatedAt = into.updatedAt;
  }

  appendMessage(
    conversationId: string,
    message: Message,
    { inputId, calls: toolCalls = [] }: AppendedAlong = {},
  ): void {
    const session = this.#open(conversationId);
    if (this.#messageIds.has(message.id)) throw invalid(`Message ${message.id} is kept already.`);
    const orphan = toolCalls.find(({ messageId }) => !this.#messageIds.has(messageId));
    if (orphan) throw invalid(`There is no message ${orphan.messageId}.`);
    for (const call of toolCalls) session.calls.set(call.toolUseId, structuredClone(call));
    this.#messageIds.add(message.id);
    session.append(structuredClone(message));
    if (inputId !== undefined) this.deleteInput(inputId);
    if (message.role === "assistant" && session.partial?.id === message.id) session.partial = undefined;
  }

  loadMessages(conversationId: string): Message[] {
    return structuredClone(this.#path(conversationId).map(({ message }) => message));
  }

  loadPage(
    conversationId: string,
    { limit, before }: { limit: number; before?: string | undefined },
  ): MessagePage {
    const session = this.#sessions.get(conversationId);
    const end = before === undefined ? session?.head : session?.nodes.get(before)?.parent;
    if (!session || !end) return { messages: [], branches: new Map(), hasEarlier: false };
    const path = session.pathTo(end);
    const shown = path.slice(Math.max(0, path.length - limit));
    const places = new Set(shown.map(({ parent }) => parent));
    const versions = session.byTime().filter(({ parent }) => places.has(parent));
    return {
      messages: structuredClone(shown.map(({ message }) => message)),
      branches: branchesOf(
        shown.map(({ message }) => message.id),
        versions.map(toNode),
      ),
      hasEarlier: shown.length < path.length,
    };
  }

  async loadContext(conversationId: string): Promise<Message[]> {
    const slices = new TimeSlices();
    const path = this.#path(conversationId).map(({ message }) => message);
    const copies: Message[] = [];
    for (const message of contextOf(path, path.find(isPrompt))) {
      copies.push(structuredClone(message));
      await slices.pause();
    }
    return copies;
  }

  pathFrom(conversationId: string, messageId: string): string[] {
    const path = this.#path(conversationId).map(({ message }) => message.id);
    const from = path.indexOf(messageId);
    return from < 0 ? [] : path.slice(from).reverse();
  }

  loadMessage(conversationId: string, messageId: string) {
    const node = this.#sessions.get(conversationId)?.nodes.get(messageId);
    return node && { message: structuredClone(node.message), parentId: node.parent?.message.id ?? null };
  }

  moveHead(conversationId: string, messageId: string | null): void {
    const session = this.#open(conversationId);
    session.head = messageId === null ? null : session.node(messageId);
  }

  newestLeaf(conversationId: string, messageId: string): string {
    const session = this.#open(conversationId);
    session.node(messageId);
    return newestLeafBelow(messageId, session.inOrder().map(toNode));
  }

  loadTree(conversationId: string) {
    return (this.#sessions.get(conversationId)?.byTime() ?? []).map((node) => {
      const { id, role, origin, content, createdAt } = node.message;
      return {
        id,
        parentId: node.parent?.message.id ?? null,
        role,
        origin,
        text: firstWords(content),
        createdAt,
      };
    });
  }

  usageOf(conversationId: string): StoredUsage[] {
    const session = this.#sessions.get(conversationId);
    return session ? this.#usageIn(session).sort((a, b) => a.createdAt - b.createdAt) : [];
  }

  #usageIn(session: MemorySession): StoredUsage[] {
    return [
      ...session
        .inOrder()
        .flatMap(({ message: { usage, model, createdAt } }) =>
          usage && model !== undefined ? [{ usage: { ...usage }, model, createdAt }] : [],
        ),
      ...this.#childrenOf(session.record.id).flatMap((child) => this.#usageIn(child)),
    ];
  }

  toolCallIds(conversationId: string): string[] {
    return [...(this.#sessions.get(conversationId)?.calls.keys() ?? [])];
  }

  loadToolCall(conversationId: string, toolUseId: string): StoredToolCall | undefined {
    return structuredClone(this.#sessions.get(conversationId)?.calls.get(toolUseId));
  }

  saveToolCall(conversationId: string, call: StoredToolCall): void {
    const { calls } = this.#open(conversationId);
    if (!this.#messageIds.has(call.messageId)) throw invalid(`There is no message ${call.messageId}.`);
    calls.set(call.toolUseId, structuredClone(call));
  }

  saveInput(conversationId: string, input: QueuedInput): void {
    this.#open(conversationId).inputs.set(input.inputId, { ...input });
  }

  deleteInput(inputId: string): void {
    for (const { inputs } of this.#sessions.values()) inputs.delete(inputId);
  }

  loadInputs(conversationId: string): QueuedInput[] {
    return structuredClone([...(this.#sessions.get(conversationId)?.inputs.values() ?? [])]);
  }

  savePartial(conversationId: string, message: Message): void {
    this.#open(conversationId).partial = structuredClone(message);
  }

  loadPartial(conversationId: string): Message | undefined {
    return structuredClone(this.#sessions.get(conversationId)?.partial);
  }

  dropPartial(conversationId: string): void {
    const session = this.#sessions.get(conversationId);
    if (session) session.partial = undefined;
  }

  /** The log ends with the process: of it only its end is known here, and what the user vouched for. */
  appendEvent(event: AgentEvent): void {
    const { conversationId, id } = event;
    this.#lastEvents.set(conversationId, id);
    if (event.type === "overheard.lifted") this.#lifted.set(conversationId, event.messages);
  }

  overheardMessages(conversationId: string): number {
    const nodes = this.#sessions.get(conversationId)?.nodes.values() ?? [];
    return [...nodes].filter(({ message }) => isOverheard(message)).length;
  }

  isOverheard(conversationId: string): boolean {
    return this.overheardMessages(conversationId) > (this.#lifted.get(conversationId) ?? 0);
  }

  lastEventId(conversationId: string): number {
    return this.#lastEvents.get(conversationId) ?? 0;
  }

  async search(query: SearchQuery): Promise<SearchHit[]> {
    return searchMemory(this.#listed(), query);
  }

  /** All of it goes when Parley ends. */
  async prune() {
    return { sessions: 0, events: 0, checkpoints: 0 };
  }

  /** @throws StoreError always: there is no file */
  async backUp(): Promise<void> {
    throw new StoreError(
      "failed",
      "Nothing is written to disk at present, so there is nothing to back up.",
      "Switch `memoryEnabled` on, or see to the database's problem, and start Parley again.",
    );
  }

  close(): void {
    this.#sessions.clear();
    this.#messageIds.clear();
    this.#lastEvents.clear();
  }

  #path(conversationId: string): MemoryNode[] {
    const session = this.#sessions.get(conversationId);
    return session?.pathTo(session.head) ?? [];
  }

  #childrenOf(parentId: string): MemorySession[] {
    return [...this.#sessions.values()].filter(({ record }) => record.parentId === parentId);
  }

  /** The user's own, but for the deleted ones. */
  #listed(): MemorySession[] {
    return [...this.#sessions.values()].filter(
      ({ record }) => record.parentId === undefined && record.deletedAt === null,
    );
  }

  #open(conversationId: string): MemorySession {
    const session = this.#sessions.get(conversationId);
    if (!session) throw unknownSession("memory", conversationId);
    return session;
  }
}

const toNode = ({ message, parent }: MemoryNode) => ({
  id: message.id,
  parentId: parent?.message.id ?? null,
  createdAt: message.createdAt,
});

type ListPlace = Pick<SessionRecord, "isPinned" | "updatedAt" | "id">;

/** Pinned first, then last used first. */
const inListOrder = (a: ListPlace, b: ListPlace): number =>
  Number(b.isPinned) - Number(a.isPinned) ||
  b.updatedAt - a.updatedAt ||
  (a.id === b.id ? 0 : a.id < b.id ? 1 : -1);

function invalid(message: string): StoreError {
  return new StoreError("invalid", message, "This is a fault of Parley's own: start it again.");
}
