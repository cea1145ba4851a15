import { type Clock, ModelError } from "../agent/ports.ts";

export interface WatchdogLimits {
  /** Longest wait for the answer to begin; 0 = no limit. */
  requestTimeoutMs: number;
  /** Longest silence once it has begun; 0 = no limit. */
  streamIdleMs: number;
}

/** Made once: every abort without a reason makes an error with a stack trace. */
const over = new Error("The request is over.");

/** Ends a request that hangs: `signal` aborts with a ModelError `timeout`, or with the outer signal's reason. */
export class Watchdog {
  readonly #clock: Clock;
  readonly #limits: WatchdogLimits;
  readonly #host: string;
  readonly #outer: AbortSignal;
  readonly #controller = new AbortController();
  readonly #onOuterAbort = () => this.#controller.abort(this.#outer.reason);
  #watching = new AbortController();
  #lastSign = 0;

  constructor(clock: Clock, limits: WatchdogLimits, host: string, outer: AbortSignal) {
    this.#clock = clock;
    this.#limits = limits;
    this.#host = host;
    this.#outer = outer;
    if (outer.aborted) this.#onOuterAbort();
    outer.addEventListener("abort", this.#onOuterAbort, { once: true });
    void this.#watch(limits.requestTimeoutMs, this.#watching.signal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The answer begins: from now on silence counts. */
  begun(): void {
    this.#watching.abort(over);
    this.#watching = new AbortController();
    void this.#watch(this.#limits.streamIdleMs, this.#watching.signal);
  }

  /** Something arrived, if only a ping. */
  signOfLife(): void {
    this.#lastSign = this.#clock.now();
  }

  /** Stops watching. @param cancel also ends the request, for a reader that leaves before its end */
  dispose(cancel: boolean): void {
    this.#outer.removeEventListener("abort", this.#onOuterAbort);
    this.#watching.abort(over);
    if (cancel) this.#controller.abort(over);
  }

  async #watch(limitMs: number, stopped: AbortSignal): Promise<void> {
    if (limitMs === 0) return;
    this.signOfLife();
    // One timer that is set again when it fires, instead of one for every chunk.
    for (let leftMs = limitMs; leftMs > 0; leftMs = this.#lastSign + limitMs - this.#clock.now()) {
      await this.#clock.sleep(leftMs, stopped).catch(() => {});
      if (stopped.aborted) return;
    }
    const message = `Nothing came from ${this.#host} for ${Math.round(limitMs / 1000)} seconds.`;
    this.#controller.abort(new ModelError("timeout", message, "Check the network, then try again."));
  }
}
