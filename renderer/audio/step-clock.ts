/** Of so many deliveries (about two seconds) the promptest one counts. */
const latestParts = 62;

/**
 * When the parts of a sound were there, of which each has the same length: they come in bursts, and none before its time,
 * so the promptest of the latest tells it best. Milliseconds.
 */
export class StepClock {
  readonly #partMs: number;
  #zeros: number[] = [];
  #count = 0;

  constructor(partMs: number) {
    this.#partMs = partMs;
  }

  /** @param now when the next part came @returns when it ended */
  next(now: number): number {
    this.#count += 1;
    const offset = this.#count * this.#partMs;
    this.#zeros = [...this.#zeros.slice(1 - latestParts), now - offset];
    return Math.min(...this.#zeros) + offset;
  }
}
