import type { Frame } from "./echo-messages.ts";
import type { MicPath } from "./near-speech.ts";

/** So many frames may the raw sound be ahead, as in a burst after a moment without any; what is more is not heard. */
const maxAheadFrames = 16;
/** So many frames late it is given up for what echo cancellation left: about a second. */
const maxBehindFrames = 32;
/** So many frames are held back (512 ms): speech is noticed within that time. */
const delayedFrames = 16;

/** `settled`: so many frames from behind echo cancellation are not to be heard any more. */
export interface HeardFrame {
  pcm: Frame;
  settled: number;
}

/** What tells which one is heard, and knows what of the raw one is an echo. */
interface Listener {
  readonly path: MicPath;
  cleaned(pcm: Frame): Frame;
}

/**
 * One stream of frames of two: a microphone behind echo cancellation, which keeps the time, and the same one as it sounds,
 * which is heard in its place while it is to be heard raw. Their frames come in bursts, and neither waits for the other:
 * each moment of the one that is heard is heard once. What was held back is heard raw, too, when the raw one's time
 * begins, and else a moment late. Pure.
 */
export class MicSelector {
  readonly #listener: Listener;
  /** Frames that came from behind echo cancellation, and frames that were passed on. */
  #came = 0;
  #passed = 0;
  /** So many frames from behind echo cancellation were passed on, or others in their place. */
  #settled = 0;
  /** The latest ones that came, not passed on yet; and the latest raw ones. */
  #delayed: Frame[] = [];
  #raw: Frame[] = [];
  /** What is heard now. */
  #heard: HeardFrame[] = [];

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  /** @returns what is heard of it, or in its place */
  aec(pcm: Frame): HeardFrame[] {
    this.#came += 1;
    const { path } = this.#listener;
    if (path === "raw") {
      this.#catchUp();
      if (this.#came - this.#passed > maxBehindFrames) this.#pass(pcm, this.#came);
    } else {
      this.#delayed.push(pcm);
      this.#release(path === "delayed" ? delayedFrames : 0);
    }
    return this.#taken();
  }

  /** @returns what is heard of it, or of what came before */
  raw(pcm: Frame): HeardFrame[] {
    if (this.#listener.path === "raw") {
      this.#catchUp();
      if (this.#passed < this.#came + maxAheadFrames)
        this.#pass(this.#listener.cleaned(pcm), this.#settled + 1);
    }
    this.#raw = [...this.#raw.slice(1 - delayedFrames), pcm];
    return this.#taken();
  }

  /** Nothing more comes. @returns what was held back */
  end(): HeardFrame[] {
    this.#release(0);
    return this.#taken();
  }

  /** What was held back is heard raw, as far as it was. */
  #catchUp(): void {
    if (this.#delayed.length === 0) return;
    this.#release(this.#raw.length);
    const raw = this.#raw.slice(this.#raw.length - this.#delayed.length);
    this.#delayed = [];
    for (const pcm of raw) this.#pass(this.#listener.cleaned(pcm), this.#settled + 1);
  }

  #release(kept: number): void {
    const released = this.#delayed.splice(0, this.#delayed.length - kept);
    const first = this.#came - this.#delayed.length - released.length;
    for (const [index, pcm] of released.entries()) this.#pass(pcm, first + index + 1);
  }

  #pass(pcm: Frame, settled: number): void {
    this.#passed += 1;
    this.#settled = settled;
    this.#heard.push({ pcm, settled });
  }

  #taken(): HeardFrame[] {
    const heard = this.#heard;
    this.#heard = [];
    return heard;
  }
}
