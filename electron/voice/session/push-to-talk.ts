import type { Clock } from "../../agent/ports/ports.ts";

/** A key that is held fires again and again: taps that come closer than this are one. Milliseconds. */
export const tapRepeatMs = 700;

export interface PushToTalkOptions {
  clock: Pick<Clock, "now">;
  onBegin(): void;
  onEnd(): void;
}

/** What keys mean: held, the user talks until they let go; tapped, until they tap again. */
export class PushToTalk {
  readonly #options: PushToTalkOptions;
  #isTalking = false;
  #lastTapAt = Number.NEGATIVE_INFINITY;

  constructor(options: PushToTalkOptions) {
    this.#options = options;
  }

  get isTalking(): boolean {
    return this.#isTalking;
  }

  /** Also what a held key repeats. */
  press(): void {
    if (this.#isTalking) return;
    this.#isTalking = true;
    this.#options.onBegin();
  }

  /** Also where the key cannot be heard any more: nobody talks for ever. */
  release(): void {
    if (!this.#isTalking) return;
    this.#isTalking = false;
    this.#options.onEnd();
  }

  tap(): void {
    const now = this.#options.clock.now();
    const isRepeat = now - this.#lastTapAt < tapRepeatMs;
    this.#lastTapAt = now;
    if (isRepeat) return;
    if (this.#isTalking) this.release();
    else this.press();
  }
}
