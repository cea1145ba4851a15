/** Rounds of a run that follow one another again and again. */
export interface Repeated {
  /** Rounds that make up the pattern: 1 to `longestPattern`. */
  length: number;
  /** How often the pattern stood in a row, by now. */
  times: number;
  /** Rounds in a row that fit the pattern. */
  rounds: number;
}

/** Source: the coding-agent-loop specification. */
const longestPattern = 3;

/** Looks for patterns of one to three rounds in the prints of the rounds, each of which is added as it comes. */
export class Repetition {
  /** The last rounds, as many as the longest pattern. */
  readonly #recent: string[] = [];
  /** By pattern length: how many rounds in a row equal the one that many before. */
  readonly #matches = new Map<number, number>();

  add(print: string): void {
    for (let length = 1; length <= longestPattern; length++) {
      const isSame = this.#recent.at(-length) === print;
      this.#matches.set(length, isSame ? this.#of(length) + 1 : 0);
    }
    this.#recent.push(print);
    if (this.#recent.length > longestPattern) this.#recent.shift();
  }

  /** The patterns that came to their end with the last round, the shortest first. */
  *patterns(): Generator<Repeated> {
    for (let length = 1; length <= longestPattern; length++) {
      const rounds = this.#of(length) + length;
      // A A A is a pattern of one, not of two or three.
      const isShorter = length > 1 && this.#of(1) >= length - 1;
      if (!isShorter && rounds % length === 0) yield { length, times: rounds / length, rounds };
    }
  }

  #of(length: number): number {
    return this.#matches.get(length) ?? 0;
  }
}
