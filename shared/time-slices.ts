import { setImmediate } from "node:timers/promises";

/** Work that goes on for at most this long before others of its thread get a turn, in milliseconds. */
const sliceMs = 5;

/** Lets others have a turn every few milliseconds. */
export class TimeSlices {
  #since = performance.now();

  async pause(): Promise<void> {
    if (performance.now() - this.#since < sliceMs) return;
    await setImmediate();
    this.#since = performance.now();
  }
}
