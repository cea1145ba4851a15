/** A press within this time after a card appeared or moved was meant for what stood there before, in milliseconds. */
export const freshMs = 400;

/** Knows since when each card that waits stands where it stands: an answer must not land on the next card by accident. */
export class AnswerGuard {
  readonly #cameAt = new Map<string, number>();
  readonly #movedAt = new Map<string, number>();
  readonly #onFresh = new Map<string, () => void>();
  #answeredAt = Number.NEGATIVE_INFINITY;

  /** @param onFresh another card was answered by a key just now: no press counts for this one either, for a moment */
  came(id: string, onFresh: () => void = () => {}): void {
    this.#cameAt.set(id, performance.now());
    this.#onFresh.set(id, onFresh);
    this.moved(id);
  }

  /** It stands elsewhere now. */
  moved(id: string): void {
    this.#movedAt.set(id, performance.now());
  }

  gone(id: string): void {
    this.#cameAt.delete(id);
    this.#movedAt.delete(id);
    this.#onFresh.delete(id);
  }

  /** Whether a press counts for this card. */
  takes(id: string): boolean {
    return performance.now() - (this.#movedAt.get(id) ?? Number.POSITIVE_INFINITY) >= freshMs;
  }

  /** Whether a key counts that goes to this card, which the user gave the keyboard: it does so wherever the card stands. */
  takesOwnKey(id: string): boolean {
    return performance.now() - (this.#cameAt.get(id) ?? Number.POSITIVE_INFINITY) >= freshMs;
  }

  /**
   * Whether a key that answers whichever card is the oldest counts for this one: not right after it answered another.
   */
  takesKey(id: string): boolean {
    if (!this.takes(id) || performance.now() - this.#answeredAt < freshMs) return false;
    this.#answeredAt = performance.now();
    for (const [other, onFresh] of this.#onFresh) {
      if (other === id) continue;
      this.moved(other);
      onFresh();
    }
    return true;
  }
}
