import type { SpokenOver } from "../../../shared/voice/stt.ts";
import { EchoCanceller } from "./echo-canceller.ts";
import type { Frame } from "./echo-messages.ts";

/** What is begun to be said over a reply is still being said when that stops: for about a second. Milliseconds. */
const afterMs = 1_000;

/** A frame of a microphone, or of what is played. */
export interface Over {
  of: SpokenOver;
  pcm: Frame;
  isFirst: boolean;
}

/**
 * What of a microphone is listened to for words such as "stop" while Parley speaks: as echo cancellation leaves it, and
 * without the echo that we take out ourselves; and what is played, to be compared with. Nothing while nothing is said. Pure.
 */
export class SpokenOverFrames {
  readonly #canceller = new EchoCanceller();
  #isSounding = false;
  /** Up to then it is listened to, milliseconds; the time of frames is that of the sound as it comes. */
  #until = Number.NEGATIVE_INFINITY;
  #now = 0;
  #begun = new Set<SpokenOver>();

  /** @param isSounding something is being said that is not paused */
  sounds(isSounding: boolean): void {
    if (this.#isSounding && !isSounding) this.#until = this.#now + afterMs;
    this.#isSounding = isSounding;
  }

  /** @param at when it went to the loudspeaker, milliseconds */
  played(samples: Float32Array, at: number): Over[] {
    this.#now = Math.max(this.#now, at);
    this.#canceller.played(samples, at);
    return this.#over("played", () =>
      Int16Array.from(samples, (sample) => Math.max(-1, Math.min(1, sample)) * 0x7fff),
    );
  }

  /** As the microphone sounds. @param at when it was there, milliseconds @param louder sets its loudness */
  raw(pcm: Frame, at: number, louder: (pcm: Frame) => Frame): Over[] {
    this.#now = Math.max(this.#now, at);
    if (!this.#isListening) this.#canceller.skip(pcm.length, at);
    return this.#over("cleaned", () => louder(this.#canceller.cancelled(pcm, at)));
  }

  /** Behind echo cancellation. */
  aec(pcm: Frame): Over[] {
    return this.#over("cancelled", () => pcm.slice());
  }

  get #isListening(): boolean {
    return this.#isSounding || this.#now <= this.#until;
  }

  #over(of: SpokenOver, frame: () => Frame): Over[] {
    if (!this.#isListening) {
      this.#begun.clear();
      return [];
    }
    const isFirst = !this.#begun.has(of);
    this.#begun.add(of);
    return [{ of, pcm: frame(), isFirst }];
  }
}
