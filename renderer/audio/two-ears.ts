import { frameSamples } from "../../shared/stt.ts";
import type { CaptureEvents } from "./capture.ts";

/** So many frames may the plain sound be ahead, as in a burst after a moment without any; what is more is not heard. */
const maxAhead = 16;
/** So many frames late it is given up for what echo cancellation left: about a second. */
const maxBehind = 32;

/**
 * One stream of frames of two: a microphone behind echo cancellation, which keeps the time, and the same one as it sounds,
 * which is heard in its place while `isPlain` says so. Their frames come in bursts, and neither waits for the other: each
 * moment of the one that is heard is heard once.
 */
export class TwoEars {
  readonly #isPlain: () => boolean;
  readonly #onFrame: CaptureEvents["onFrame"];
  /** Frames that came from behind echo cancellation, and frames that were passed on. */
  #came = 0;
  #passed = 0;

  constructor(isPlain: () => boolean, onFrame: CaptureEvents["onFrame"]) {
    this.#isPlain = isPlain;
    this.#onFrame = onFrame;
  }

  cancelled(pcm: Int16Array<ArrayBuffer>): void {
    this.#came += 1;
    if (!this.#isPlain() || this.#came - this.#passed > maxBehind) this.#pass(pcm);
  }

  plain(pcm: Int16Array<ArrayBuffer>): void {
    if (this.#isPlain() && this.#passed < this.#came + maxAhead) this.#pass(pcm);
  }

  #pass(pcm: Int16Array<ArrayBuffer>): void {
    this.#onFrame({ sampleIndex: this.#passed * frameSamples, pcm });
    this.#passed += 1;
  }
}
