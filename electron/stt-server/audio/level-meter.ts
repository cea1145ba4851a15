import type { Clock } from "../clock.ts";

/** Most levels told per second. */
const maxPerSecond = 15;

/** How loud it is, for the meter in the window: the RMS since the last reading, 0–1, seldom enough to draw. */
export class LevelMeter {
  readonly #clock: Clock;
  #sum = 0;
  #samples = 0;
  #nextAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns the level when it is time for another reading, else null */
  add(pcm: Int16Array): number | null {
    for (const sample of pcm) this.#sum += (sample / 32_768) ** 2;
    this.#samples += pcm.length;
    const now = this.#clock.now();
    if (now < this.#nextAt || this.#samples === 0) return null;
    const level = Math.sqrt(this.#sum / this.#samples);
    this.#nextAt = now + 1000 / maxPerSecond;
    this.#sum = 0;
    this.#samples = 0;
    return level;
  }
}
