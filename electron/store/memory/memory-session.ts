import type { QueuedInput } from "../../../shared/conversation/events.ts";
import type { Message } from "../../../shared/conversation/messages.ts";
import type { StoredConversation, StoredToolCall } from "../../agent/ports/ports.ts";
import type { SessionRecord } from "../../agent/ports/session-store.ts";
import { unknownMessage } from "../database/unknown.ts";
import { isStep } from "../messages/is-step.ts";

export interface MemoryNode {
  message: Message;
  parent: MemoryNode | null;
  /** Distance from the first message. */
  position: number;
}

/** One conversation of a MemoryStore. */
export class MemorySession {
  /** All but the head and the number of inputs, which are looked up. */
  readonly record: SessionRecord;
  readonly nodes = new Map<string, MemoryNode>();
  readonly calls = new Map<string, StoredToolCall>();
  readonly inputs = new Map<string, QueuedInput>();
  head: MemoryNode | null = null;
  partial: Message | undefined;

  constructor({ parentId, ...conversation }: StoredConversation) {
    this.record = {
      ...conversation,
      ...(parentId !== undefined && { parentId }),
      isPinned: false,
      group: null,
      draft: "",
      draftAttached: [],
      archivedAt: null,
      deletedAt: null,
      headMessageId: null,
      hasOwnTitle: false,
      heldInputs: 0,
      permissionMode: null,
    };
  }

  load(): SessionRecord {
    return { ...this.record, headMessageId: this.head?.message.id ?? null, heldInputs: this.#heldInputs };
  }

  get #heldInputs(): number {
    return [...this.inputs.values()].filter(({ isNote }) => !isNote).length;
  }

  conversation(): StoredConversation {
    const { id, parentId, title, workingFolder, model, createdAt, updatedAt } = this.record;
    const conversation = { id, title, workingFolder, model, createdAt, updatedAt };
    return parentId === undefined ? conversation : { ...conversation, parentId };
  }

  append(message: Message): void {
    this.head = { message, parent: this.head, position: this.head ? this.head.position + 1 : 0 };
    this.nodes.set(message.id, this.head);
    if (!isStep(message)) this.record.updatedAt = message.createdAt;
  }

  /** @throws StoreError where there is none */
  node(messageId: string): MemoryNode {
    const node = this.nodes.get(messageId);
    if (!node) throw unknownMessage(this.record.id, messageId);
    return node;
  }

  /** Parents before their children. */
  inOrder(): MemoryNode[] {
    return [...this.nodes.values()].sort(
      (a, b) => a.position - b.position || (a.message.id < b.message.id ? -1 : 1),
    );
  }

  /** Oldest first. */
  byTime(): MemoryNode[] {
    return [...this.nodes.values()].sort(
      (a, b) =>
        a.message.createdAt - b.message.createdAt ||
        a.position - b.position ||
        (a.message.id < b.message.id ? -1 : 1),
    );
  }

  /** Oldest first; empty where `end` is null. */
  pathTo(end: MemoryNode | null): MemoryNode[] {
    const path: MemoryNode[] = [];
    for (let node = end; node; node = node.parent) path.push(node);
    return path.reverse();
  }
}
