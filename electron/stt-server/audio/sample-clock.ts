/** Of a stretch this long the promptest arrival counts, and of the one before. Milliseconds. */
const stretchMs = 10_000;
/** Nobody notices less, in milliseconds. */
const newsMs = 20;

/**
 * When sample 0 of a live source was heard, in milliseconds since the epoch. No sample can arrive before it sounded, so
 * the promptest arrival tells it best: the first frames of a session wait for what is still being made ready, later ones
 * may wait for the recogniser. Only the latest seconds count, since the clock of a sound device is not the computer's.
 */
export class SampleClock {
  #toldMs: number;
  #untilMs = Number.NEGATIVE_INFINITY;
  #latest = Number.POSITIVE_INFINITY;
  #before = Number.POSITIVE_INFINITY;

  /** @param toldMs what was told of it last */
  constructor(toldMs: number) {
    this.#toldMs = toldMs;
  }

  /** @param offsetMs the end of the sound that has just arrived @param nowMs when it did, milliseconds since the epoch */
  arrived(offsetMs: number, nowMs: number): void {
    if (nowMs >= this.#untilMs) {
      this.#untilMs = nowMs + stretchMs;
      this.#before = this.#latest;
      this.#latest = Number.POSITIVE_INFINITY;
    }
    this.#latest = Math.min(this.#latest, nowMs - offsetMs);
  }

  /** @returns the time of sample 0 where it is another one than was told last, else null */
  news(): number | null {
    const epochMs = Math.round(Math.min(this.#latest, this.#before));
    if (!Number.isFinite(epochMs) || Math.abs(epochMs - this.#toldMs) < newsMs) return null;
    this.#toldMs = epochMs;
    return epochMs;
  }
}
