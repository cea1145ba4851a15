/** A time that stands still while somebody is waited for. */
export class TimeLimit {
  /** Resolves when the time is up; never, where it is ended before. */
  readonly passed: Promise<void>;
  #leftMs: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #pass: () => void = () => {};
  #isOver = false;

  /** Begins at once. */
  constructor(ms: number) {
    this.#leftMs = ms;
    this.passed = new Promise((resolve) => {
      this.#pass = resolve;
    });
    this.#go();
  }

  /** @param waits whether the time stands still from now on */
  pause(waits: boolean): void {
    if (waits && this.#timer) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#leftMs -= performance.now() - this.#since;
    } else if (!waits && !this.#timer && !this.#isOver) this.#go();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#isOver = true;
  }

  #go(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#pass(), Math.max(0, this.#leftMs));
  }
}
