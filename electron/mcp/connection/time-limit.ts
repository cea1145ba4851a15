import type { Clock } from "../../agent/ports/ports.ts";

export interface TimeLimitOptions {
  clock: Clock;
  /** Milliseconds without a sign of life. */
  ms: number;
  /** Ends it, whatever the time. */
  signal: AbortSignal;
  /** What is said when it is late. */
  message: string;
}

export interface TimeLimit {
  /** Aborted when it is late, or when the given one is. */
  signal: AbortSignal;
  /** A sign of life: the time begins anew. */
  touch(): void;
  /** Says how it can be told that the user is busy with it: that time does not count. */
  setWaiting(isWaiting: () => boolean): void;
}

/** Runs `work` for as long as it says something in time. @throws what `work` throws; Error when it is late; the signal's reason */
export async function withTimeLimit<T>(
  { clock, ms, signal, message }: TimeLimitOptions,
  work: (limit: TimeLimit) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const ended = new AbortController();
  // Not `AbortSignal.any`: what has ended is not to be cancelled when the given one is aborted later.
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  let last = clock.now();
  let isWaiting = () => false;
  const watch = async () => {
    for (let left = ms; left > 0; left = last + ms - clock.now()) {
      await clock.sleep(left, ended.signal);
      if (isWaiting()) last = clock.now();
    }
    stop.abort(new Error(message));
  };
  watch().catch(() => {});
  const aborted = new Promise<never>((_, reject) => {
    stop.signal.addEventListener("abort", () => reject(stop.signal.reason), { once: true });
  });
  aborted.catch(() => {});
  const limit: TimeLimit = {
    signal: stop.signal,
    touch: () => {
      last = clock.now();
    },
    setWaiting: (check) => {
      isWaiting = check;
    },
  };
  const result = work(limit);
  // It may fail after it was given up.
  result.catch(() => {});
  try {
    return await Promise.race([result, aborted]);
  } finally {
    ended.abort();
    signal.removeEventListener("abort", onAbort);
  }
}
