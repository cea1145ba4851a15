import type { QueuedInput } from "../../../../shared/conversation/events.ts";
import type { FoundItem } from "../../../../shared/conversation/find-text.ts";
import type { Message } from "../../../../shared/conversation/messages.ts";
import type { Branches } from "../../../../shared/conversation/sessions.ts";
import type { AgentView } from "../../../../shared/conversation/subagents.ts";
import type { Task } from "../../../../shared/conversation/tasks.ts";
import { itemOf } from "../../../../shared/conversation/transcript-items.ts";
import type { EarlierItems } from "../../../../shared/ipc/conversation-routes.ts";
import type { Settings } from "../../../../shared/settings.ts";
import type { Context } from "../../context/context.ts";
import type { SessionStore } from "../../ports/session-store.ts";
import { keptAgents } from "../sessions/kept-agents.ts";
import {
  cutShortNotice,
  endOfUnfinishedTurn,
  readContext,
  unfinishedNotice,
} from "../sessions/open-session.ts";
import { findEarlier } from "./find-earlier.ts";
import { inputOf, messageAt, promptAt, promptOfTurn } from "./path-moves.ts";
import { PathPages } from "./path-pages.ts";

/** The end of the path as a window shows it, and what `retry` means there. */
export interface ShownEnd extends EarlierItems {
  /** The path ends in the middle of this prompt's turn. */
  unfinished: QueuedInput | null;
  hasReplies: boolean;
}

/** The path of one conversation that counts, through the tree that the store keeps. All methods throw StoreError. */
export class ConversationPath {
  readonly #store: SessionStore;
  readonly #conversationId: string;
  readonly #newId: () => string;
  readonly #pages: PathPages;
  #finding: AbortController | null = null;
  /** What runs need of the path; null: to be read before the next one. */
  #context: Context | null = null;
  /** null: to be read. */
  #tasks: readonly Task[] | null;
  /** The next message may stand beside others: the head was moved back some time. */
  #mayBranch: boolean;
  /** Versions beside a message that does not show: the next one that does names them. */
  #unseenBranches: Branches | undefined;

  /** @param isNew nothing of it is kept yet */
  constructor(store: SessionStore, conversationId: string, newId: () => string, isNew: boolean) {
    this.#store = store;
    this.#conversationId = conversationId;
    this.#newId = newId;
    this.#pages = new PathPages(store, conversationId);
    this.#mayBranch = !isNew;
    this.#tasks = isNew ? [] : null;
  }

  /** The list of tasks of this path. A call of the tool keeps what is set here. */
  get tasks(): readonly Task[] {
    this.#tasks ??= this.#store.loadTasks(this.#conversationId);
    return this.#tasks;
  }

  set tasks(tasks: readonly Task[]) {
    this.#tasks = tasks;
  }

  /** The sub-agents of the whole tree, where none is running. */
  agents(): AgentView[] {
    return keptAgents(this.#store, this.#conversationId);
  }

  /** Read when a run first needs it, to which nothing may be appended meanwhile; grows with `append`. */
  async context(settings: Settings): Promise<Context> {
    this.#context ??= await readContext(this.#store, this.#conversationId, settings);
    return this.#context;
  }

  /** The same, to look at: while none is kept for runs, one is read and let go. */
  async peekContext(settings: Settings): Promise<Context> {
    return this.#context ?? (await readContext(this.#store, this.#conversationId, settings));
  }

  /** A message that the store has put behind the last one. @returns what else stands at its place */
  append(message: Message): Branches | undefined {
    this.#context?.append(message);
    if (!this.#mayBranch) return undefined;
    const { branches } = this.#store.loadPage(this.#conversationId, { limit: 1 });
    const own = branches.get(message.id) ?? this.#unseenBranches;
    this.#unseenBranches = itemOf(message, own) ? undefined : own;
    // Behind the first reply nothing stood before.
    if (message.role === "assistant") this.#mayBranch = false;
    return own;
  }

  /** Nothing is deleted: what is left behind stays in the tree. @param messageId null: before the first message */
  moveHead(messageId: string | null): void {
    this.#store.moveHead(this.#conversationId, messageId);
    this.#context = null;
    this.#tasks = null;
    this.#mayBranch = true;
    this.#unseenBranches = undefined;
  }

  /**
   * The newest page.
   * @param isCutShort its last message is a reply that a crash cut off
   * @param isRunNext it goes on at once: nothing is to be offered
   */
  shownEnd({ isCutShort, isRunNext }: { isCutShort: boolean; isRunNext: boolean }): ShownEnd {
    const { items, hasEarlier, messages } = this.#pages.newest();
    const last = messages.at(-1);
    const end = isRunNext ? null : endOfUnfinishedTurn(messages);
    // An imported path may have none.
    const prompt = end && promptOfTurn(this.#store, this.#conversationId, end.id);
    if (end && prompt) items.push(unfinishedNotice(end));
    else if (isCutShort && last) items.push(cutShortNotice(last));
    const hasReplies = hasEarlier || messages.some(({ role }) => role === "assistant");
    return { items, hasEarlier, hasReplies, unfinished: prompt && inputOf(prompt, this.#newId()) };
  }

  /** Items before the first one of a page. @throws Error where no page begins with it */
  earlier(before: string): EarlierItems {
    return this.#pages.earlier(before);
  }

  /** Items with a text before the one of this key, oldest first. A new question ends the last one. @throws as `earlier` */
  find({ text, before }: { text: string; before: string }): Promise<FoundItem[]> {
    this.#finding?.abort();
    this.#finding = new AbortController();
    return findEarlier((key) => this.earlier(key), { text, before, signal: this.#finding.signal });
  }

  /** @throws Error when there is no such message, or it is no prompt of the user's */
  promptAt(messageId: string): { message: Message; parentId: string | null } {
    return promptAt(this.#store, this.#conversationId, messageId);
  }

  /** The prompt of the turn that a message is part of. @throws Error when there is none */
  promptOf(messageId: string): Message {
    const prompt = promptOfTurn(this.#store, this.#conversationId, messageId);
    if (!prompt) throw new Error("There is no prompt that this reply answers.");
    return prompt;
  }

  /** null: nothing stands before it. @throws Error when there is no such message */
  parentOf(messageId: string): string | null {
    return messageAt(this.#store, this.#conversationId, messageId).parentId;
  }

  /** How many prompts the path has from this message on. */
  promptsFrom(messageId: string): number {
    return this.#store.promptsFrom(this.#conversationId, messageId);
  }

  /** @throws StoreError where there is no such message */
  newestLeaf(messageId: string): string {
    return this.#store.newestLeaf(this.#conversationId, messageId);
  }
}
