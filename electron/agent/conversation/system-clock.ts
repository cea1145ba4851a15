import type { Clock } from "../ports/ports.ts";

/** The computer's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // By hand: the timer of node:timers/promises makes an error with a stack of its own for every sleep that is aborted.
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
