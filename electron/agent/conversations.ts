import PQueue from "p-queue";
import type { ConversationSummary } from "../../shared/ipc.ts";
import type { AgentParts } from "./agent-parts.ts";
import { Conversation } from "./conversation.ts";
import { type Resumed, resume } from "./resume.ts";
import { warmUp } from "./warm-up.ts";

/** Runs that go on side by side, over all conversations; further ones wait for their turn. */
export const maxRunsAtOnce = 4;
/** Conversations of the store that the list names; older ones are still there. */
export const maxListed = 200;

/** The open conversations. Each has its own queue; the number of runs at once is limited over all. */
export class Conversations {
  readonly #parts: AgentParts;
  readonly #limiter = new PQueue({ concurrency: maxRunsAtOnce });
  readonly #open = new Map<string, Conversation>();
  readonly #listeners = new Set<() => void>();
  #current: Conversation | null = null;

  constructor(parts: AgentParts) {
    this.#parts = parts;
  }

  /** A new, empty conversation, which becomes the current one. */
  create(): Conversation {
    return this.#add(this.#parts.newId(), null);
  }

  /**
   * Opens one from the store, or the open one of that id; it becomes the current one.
   * @throws Error when there is none @throws StoreError
   */
  open(conversationId: string): Conversation {
    const known = this.#open.get(conversationId);
    if (known) {
      this.#current = known;
      return known;
    }
    const resumed = resume(this.#parts.store, conversationId);
    if (!resumed) throw new Error(`There is no conversation ${conversationId}.`);
    return this.#add(conversationId, resumed);
  }

  #add(id: string, resumed: Resumed | null): Conversation {
    const conversation = new Conversation(id, this.#parts, this.#limiter, resumed);
    this.#open.set(conversation.id, conversation);
    this.#current = conversation;
    let { title, state, updatedAt } = conversation;
    conversation.subscribe(() => {
      const same =
        conversation.title === title && conversation.state === state && conversation.updatedAt === updatedAt;
      if (same) return;
      ({ title, state, updatedAt } = conversation);
      this.#changed();
    });
    this.#changed();
    return conversation;
  }

  get(conversationId: string): Conversation | undefined {
    return this.#open.get(conversationId);
  }

  /** The one that a prompt without an address goes to: the newest, or the one last selected. Made if there is none. */
  current(): Conversation {
    return this.#current ?? this.create();
  }

  /** @returns false when there is no such conversation */
  select(conversationId: string): boolean {
    const conversation = this.#open.get(conversationId);
    if (!conversation) return false;
    this.#current = conversation;
    return true;
  }

  /** Makes the next prompt's run quicker; worth it when one is about to come. Never throws. */
  async warmUp(): Promise<void> {
    await warmUp(this.#parts);
  }

  /** The open ones and those in the store, last used first. */
  list(): ConversationSummary[] {
    const open = [...this.#open.values()].map(({ id, title, state, createdAt, updatedAt }) => ({
      conversationId: id,
      title,
      state,
      createdAt,
      updatedAt,
    }));
    const closed = this.#parts.store
      .listConversations(maxListed)
      .filter(({ id }) => !this.#open.has(id))
      .map(({ id, title, createdAt, updatedAt }) => ({
        conversationId: id,
        title,
        state: "idle" as const,
        createdAt,
        updatedAt,
      }));
    return [...open, ...closed].sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** Ends every run that goes on. @returns false when there was none */
  abortAll(): boolean {
    const running = [...this.#open.values()].filter(({ state }) => state !== "idle" && state !== "closed");
    for (const conversation of running) conversation.abort();
    return running.length > 0;
  }

  /** Called when the list, a title, a state or a time of last use changed. @returns a function that ends it */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends every run and closes every conversation. */
  async dispose(): Promise<void> {
    await Promise.all([...this.#open.values()].map((conversation) => conversation.dispose()));
    this.#open.clear();
    this.#current = null;
    this.#listeners.clear();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        this.#parts.reportError(error);
      }
    }
  }
}
