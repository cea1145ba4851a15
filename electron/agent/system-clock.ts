import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "./ports.ts";

/** The computer's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    try {
      await wait(ms, undefined, { signal });
    } catch (error) {
      // Node's own AbortError hides why.
      signal?.throwIfAborted();
      throw error;
    }
  },
};
