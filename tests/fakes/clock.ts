import type { Clock } from "../../electron/agent/ports/ports.ts";

/** A clock that a test moves by hand: `sleep` ends when `advance` has gone far enough. */
export class FakeClock implements Clock {
  #now: number;
  #sleepers: { until: number; wake(): void }[] = [];
  #waiters: { ms: number | undefined; resolve(): void }[] = [];

  constructor(now = Date.UTC(2026, 0, 15, 12)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        callOff();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const callOff = this.after(ms, () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      });
    });
  }

  after(ms: number, run: () => void): () => void {
    const sleeper = { until: this.#now + ms, wake: run };
    this.#sleepers.push(sleeper);
    const found = this.#waiters.filter((waiter) => waiter.ms === undefined || waiter.ms === ms);
    this.#waiters = this.#waiters.filter((waiter) => !found.includes(waiter));
    for (const waiter of found) waiter.resolve();
    return () => {
      this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
    };
  }

  /** How many sleep, or wait to be called. */
  get asleep(): number {
    return this.#sleepers.length;
  }

  /** Resolves when somebody sleeps: for exactly `ms`, if given. */
  async sleeping(ms?: number): Promise<void> {
    const already = this.#sleepers.some((sleeper) => ms === undefined || sleeper.until - this.#now === ms);
    if (already) return;
    await new Promise<void>((resolve) => this.#waiters.push({ ms, resolve }));
  }

  /** Moves on by `ms` and wakes who slept until then, in the order of their times. */
  advance(ms: number): void {
    this.#now += ms;
    const due = this.#sleepers.filter(({ until }) => until <= this.#now).sort((a, b) => a.until - b.until);
    this.#sleepers = this.#sleepers.filter((sleeper) => !due.includes(sleeper));
    for (const { wake } of due) wake();
  }
}

/** A clock whose sleeps end at once, each noted, and whose time moves on by them. */
export class InstantClock implements Clock {
  readonly slept: number[] = [];
  #now = Date.UTC(2026, 0, 15, 12);

  now(): number {
    return this.#now;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.#now += ms;
  }

  /** Never comes: whatever is watched with it does not hang. */
  after(): () => void {
    return () => {};
  }
}
