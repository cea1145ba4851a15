import type { QueuedInput } from "../../../shared/conversation/events.ts";
import type { PromptOrigin, SpeechSource } from "../../../shared/conversation/messages.ts";
import type { PromptInput } from "../context/prompt-content.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { ConversationRecord } from "./conversation-record.ts";

/** A message of the user's that is not in the history yet. */
export interface UserInput extends PromptInput {
  origin: PromptOrigin | "steering";
  source: SpeechSource | null;
  /** As that of a prompt. */
  settlesAt?: number | undefined;
}

/** A prompt that waits for its run. */
export interface Waiting {
  input: QueuedInput;
  /** A retry's prompt stands in the history already. */
  isInHistory: boolean;
  /** What else was said of it: each leaves the list when it is in the history, so that a retry finds the others. */
  more?: UserInput[];
  /** Milliseconds since the epoch: before then its speaker may go on, and nothing of its run is shown or done. */
  settlesAt?: number | undefined;
}

/**
 * The prompts of a conversation that have no run yet. Each is in the store before it waits, so that a crash or a quit
 * takes none; those that come back from there, or that a stop left, are held: they run when the user says so.
 */
export class Inbox {
  readonly #store: SessionStore;
  readonly #record: ConversationRecord;
  readonly #reportError: (error: unknown) => void;
  readonly #waiting = new Map<string, Waiting>();
  readonly #held = new Map<string, QueuedInput>();
  /** Parley's own words that an earlier process could not hand over any more. */
  readonly leftNotes: Pick<QueuedInput, "inputId" | "text">[] = [];

  /** @param left as an earlier process left them */
  constructor(
    store: SessionStore,
    record: ConversationRecord,
    left: readonly QueuedInput[],
    reportError: (error: unknown) => void,
  ) {
    this.#store = store;
    this.#record = record;
    this.#reportError = reportError;
    // Whoever would have sent it by itself is gone.
    for (const { sendsAt: _, ...input } of left) {
      if (input.isNote) this.leftNotes.push({ inputId: input.inputId, text: input.text });
      else this.#held.set(input.inputId, { ...input, isHeld: true });
    }
  }

  /** Those that will run by themselves. */
  get waiting(): number {
    return this.#waiting.size;
  }

  get held(): number {
    return this.#held.size;
  }

  /** As a window shows them: held ones came first. */
  list(): QueuedInput[] {
    return [...this.#held.values(), ...[...this.#waiting.values()].map(({ input }) => input)];
  }

  add(waiting: Waiting): void {
    if (!waiting.isInHistory) this.keep(waiting.input);
    this.#waiting.set(waiting.input.inputId, waiting);
  }

  /** A store that fails now fails the run, too, which tells the user: the prompt is not refused for it. */
  keep(input: QueuedInput): void {
    try {
      this.#record.input(input);
    } catch (error) {
      this.#reportError(error);
    }
  }

  /** Its run begins. undefined: it waits no more. */
  take(inputId: string): Waiting | undefined {
    const waiting = this.#waiting.get(inputId);
    this.#waiting.delete(inputId);
    return waiting;
  }

  /** Keeps a prompt that does not run by itself. @param sendsAt when whoever holds it will send it */
  hold(input: QueuedInput, sendsAt?: number): QueuedInput {
    const held = { ...input, isHeld: true, ...(sendsAt !== undefined && { sendsAt }) };
    this.keep(held);
    this.#held.set(held.inputId, held);
    return held;
  }

  /**
   * Those that would run by themselves do so no more.
   * @param begunId whose run has begun, and ends by itself
   * @returns them; of `dropped` the prompt is in the history, so it cannot be held
   */
  holdWaiting(begunId?: string): { held: QueuedInput[]; dropped: Waiting[] } {
    const waiting = [...this.#waiting.values()].filter(({ input }) => input.inputId !== begunId);
    for (const { input } of waiting) this.#waiting.delete(input.inputId);
    return {
      held: waiting.filter(({ isInHistory }) => !isInHistory).map(({ input }) => this.hold(input)),
      dropped: waiting.filter(({ isInHistory }) => isInHistory),
    };
  }

  /** Other words for one that has no run yet. undefined: it has, or is gone, or stands in the history already. */
  reword(inputId: string, change: (input: QueuedInput) => QueuedInput): QueuedInput | undefined {
    const waiting = this.#waiting.get(inputId);
    const before = this.#held.get(inputId) ?? (waiting?.isInHistory ? undefined : waiting?.input);
    if (!before) return undefined;
    const input = change(before);
    this.keep(input);
    if (this.#held.has(inputId)) this.#held.set(inputId, input);
    else if (waiting) waiting.input = input;
    return input;
  }

  /** When its speaker goes on with it no more; of one that waits. */
  settleAt(inputId: string, settlesAt: number | undefined): void {
    const waiting = this.#waiting.get(inputId);
    if (waiting) waiting.settlesAt = settlesAt;
  }

  /** A held prompt that is to run. */
  release(inputId: string): Waiting | undefined {
    const input = this.#held.get(inputId);
    if (!input) return undefined;
    this.#held.delete(inputId);
    const { isHeld: _, sendsAt: __, ...rest } = input;
    const waiting = { input: rest, isInHistory: false };
    this.#waiting.set(inputId, waiting);
    return waiting;
  }

  /** For good. undefined: there is no such prompt (any more). @throws StoreError */
  drop(inputId: string): Waiting | undefined {
    const held = this.#held.get(inputId);
    const dropped = this.#waiting.get(inputId) ?? (held && { input: held, isInHistory: false });
    if (!dropped) return undefined;
    if (!dropped.isInHistory) this.#store.deleteInput(inputId);
    this.#held.delete(inputId);
    this.#waiting.delete(inputId);
    return dropped;
  }

  /** None of them runs any more; the store keeps them for when the conversation is opened again. */
  leave(): void {
    this.#waiting.clear();
  }
}
