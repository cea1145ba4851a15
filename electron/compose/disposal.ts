type Step = () => unknown;

/**
 * What is to be done at the end: the last that was deferred first, each after the one before. Node has a stack for this
 * only from version 24 on.
 */
export class Disposal {
  readonly #reportError: (error: unknown) => void;
  readonly #isTogether: boolean;
  #steps: Step[] = [];

  /** @param reportError gets what a step threw: the others are done all the same */
  constructor(reportError: (error: unknown) => void, isTogether = false) {
    this.#reportError = reportError;
    this.#isTogether = isTogether;
  }

  defer(step: Step): void {
    this.#steps.push(step);
  }

  /** A place in the order for steps that are done at the same time. */
  together(): Disposal {
    const group = new Disposal(this.#reportError, true);
    this.defer(() => group.dispose());
    return group;
  }

  /** Never rejects. A second call does nothing. */
  async dispose(): Promise<void> {
    const steps = this.#steps.reverse();
    this.#steps = [];
    if (this.#isTogether) await Promise.all(steps.map((step) => this.#done(step)));
    else for (const step of steps) await this.#done(step);
  }

  async #done(step: Step): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.#reportError(error);
    }
  }
}
