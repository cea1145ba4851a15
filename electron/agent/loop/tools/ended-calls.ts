import type { StoredToolCall } from "../../ports/ports.ts";

/**
 * The calls of one round that have ended while others go on: they are kept in the next turn of the event loop, which
 * is before a window shows their end. The last ones are kept with the message that brings all the results.
 */
export class EndedCalls {
  readonly #keep: (call: StoredToolCall) => void;
  #running: number;
  #waiting: StoredToolCall[] = [];

  /** @param running how many calls the round has @param keep must not throw */
  constructor(running: number, keep: (call: StoredToolCall) => void) {
    this.#running = running;
    this.#keep = keep;
  }

  add(call: StoredToolCall): void {
    this.#running--;
    this.#waiting.push(call);
    if (this.#running > 0 && this.#waiting.length === 1) setImmediate(() => this.#keepWaiting());
  }

  #keepWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (this.#running > 0) for (const call of waiting) this.#keep(call);
  }
}
