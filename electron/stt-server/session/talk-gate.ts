import { sampleRateHz } from "../../../shared/voice/stt.ts";

/** Heard from before the key was pressed: people begin to speak a little too early. */
export const talkPrerollMs = 600;
/** Heard after the key was let go: the last sound is still on its way from the microphone then. */
export const talkTailMs = 320;

/** What is to be done with the frame that was passed. */
export interface Passed {
  /** The user begins to talk with this frame. */
  begins: boolean;
  /** Frames in order; of those before this one, what was kept of the time before. */
  heard: Int16Array[];
  /** Samples that nobody will hear. They came before `heard`. */
  skipped: number;
  /** The user has talked: what was said is complete. */
  ends: boolean;
}

/**
 * Push-to-talk: whether the user talks now, by a key. Where it is shut in between, the last moments wait in a ring, so that
 * the first word is whole; a little is heard after the key was let go, so that the last one is.
 */
export class TalkGate {
  /** false: everything is heard all the time, and talking only says what of it is meant. */
  readonly #isShutBetween: boolean;
  #wanted: boolean;
  #state: "shut" | "open" | "tail" = "shut";
  #ring: Int16Array[] = [];
  #tailLeft = 0;

  constructor(options: { isShutBetween: boolean; isTalking: boolean }) {
    this.#isShutBetween = options.isShutBetween;
    this.#wanted = options.isTalking;
  }

  /** From the next frame on. */
  set isTalking(isTalking: boolean) {
    this.#wanted = isTalking;
  }

  get isTalking(): boolean {
    return this.#wanted;
  }

  /** Nothing is heard now. */
  get isShut(): boolean {
    return this.#isShutBetween && this.#state === "shut" && !this.#wanted;
  }

  /** What is in the ring is not to be heard any more. @returns so many samples */
  forget(): number {
    return lengthOf(this.#ring.splice(0));
  }

  pass(pcm: Int16Array): Passed {
    const begins = this.#wanted && this.#state === "shut";
    if (this.#wanted) {
      this.#state = "open";
      return { begins, heard: [...this.#ring.splice(0), pcm], skipped: 0, ends: false };
    }
    if (this.#state === "shut") return { begins, ...this.#wait(pcm), ends: false };
    if (this.#state === "open") {
      this.#state = "tail";
      this.#tailLeft = toSamples(talkTailMs);
    }
    this.#tailLeft -= pcm.length;
    const ends = this.#tailLeft <= 0;
    if (ends) this.#state = "shut";
    return { begins, heard: [pcm], skipped: 0, ends };
  }

  #wait(pcm: Int16Array): { heard: Int16Array[]; skipped: number } {
    if (!this.#isShutBetween) return { heard: [pcm], skipped: 0 };
    this.#ring.push(pcm);
    let skipped = 0;
    while (lengthOf(this.#ring) > toSamples(talkPrerollMs)) skipped += this.#ring.shift()?.length ?? 0;
    return { heard: [], skipped };
  }
}

const toSamples = (ms: number) => (ms * sampleRateHz) / 1000;
const lengthOf = (frames: Int16Array[]) => frames.reduce((sum, frame) => sum + frame.length, 0);
