import type { AgentEvent, QueuedInput } from "../../../shared/conversation/events.ts";
import type { MeetingLine } from "../../../shared/conversation/meeting.ts";
import { isOverheard, type Message } from "../../../shared/conversation/messages.ts";
import { type ModelChoice, namedModel } from "../../../shared/conversation/model-choice.ts";
import type { AppendedAlong } from "../ports/ports.ts";
import type { SessionChanges, SessionRecord, SessionStore } from "../ports/session-store.ts";

/** They come by the hundred; the message, the utterance and the stored output stand for them. */
const passing: ReadonlySet<AgentEvent["type"]> = new Set([
  "text.delta",
  "thinking.delta",
  "voice.partial",
  "tool.output",
]);

type OfOneRun = Partial<Pick<SessionRecord, "permissionMode" | "workingFolder">>;

export interface ConversationRecordOptions {
  store: SessionStore;
  /** As it came from the store, or as a new one begins. */
  session: SessionRecord;
  /** Whether it came from the store. */
  isKept: boolean;
  /** As the settings name it now. */
  model(): string;
  reportError(error: unknown): void;
}

/**
 * One conversation in the store, and what is known of it beside its messages. It is kept from its first prompt, or its
 * first change by the user, on: one that was only looked at leaves nothing.
 */
export class ConversationRecord {
  readonly #store: SessionStore;
  readonly #model: () => string;
  readonly #reportError: (error: unknown) => void;
  #session: SessionRecord;
  /** Stands before what is kept, for as long as one run goes on. */
  #forOneRun: OfOneRun = {};
  #isKept: boolean;
  #isOverheard: boolean;
  /** What happened before it was kept. */
  #held: AgentEvent[] = [];

  constructor({ store, session, isKept, model, reportError }: ConversationRecordOptions) {
    this.#store = store;
    this.#session = session;
    this.#isKept = isKept;
    this.#isOverheard = isKept && store.isOverheard(session.id);
    this.#model = model;
    this.#reportError = reportError;
  }

  get session(): Readonly<SessionRecord> {
    return { ...this.#session, ...this.#forOneRun };
  }

  /** From now on this stands before what is kept, until the user chooses something else, or nothing is given. */
  countForOneRun(session: OfOneRun): void {
    this.#forOneRun = { ...session };
  }

  /** What the user chose for it; null each: that of the settings counts. */
  get modelChoice(): ModelChoice {
    const { chosenModel: model, chosenEffort: effort } = this.#session;
    return { model, effort };
  }

  get isKept(): boolean {
    return this.#isKept;
  }

  /** Words from the computer's sound are, or were, part of it, and the user has not lifted what follows from that. */
  get isOverheard(): boolean {
    return this.#isOverheard;
  }

  /** @returns how many messages were heard so far @throws StoreError */
  liftOverheard(): number {
    const messages = this.#store.overheardMessages(this.#session.id);
    this.#isOverheard = false;
    return messages;
  }

  /** Keeps it as it is now. @throws StoreError */
  save(): void {
    const { id, title, workingFolder, createdAt, updatedAt, chosenModel } = this.#session;
    const model = chosenModel === null ? this.#model() : namedModel(chosenModel).model;
    this.#store.saveConversation({ id, title, workingFolder, model, createdAt, updatedAt });
    if (!this.#isKept) {
      const { permissionMode, chosenEffort } = this.#session;
      const chosen = [permissionMode, chosenModel, chosenEffort].some((one) => one !== null);
      if (chosen) this.#store.changeSession(id, { permissionMode, chosenModel, chosenEffort });
    }
    this.#isKept = true;
    for (const event of this.#held.splice(0)) this.event(event);
  }

  /** All that is known of it, in a store that has lost it. @throws StoreError */
  keepAgain(): void {
    this.save();
    const { title, hasOwnTitle, isPinned, group, draft, draftAttached, archivedAt, deletedAt } =
      this.#session;
    const { permissionMode, chosenModel, chosenEffort, forkedFrom } = this.#session;
    this.#store.changeSession(this.#session.id, {
      ...{ title, hasOwnTitle, isPinned, group, draft, draftAttached, archivedAt, deletedAt },
      ...{ permissionMode, chosenModel, chosenEffort, forkedFrom },
    });
  }

  /** What is not given stays. @throws StoreError */
  change(changes: SessionChanges): void {
    if (!this.#isKept) this.save();
    this.#store.changeSession(this.#session.id, changes);
    this.#take(changes);
  }

  /** A folder, a title, a mode or a model alone is no reason to keep one that was never used. @throws StoreError */
  changeQuietly(
    changes: Pick<
      SessionChanges,
      "workingFolder" | "title" | "permissionMode" | "chosenModel" | "chosenEffort"
    >,
  ): void {
    if (this.#isKept) this.change(changes);
    else this.#take(changes);
  }

  /** Returns when it is durable. @throws StoreError */
  message(message: Message, along?: AppendedAlong): void {
    if (!this.#isKept) this.save();
    this.#store.appendMessage(this.#session.id, message, along);
    this.#session = { ...this.#session, updatedAt: message.createdAt };
    if (isOverheard(message)) this.#isOverheard = true;
  }

  /** Returns when it is durable. @throws StoreError */
  input(input: QueuedInput): void {
    if (!this.#isKept) this.save();
    this.#store.saveInput(this.#session.id, input);
  }

  /** A line of a meeting. Returns when it is durable. @throws StoreError */
  line(line: MeetingLine): void {
    if (!this.#isKept) this.save();
    this.#store.noteLine(this.#session.id, line);
    this.#session = { ...this.#session, updatedAt: Math.max(this.#session.updatedAt, line.endedAt) };
  }

  /** Never throws: the log informs, so a full disk must not end a run by it. */
  event(event: AgentEvent): void {
    if (passing.has(event.type)) return;
    if (!this.#isKept) {
      this.#held.push(event);
      return;
    }
    try {
      this.#store.appendEvent(event);
    } catch (error) {
      this.#reportError(error);
    }
  }

  /** What is chosen while a run goes on counts from then on, whatever was said for that run. */
  #take(changes: SessionChanges): void {
    this.#session = { ...this.#session, ...changes };
    if (changes.permissionMode !== undefined) delete this.#forOneRun.permissionMode;
    if (changes.workingFolder !== undefined) delete this.#forOneRun.workingFolder;
  }
}
