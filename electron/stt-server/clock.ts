import { setTimeout as delay } from "node:timers/promises";

/** Wall time, handed in so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, at once when that is not positive; rejects when `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    if (ms > 0) await delay(ms, undefined, { signal });
  },
};
