import { frameSamples, sampleRateHz } from "../../../shared/voice/stt.ts";
import type { Clock } from "../clock.ts";
import type { AudioFrame } from "./audio-source.ts";

/** Audio that may wait for the recogniser; what comes while it is full is lost, which its index shows. */
export const maxQueuedMs = 30_000;
const maxQueuedFrames = Math.ceil((maxQueuedMs * sampleRateHz) / 1000 / frameSamples);

/** Nothing came for `afterMs`: the reader gets `error`. */
export interface Stall {
  clock: Clock;
  afterMs: number;
  error: Error;
}

/** Hands frames that arrive by themselves to one reader. What is queued is still read after `end`. */
export class FrameQueue implements AsyncIterable<AudioFrame> {
  readonly #frames: AudioFrame[] = [];
  #ended = false;
  #error: Error | undefined;
  #wake: (() => void) | undefined;
  readonly #stall: Stall | undefined;

  /** @param stall how long the reader may wait for a frame; without it, for ever */
  constructor(stall?: Stall) {
    this.#stall = stall;
  }

  push(frame: AudioFrame): void {
    if (this.#ended || this.#frames.length >= maxQueuedFrames) return;
    this.#frames.push(frame);
    this.#wake?.();
  }

  /** No more frames; the reader gets `error`, if any, after the last one. Only the first call counts. */
  end(error?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AudioFrame> {
    while (true) {
      const frame = this.#frames.shift();
      if (frame) yield frame;
      else if (this.#error) throw this.#error;
      else if (this.#ended) return;
      else await this.#wait();
    }
  }

  async #wait(): Promise<void> {
    const woken = new AbortController();
    const wake = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    const stall = this.#stall;
    stall?.clock.sleep(stall.afterMs, woken.signal).then(
      () => this.end(stall.error),
      () => undefined,
    );
    await wake;
    woken.abort();
  }
}
