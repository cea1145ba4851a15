import type { SttEvent } from "../../../shared/voice/stt.ts";
import type { Clock } from "../clock.ts";

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** An event before the log stamps it with its number and time. */
export type SttEventBody = DistributiveOmit<SttEvent, "seq" | "timestamp_utc">;

/** Most events a log holds; a reader who comes later than that sees the gap in `firstSeq`. */
export const maxLogEvents = 2000;

/** One session's events, numbered from 1 without gaps. Holds the latest `maxLogEvents`. */
export class SessionLog {
  readonly #clock: Clock;
  readonly #events: SttEvent[] = [];
  readonly #wakers = new Set<() => void>();
  #nextSeq = 1;
  #closed = false;
  #tally = { finals: 0, errors: 0, latestTranscript: "" };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The seq that the next event will get. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  /** The oldest seq still held; of an empty log the one to come. */
  get firstSeq(): number {
    return this.#nextSeq - this.#events.length;
  }

  /** How many utterances were heard, how often it failed, and the last words. */
  get tally(): { finals: number; errors: number; latestTranscript: string } {
    return this.#tally;
  }

  append(body: SttEventBody): void {
    this.#count(body);
    this.#events.push({
      ...body,
      seq: this.#nextSeq++,
      timestamp_utc: new Date(this.#clock.now()).toISOString(),
    });
    if (this.#events.length > maxLogEvents) this.#events.shift();
    this.#wake();
  }

  /** The oldest `limit` events after `sinceSeq`, which is exclusive. */
  read(sinceSeq: number, limit: number): SttEvent[] {
    const from = Math.max(0, sinceSeq + 1 - this.firstSeq);
    return this.#events.slice(from, from + limit);
  }

  /**
   * Resolves when there is an event after `sinceSeq`, when the log is closed, after `waitMs`, or when `signal` is
   * aborted; never rejects.
   */
  async waitFor(sinceSeq: number, waitMs: number, signal?: AbortSignal): Promise<void> {
    if (waitMs <= 0 || this.#closed || this.#nextSeq > sinceSeq + 1 || signal?.aborted) return;
    const ended = new AbortController();
    const end = () => ended.abort();
    const wake = () => {
      if (this.#closed || this.#nextSeq > sinceSeq + 1) end();
    };
    this.#wakers.add(wake);
    signal?.addEventListener("abort", end);
    try {
      await this.#clock.sleep(waitMs, ended.signal);
    } catch {
      // Woken before the time was up.
    } finally {
      this.#wakers.delete(wake);
      signal?.removeEventListener("abort", end);
    }
  }

  /** No more events will come: every reader who waits is answered. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  #count(body: SttEventBody): void {
    const { finals, errors } = this.#tally;
    if (body.type === "utterance_final") {
      this.#tally = { ...this.#tally, finals: finals + 1, latestTranscript: body.text };
    } else if (body.type === "error") this.#tally = { ...this.#tally, errors: errors + 1 };
  }

  #wake(): void {
    for (const wake of [...this.#wakers]) wake();
  }
}
