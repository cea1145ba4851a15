import type { QueuedInput } from "../../../shared/conversation/events.ts";
import type { PromptOrigin, SpeechSource } from "../../../shared/conversation/messages.ts";
import type { LevelName } from "../../../shared/safety/permissions.ts";
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

/** What counts for the run of one prompt, and for nothing after it; what is not given is that of the conversation. */
export interface ForOneRun {
  level?: LevelName | undefined;
  /** Absolute. */
  folder?: string | undefined;
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
  /** In memory alone: after a crash the conversation's own count. */
  forOneRun?: ForOneRun | undefined;
}

interface HoldOptions {
  sendsAt?: number | undefined;
  forOneRun?: ForOneRun | undefined;
}

/** A prompt with all that was said of it. */
export function wholeInput({ input, more = [] }: Waiting): QueuedInput {
  return { ...input, text: [input, ...more].map(({ text }) => text).join(" ") };
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
  readonly #held = new Map<string, Waiting>();
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
      else this.#held.set(input.inputId, { input: { ...input, isHeld: true }, isInHistory: false });
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
    return [...this.#held.values(), ...this.#waiting.values()].map(({ input }) => input);
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

  /** Keeps all that wait, in a store that has lost them. */
  keepAgain(): void {
    for (const { input, isInHistory } of [...this.#held.values(), ...this.#waiting.values()]) {
      if (!isInHistory) this.keep(input);
    }
  }

  /** Keeps a prompt that does not run by itself. @param sendsAt when whoever holds it will send it */
  hold(input: QueuedInput, { sendsAt, forOneRun }: HoldOptions = {}): QueuedInput {
    const { sendsAt: _, ...words } = input;
    const held: QueuedInput = { ...words, isHeld: true, ...(sendsAt !== undefined && { sendsAt }) };
    this.keep(held);
    this.#held.set(held.inputId, { input: held, isInHistory: false, forOneRun });
    return held;
  }

  /** Keeps one that would have run by itself, with all that was said of it. */
  holdWhole(waiting: Waiting): QueuedInput {
    return this.hold(wholeInput(waiting), { forOneRun: waiting.forOneRun });
  }

  /**
   * Those that would run by themselves do so no more.
   * @param begunId whose run has begun, and ends by itself
   * @returns them; of `dropped` the prompt is in the history, so it cannot be held
   */
  holdWaiting(begunId?: string): { held: QueuedInput[]; dropped: Waiting[] } {
    const waiting = [...this.#waiting.values()].filter(({ input }) => input.inputId !== begunId);
    for (const { input } of waiting) this.#waiting.delete(input.inputId);
    // Those that are reviewed wait like the others: they stay, and their time no longer runs.
    const reviewed = [...this.#held.values()].filter(({ input }) => input.sendsAt !== undefined);
    return {
      held: [...reviewed, ...waiting.filter(({ isInHistory }) => !isInHistory)].map((one) =>
        this.holdWhole(one),
      ),
      dropped: waiting.filter(({ isInHistory }) => isInHistory),
    };
  }

  /** Other words for one that has no run yet. undefined: it has, or is gone, or stands in the history already. */
  reword(inputId: string, change: (input: QueuedInput) => QueuedInput): QueuedInput | undefined {
    const waiting = this.#held.get(inputId) ?? this.#waiting.get(inputId);
    if (!waiting || waiting.isInHistory) return undefined;
    const input = change(waiting.input);
    this.keep(input);
    waiting.input = input;
    return input;
  }

  /** When its speaker goes on with it no more; of one that waits. */
  settleAt(inputId: string, settlesAt: number | undefined): void {
    const waiting = this.#waiting.get(inputId);
    if (waiting) waiting.settlesAt = settlesAt;
  }

  /** A held prompt that is to run. */
  release(inputId: string): Waiting | undefined {
    const held = this.#held.get(inputId);
    if (!held) return undefined;
    this.#held.delete(inputId);
    const { isHeld: _, sendsAt: __, ...input } = held.input;
    const waiting = { ...held, input };
    this.#waiting.set(inputId, waiting);
    return waiting;
  }

  /**
   * One that goes into the running turn; the store keeps it until its message is there.
   * @throws Error when it does not wait (any more), or must have a run of its own
   */
  forTurn(inputId: string): Waiting {
    const waiting = this.#waiting.get(inputId);
    if (!waiting) throw new Error("This prompt is no longer waiting: it was sent or removed.");
    if (waiting.isInHistory || waiting.forOneRun)
      throw new Error("This prompt needs a turn of its own. It runs after this one.");
    this.#waiting.delete(inputId);
    return waiting;
  }

  /** For good. undefined: there is no such prompt (any more). @throws StoreError */
  drop(inputId: string): Waiting | undefined {
    const dropped = this.#waiting.get(inputId) ?? this.#held.get(inputId);
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
