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
    if (more !== null) this.#rest.more.push(more);
    this.#rest.settle();
    return true;
  }

  /** @param attempt asks the model; `more` belongs before the request. It never throws. */
  async run(
    attempt: (signal: AbortSignal, more: readonly More[]) => Promise<RunOutcome>,
  ): Promise<RunOutcome> {
    let more: readonly More[] = [];
    for (;;) {
      this.#attempt = new AbortController();
      if (this.#rest) this.#attempt.abort();
      const outcome = await attempt(AbortSignal.any([this.#signal, this.#attempt.signal]), more);
      const rest = this.#rest;
      // Words that were taken over are kept whatever failed before they came: they go into one more attempt.
      if (!rest || (outcome.stopReason === "error" && rest.more.length === 0)) return this.#end(outcome);
      this.#signal.addEventListener("abort", rest.settle, { once: true });
      if (this.#signal.aborted) rest.settle();
      await rest.settled;
      this.#signal.removeEventListener("abort", rest.settle);
      more = rest.more;
      this.#rest = null;
      // The same where the user stops the run at this moment.
      if (more.length === 0 && (this.#signal.aborted || outcome.stopReason !== "interrupted")) {
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
  /** What was said until the request had ended, in its order: a speaker may go on more than once. */
  more: More[];
  settled: Promise<void>;
  settle(this: void): void;
}

function restToCome<More>(): Rest<More> {
  let settle = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { more: [], settled, settle: () => settle() };
}
