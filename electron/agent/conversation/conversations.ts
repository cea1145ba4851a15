import PQueue from "p-queue";
import {
  type ListQuery,
  listQuery,
  type SessionSummary,
  type StartUp,
  shortId,
} from "../../../shared/conversation/sessions.ts";
import type { SessionPage } from "../../../shared/ipc/conversation-routes.ts";
import type { AgentOptions } from "../ports/agent-options.ts";
import { Conversation } from "./conversation.ts";
import { draftAttachedOf } from "./sessions/draft-attached.ts";
import { openSession } from "./sessions/open-session.ts";
import { changesOf, type SessionEdit } from "./sessions/session-edit.ts";
import { pageOf, summaryOf } from "./sessions/session-list.ts";
import { promptAtEnd } from "./tree/path-moves.ts";
import { warmUp } from "./warm-up.ts";

/** Runs that go on side by side, over all conversations; further ones wait for their turn. */
export const maxRunsAtOnce = 4;

/** Conversations whose folders are looked after although nothing runs in them: those that were used last. */
export const mostLookedAfter = 8;

/** So many are looked at for one that is not archived. */
const mostLookedAt = 50;
/** How long what was got ready is counted as ready, in milliseconds: servers close a connection after 5 s and more. */
const warmMs = 3000;

/** A row of the list that is new or changed, or that left it. */
export type SessionChange =
  | { type: "session"; summary: SessionSummary }
  | { type: "session-gone"; conversationId: string };

/** The open conversations. Each has its own queue; the number of runs at once is limited over all. */
export class Conversations {
  readonly #options: AgentOptions;
  readonly #limiter = new PQueue({ concurrency: maxRunsAtOnce });
  /** The one that was used last comes last. */
  readonly #open: Map<string, Conversation>;
  /** Handed out by `beside`: nobody else gets one of these, whether or not it has been used yet. */
  readonly #taken = new WeakSet<Conversation>();
  readonly #listeners = new Set<(change: SessionChange) => void>();
  #current: Conversation | null = null;
  #warmAt = Number.NEGATIVE_INFINITY;
  /** Deleted since Parley was started, the last one last. */
  #deleted: string[] = [];

  /** @param open filled with those that are open, by id: for parts that stand before them */
  constructor(options: AgentOptions, open = new Map<string, Conversation>()) {
    this.#options = options;
    this.#open = open;
  }

  /**
   * What is shown first, or once what was shown is gone. Where what was asked for is not there, a new conversation is.
   * @throws Error with words for the user, who sees a new conversation then
   */
  start(how: StartUp): Conversation {
    switch (how.kind) {
      case "new":
        return this.create();
      case "continue": {
        if (this.#current) return this.#current;
        const used = this.#options.store.listConversations(mostLookedAt).map(({ id }) => id);
        const last = used.find((id) => this.#options.store.loadSession(id)?.archivedAt === null);
        return last === undefined ? this.create() : this.open(last);
      }
      case "resume":
        return this.open(this.#find(how.reference));
      case "fork":
        return this.fork(this.#find(how.reference));
    }
  }

  /** A new, empty conversation, which becomes the current one. */
  create(): Conversation {
    return this.#add(new Conversation(this.#options.newId(), this.#options, this.#limiter));
  }

  /** One that nobody has used yet, nor chosen anything for, which becomes the current one: made if there is none. */
  unused(): Conversation {
    const ready = [this.#current, ...this.#open.values()].find((one) => one && this.#isFree(one));
    if (!ready) return this.create();
    this.#use(ready);
    return ready;
  }

  /**
   * One that nobody has used yet, beside the current one, which stays it: made if there is none. It is the caller's alone:
   * nobody else gets it, also as long as there is nothing in it.
   * @param before what the same caller got last: they get it again while it is open and unused
   */
  beside(before: Conversation | null = null): Conversation {
    const current = this.#current;
    const isAgain =
      before !== null && before !== current && this.#isUnused(before) && this.#open.has(before.id);
    const ready = [...this.#open.values()].find((one) => one !== current && this.#isFree(one));
    const made = isAgain ? before : (ready ?? this.create());
    this.#taken.add(made);
    if (current) this.#current = current;
    return made;
  }

  /** @param folder absolute @returns it without links, for a prompt that is to run there @throws EnvironmentError when it is not there */
  async findFolder(folder: string): Promise<string> {
    return (await this.#options.openEnvironment(folder)).workingDirectory;
  }

  /**
   * Opens one from the store, or the open one of that id; it becomes the current one.
   * @throws Error when there is none @throws StoreError
   */
  open(conversationId: string): Conversation {
    const known = this.#open.get(conversationId);
    if (known) {
      this.#use(known);
      return known;
    }
    const opened = openSession(this.#options.store, conversationId);
    if (!opened) throw new Error(`There is no conversation ${conversationId}.`);
    return this.#add(new Conversation(conversationId, this.#options, this.#limiter, opened));
  }

  /**
   * A copy of the path up to and with `messageId`, or of all of it, as a conversation of its own, which becomes the current one.
   * A prompt at its end, to which there is no reply there, is its draft.
   * @throws Error when there is nothing to copy @throws StoreError
   */
  fork(conversationId: string, messageId: string | null = null): Conversation {
    const { store, clock, newId } = this.#options;
    const from = store.loadSession(conversationId);
    if (!from) throw new Error("This conversation has nothing to fork yet.");
    const id = newId();
    const now = clock.now();
    const { model, workingFolder, chosenModel, chosenEffort } = from;
    const into = { id, title: `${from.title} (fork)`, model, workingFolder, createdAt: now, updatedAt: now };
    const end = messageId ?? from.headMessageId;
    const unanswered = end === null ? null : promptAtEnd(store, conversationId, end);
    const upTo = unanswered ? unanswered.parentId : messageId;
    if (unanswered && upTo === null) store.saveConversation(into);
    else store.copySession(conversationId, upTo, into, newId);
    store.changeSession(id, {
      ...{ hasOwnTitle: true, chosenModel, chosenEffort, forkedFrom: conversationId },
      ...(unanswered && {
        draft: unanswered.text,
        draftAttached: draftAttachedOf(unanswered.attachments, store),
      }),
    });
    return this.open(id);
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
    this.#use(conversation);
    return true;
  }

  /**
   * Makes the next prompt's run quicker; worth it when one is about to come, and again while it is: a server closes
   * a connection that waits for long. Never throws.
   */
  async warmUp(): Promise<void> {
    const now = this.#options.clock.now();
    if (now - this.#warmAt < warmMs) return;
    this.#warmAt = now;
    await warmUp(this.#options, this.#current?.workingFolder ?? this.#options.workingFolder());
  }

  /** Pinned first, then last used first; open ones that are not in the store yet are on the first page. @throws StoreError */
  list(query: Partial<ListQuery> = {}): SessionPage {
    return pageOf(this.#options.store, this.#open, listQuery.parse(query));
  }

  /** Title, pin, group, archive, draft: what is not given stays. @throws StoreError where there is no such conversation */
  change(conversationId: string, edit: SessionEdit): void {
    const open = this.#open.get(conversationId);
    if (open) open.change(edit);
    else this.#options.store.changeSession(conversationId, changesOf(edit, this.#options.clock.now()));
    const { draft: _, draftAttached: __, ...told } = edit;
    if (Object.keys(told).length > 0) this.#tellRow(conversationId);
  }

  /** Ends its run, closes it and takes it out of the list. It is gone for good at the next start. @throws StoreError */
  async delete(conversationId: string): Promise<void> {
    const open = this.#open.get(conversationId);
    // Its run takes a moment to end: a prompt without an address goes to another one by now.
    if (this.#current === open) this.#current = null;
    await open?.dispose();
    this.#open.delete(conversationId);
    if (this.#current === open) this.#current = null;
    if (!open || open.isKept) {
      this.#options.store.changeSession(conversationId, { deletedAt: this.#options.clock.now() });
      this.#deleted = [...this.#deleted.filter((id) => id !== conversationId), conversationId];
    }
    this.#tell({ type: "session-gone", conversationId });
  }

  /**
   * Brings a deleted one back into the list.
   * @param conversationId without it the one that was deleted last since Parley was started
   * @returns its id @throws Error when there is none @throws StoreError
   */
  restore(conversationId = this.#deleted.at(-1)): string {
    if (conversationId === undefined) throw new Error("Nothing has been deleted since Parley started.");
    this.#options.store.changeSession(conversationId, { deletedAt: null });
    this.#deleted = this.#deleted.filter((id) => id !== conversationId);
    this.#tellRow(conversationId);
    return conversationId;
  }

  /** Those that work, and of the others those that were used last: what is in their folders is needed at any moment. */
  get lookedAfter(): string[] {
    const open = [...this.#open.values()];
    const last = new Set(open.slice(-mostLookedAfter));
    return open.flatMap((one) => (last.has(one) || one.isBusy ? [one.id] : []));
  }

  /** Ends every run that goes on; what waits, behind them or for a place among them, is held. @returns false when there was none */
  abortAll(): boolean {
    const busy = [...this.#open.values()].filter((one) => one.isBusy && one.state !== "closed");
    for (const conversation of busy) conversation.stop();
    return busy.length > 0;
  }

  /** Called when a row of the list changed: title, state, time of last use and so on. @returns a function that ends it */
  onChange(listener: (change: SessionChange) => void): () => void {
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

  #isFree(one: Conversation): boolean {
    return !this.#taken.has(one) && this.#isUnused(one);
  }

  #isUnused(one: Conversation): boolean {
    return one.isUnused && one.workingFolder === this.#options.workingFolder();
  }

  #use(conversation: Conversation): void {
    const isLookedAfter = this.lookedAfter.includes(conversation.id);
    const isBack = this.#open.delete(conversation.id) && !isLookedAfter;
    this.#open.set(conversation.id, conversation);
    this.#current = conversation;
    this.#dropEmptyMeetings();
    if (isBack) this.#tellRow(conversation.id);
  }

  /** Once the user is elsewhere, nothing is left of them. */
  #dropEmptyMeetings(): void {
    for (const one of [...this.#open.values()].filter((one) => one !== this.#current && one.isEmptyMeeting)) {
      this.#open.delete(one.id);
      void one.dispose();
      this.#tell({ type: "session-gone", conversationId: one.id });
    }
  }

  #add(conversation: Conversation): Conversation {
    this.#use(conversation);
    let told = summaryOf(conversation);
    let toldTasks = conversation.tasks;
    conversation.subscribe(() => {
      const { title, state, needsApproval, updatedAt, heldInputs, tasks, hasFailed } = conversation;
      const isSame =
        title === told.title &&
        state === told.state &&
        needsApproval === (told.needsApproval ?? false) &&
        updatedAt === told.updatedAt &&
        heldInputs === told.heldInputs &&
        hasFailed === (told.hasFailed ?? false) &&
        tasks === toldTasks;
      if (isSame || state === "closed") return;
      told = summaryOf(conversation);
      toldTasks = tasks;
      this.#tell({ type: "session", summary: told });
    });
    this.#tell({ type: "session", summary: told });
    return conversation;
  }

  /** The only one that is meant. @throws Error with the candidates */
  #find(reference: string): string {
    const found = this.#options.store.findSessions(reference, 5);
    const [first, ...others] = found;
    if (!first) throw new Error(`There is no conversation “${reference}”.`);
    if (others.length === 0) return first.id;
    const titles = found.map(({ id, title }) => `“${title}” (${shortId(id)})`).join(", ");
    throw new Error(`“${reference}” can mean several conversations: ${titles}.`);
  }

  #tellRow(conversationId: string): void {
    const open = this.#open.get(conversationId);
    const stored = open ? undefined : this.#options.store.loadSession(conversationId);
    if (open) this.#tell({ type: "session", summary: summaryOf(open) });
    else if (stored)
      this.#tell({ type: "session", summary: summaryOf({ session: stored, state: "closed" }) });
  }

  #tell(change: SessionChange): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(change);
      } catch (error) {
        this.#options.reportError(error);
      }
    }
  }
}
