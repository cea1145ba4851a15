import { type Clock, ModelError } from "../agent/ports/ports.ts";

export interface WatchdogLimits {
  /** Longest wait for the answer to begin; 0 = no limit. */
  requestTimeoutMs: number;
  /** Longest silence once it has begun; 0 = no limit. */
  streamIdleMs: number;
}

/** Made once: every abort without a reason makes an error with a stack trace. */
const over = new Error("The request is over.");

/**
 * Ends a request that hangs: `signal` aborts with a ModelError `timeout`, or with the outer signal's reason. One timer
 * for both limits, set again when it fires: no chunk and no beginning touches it.
 */
export class Watchdog {
  readonly #clock: Clock;
  readonly #limits: WatchdogLimits;
  readonly #host: string;
  readonly #outer: AbortSignal;
  readonly #controller = new AbortController();
  #callOff = () => {};
  readonly #onOuterAbort = () => this.#controller.abort(this.#outer.reason);
  #hasBegun = false;
  #lastSign: number;

  constructor(clock: Clock, limits: WatchdogLimits, host: string, outer: AbortSignal) {
    this.#clock = clock;
    this.#limits = limits;
    this.#host = host;
    this.#outer = outer;
    this.#lastSign = clock.now();
    if (outer.aborted) this.#onOuterAbort();
    outer.addEventListener("abort", this.#onOuterAbort, { once: true });
    this.#watch();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The answer begins: from now on silence counts. */
  begun(): void {
    this.#hasBegun = true;
    this.signOfLife();
  }

  /** Something arrived, if only a ping. */
  signOfLife(): void {
    this.#lastSign = this.#clock.now();
  }

  /** Stops watching. @param cancel also ends the request, for a reader that leaves before its end */
  dispose(cancel: boolean): void {
    this.#outer.removeEventListener("abort", this.#onOuterAbort);
    this.#callOff();
    if (cancel) this.#controller.abort(over);
  }

  #watch(): void {
    const limitMs = this.#limitMs();
    const leftMs = this.#lastSign + limitMs - this.#clock.now();
    if (leftMs <= 0) {
      const message = `Nothing came from ${this.#host} for ${Math.round(limitMs / 1000)} seconds.`;
      this.#controller.abort(new ModelError("timeout", message, "Check the network, then try again."));
      return;
    }
    // The answer may begin meanwhile: then the other limit counts.
    const waitMs = this.#hasBegun ? leftMs : Math.min(leftMs, limited(this.#limits.streamIdleMs));
    if (waitMs !== Number.POSITIVE_INFINITY) this.#callOff = this.#clock.after(waitMs, () => this.#watch());
  }

  /** The limit that counts now. */
  #limitMs(): number {
    return limited(this.#hasBegun ? this.#limits.streamIdleMs : this.#limits.requestTimeoutMs);
  }
}

const limited = (ms: number) => (ms === 0 ? Number.POSITIVE_INFINITY : ms);
