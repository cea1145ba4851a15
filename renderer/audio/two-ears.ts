import { frameSamples } from "../../shared/voice/stt.ts";
import type { CaptureEvents } from "./capture.ts";
import type { Hearing } from "./near-speech.ts";

type Frame = Int16Array<ArrayBuffer>;

/** So many frames may the plain sound be ahead, as in a burst after a moment without any; what is more is not heard. */
const maxAhead = 16;
/** So many frames late it is given up for what echo cancellation left: about a second. */
const maxBehind = 32;
/** So many frames are held back (512 ms): speech is noticed within that time. */
const heldFrames = 16;

/** What tells which one is heard, and knows what of the plain one is an echo. */
interface Listener {
  readonly hearing: Hearing;
  cleaned(pcm: Frame): Frame;
}

/**
 * One stream of frames of two: a microphone behind echo cancellation, which keeps the time, and the same one as it sounds,
 * which is heard in its place while it is to be heard plain. Their frames come in bursts, and neither waits for the other:
 * each moment of the one that is heard is heard once. What was held back is heard plain, too, when the plain one's time
 * begins, and else a moment late.
 */
export class TwoEars {
  readonly #listener: Listener;
  readonly #onFrame: CaptureEvents["onFrame"];
  /** Frames that came from behind echo cancellation, and frames that were passed on. */
  #came = 0;
  #passed = 0;
  /** The latest ones that came, not passed on yet; and the latest plain ones. */
  #held: Frame[] = [];
  #plain: Frame[] = [];

  constructor(listener: Listener, onFrame: CaptureEvents["onFrame"]) {
    this.#listener = listener;
    this.#onFrame = onFrame;
  }

  cancelled(pcm: Frame): void {
    this.#came += 1;
    const { hearing } = this.#listener;
    if (hearing === "plain") {
      this.#catchUp();
      if (this.#came - this.#passed > maxBehind) this.#pass(pcm);
      return;
    }
    this.#held.push(pcm);
    this.#release(hearing === "held" ? heldFrames : 0);
  }

  plain(pcm: Frame): void {
    if (this.#listener.hearing === "plain") {
      this.#catchUp();
      if (this.#passed < this.#came + maxAhead) this.#pass(this.#listener.cleaned(pcm));
    }
    this.#plain = [...this.#plain.slice(1 - heldFrames), pcm];
  }

  /** Nothing more comes. */
  end(): void {
    this.#release(0);
  }

  /** What was held back is heard plain, as far as it was. */
  #catchUp(): void {
    if (this.#held.length === 0) return;
    this.#release(this.#plain.length);
    const plain = this.#plain.slice(this.#plain.length - this.#held.length);
    this.#held = [];
    for (const pcm of plain) this.#pass(this.#listener.cleaned(pcm));
  }

  #release(kept: number): void {
    for (const pcm of this.#held.splice(0, this.#held.length - kept)) this.#pass(pcm);
  }

  #pass(pcm: Frame): void {
    this.#onFrame({ sampleIndex: this.#passed * frameSamples, pcm });
    this.#passed += 1;
  }
}
