import type { RunOutcome } from "../loop/run-context.ts";
import type { Clock } from "../ports/ports.ts";

/**
 * A run that can be taken back while nobody has seen anything of it: who speaks it goes on speaking. Its request ends,
 * and the same run asks again when the rest of the prompt is known.
 * @typeParam More what the prompt goes on with
 */
export class RunAttempts<More> {
  readonly #signal: AbortSignal;
  readonly #clock: Clock;
  /** Milliseconds since the epoch. */
  #settlesAt: number;
  #attempt: AbortController | null = null;
  #wasSeen = false;
  #isOver = false;
  #rest: Rest<More> | null = null;

  /**
   * @param signal the user's own: after it there is no further attempt
   * @param settlesAt until then the speaker may go on, milliseconds since the epoch
   */
  constructor(signal: AbortSignal, clock: Clock, settlesAt = 0) {
    this.#signal = signal;
    this.#clock = clock;
    this.#settlesAt = settlesAt;
  }

  /** @param at until then the speaker may go on, milliseconds since the epoch */
  settleAt(at = 0): void {
    this.#settlesAt = at;
  }

  /** Resolves when the speaker will not go on: nothing of the run is shown or done before. @throws the signal's reason */
  async settled(signal: AbortSignal): Promise<void> {
    const restMs = this.#settlesAt - this.#clock.now();
    if (restMs > 0) await this.#clock.sleep(restMs, signal);
  }

  /** A person sees something of the run from now on, or could feel it. */
  markSeen(): void {
    this.#wasSeen = true;
  }

  /** Ends the request until `resumeWith`. @returns false where it is too late: something was shown, or done */
  suspend(): boolean {
    if (this.#isOver || this.#wasSeen || this.#signal.aborted) return false;
    if (this.#rest) return true;
    this.#rest = restToCome<More>();
    this.#attempt?.abort(new Error("The speaker went on."));
    return true;
  }

  /**
   * @param more null: nothing more was said @param settlesAt of all of it now
   * @returns false where nothing was taken back, or the run has ended
   */
  resumeWith(more: More | null, settlesAt = this.#settlesAt): boolean {
    if (!this.#rest || this.#isOver || this.#signal.aborted) return false;
    this.#settlesAt = settlesAt;
    this.#rest.settle(more);
    return true;
  }

  /** @param attempt asks the model; `more` belongs before the request. It never throws. */
  async run(attempt: (signal: AbortSignal, more: More | null) => Promise<RunOutcome>): Promise<RunOutcome> {
    let more: More | null = null;
    for (;;) {
      this.#attempt = new AbortController();
      if (this.#rest) this.#attempt.abort();
      const outcome = await attempt(AbortSignal.any([this.#signal, this.#attempt.signal]), more);
      const rest = this.#rest;
      if (!rest || outcome.stopReason === "error") return this.#end(outcome);
      const onAbort = () => rest.settle(null);
      this.#signal.addEventListener("abort", onAbort, { once: true });
      if (this.#signal.aborted) onAbort();
      more = await rest.promise;
      this.#signal.removeEventListener("abort", onAbort);
      this.#rest = null;
      // The words that were taken over are kept, also where the user stops the run at this moment.
      if (more === null && (this.#signal.aborted || outcome.stopReason !== "interrupted")) {
        return this.#end(outcome);
      }
    }
  }

  #end(outcome: RunOutcome): RunOutcome {
    this.#isOver = true;
    return outcome;
  }
}

interface Rest<More> {
  promise: Promise<More | null>;
  settle(more: More | null): void;
}

function restToCome<More>(): Rest<More> {
  let settle: (more: More | null) => void = () => {};
  const promise = new Promise<More | null>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}
