import { type Clock, ModelError, type ModelErrorCode, type ModelStreamEvent } from "../agent/ports/ports.ts";

/** `max`: further tries after the first. Waits double from `baseMs` up to `capMs`. */
export interface RetryPolicy {
  max: number;
  baseMs: number;
  capMs: number;
}

export interface RetryOptions {
  policy: RetryPolicy;
  clock: Clock;
  /** 0 ≤ n < 1, for the jitter. */
  random(): number;
  signal: AbortSignal;
}

const retryable: ReadonlySet<ModelErrorCode> = new Set([
  "rate_limit",
  "overloaded",
  "server",
  "network",
  "timeout",
]);

/**
 * The one retry layer: repeats a streamed attempt that failed for a passing reason, saying so with `retry`. After
 * partial output `reset` comes right before the new attempt's, so that nothing is ever shown twice, and what was read
 * stays until there is something in its place.
 * @param attempt yields what arrived together; must throw ModelError for what may be retried
 * @throws ModelError of the last attempt, or at once where trying again cannot help
 */
export async function* withRetry(
  attempt: () => AsyncIterable<readonly ModelStreamEvent[]>,
  { policy, clock, random, signal }: RetryOptions,
): AsyncGenerator<ModelStreamEvent, void, void> {
  let shown = false;
  for (let failures = 0; ; ) {
    let isFirst = true;
    try {
      for await (const events of attempt()) {
        for (const event of events) {
          if (isFirst && shown) yield { type: "reset" };
          isFirst = false;
          shown ||= event.type === "text" || event.type === "thinking";
          yield event;
        }
      }
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelError) || !retryable.has(error.code)) throw error;
      failures++;
      if (failures > policy.max) throw error;
      const delayMs = delayBefore(failures, error, policy, random);
      const skipped = new AbortController();
      let isOver = false;
      const skip = () => {
        skipped.abort();
        return !isOver;
      };
      yield { type: "retry", attempt: failures, of: policy.max, delayMs, reason: error.message, skip };
      await clock.sleep(delayMs, AbortSignal.any([signal, skipped.signal])).catch(() => {});
      isOver = true;
      signal.throwIfAborted();
    }
  }
}

function delayBefore(failures: number, error: ModelError, policy: RetryPolicy, random: () => number): number {
  const asked = error.retryAfterMs;
  if (asked !== undefined && asked > policy.capMs) throw tooLong(error, asked);
  const full = Math.min(policy.capMs, policy.baseMs * 2 ** (failures - 1));
  // Between three quarters and the whole: clients that failed together do not come back together.
  const backoff = Math.round(full * (0.75 + 0.25 * random()));
  return Math.max(asked ?? 0, backoff);
}

function tooLong(error: ModelError, retryAfterMs: number): ModelError {
  return new ModelError(
    error.code,
    error.message,
    `The server asks you to wait ${inWords(retryAfterMs)}. Then try again.`,
    { cause: error, retryAfterMs },
  );
}

function inWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 100) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/**
 * The `Retry-After` header: seconds or a date; `retry-after-ms` where the server is that exact.
 * @returns milliseconds from `now`, or undefined
 */
export function retryAfterMsOf(headers: Headers | undefined, now: number): number | undefined {
  const exact = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const value = headers?.get("retry-after") ?? "";
  const seconds = Number.parseFloat(value);
  if (/^\s*\d/.test(value) && Number.isFinite(seconds)) return seconds * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
