import type { QueuedInput } from "../../shared/events.ts";
import type { ConversationRecord } from "./conversation-record.ts";
import type { SessionStore } from "./session-store.ts";

/** A prompt that waits for its run. */
export interface Waiting {
  input: QueuedInput;
  /** A retry's prompt stands in the history already. */
  isInHistory: boolean;
}

/**
 * The prompts of a conversation that have no run yet. Each is in the store before it waits, so that a crash or a quit
 * takes none; those that come back from there are held: they run when the user says so.
 */
export class Inbox {
  readonly #store: SessionStore;
  readonly #record: ConversationRecord;
  readonly #reportError: (error: unknown) => void;
  readonly #waiting = new Map<string, Waiting>();
  readonly #held = new Map<string, QueuedInput>();

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
    for (const input of left) this.#held.set(input.inputId, { ...input, isHeld: true });
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

  /** A held prompt that the user wants to run. */
  release(inputId: string): Waiting | undefined {
    const input = this.#held.get(inputId);
    if (!input) return undefined;
    this.#held.delete(inputId);
    const { isHeld: _, ...rest } = input;
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
