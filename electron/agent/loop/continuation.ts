/** How often in a row a reply that was cut at its length limit is continued. */
export class Continuation {
  #left: number;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  /** @returns what the model is told so that it goes on; null when it was told often enough */
  next(): string | null {
    if (this.#left === 0) return null;
    this.#left--;
    return "[REPLY CUT] Your reply reached its length limit and was cut off. Continue exactly where it stopped. Do not repeat anything, and be brief.";
  }

  /** Something else came in between. */
  reset(): void {
    this.#left = this.#most;
  }
}
