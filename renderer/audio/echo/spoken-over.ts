import type { SpokenOver } from "../../../shared/voice/stt.ts";
import { EchoCanceller } from "./echo-canceller.ts";
import type { Frame } from "./echo-messages.ts";
import { LeftEcho } from "./left-echo.ts";

/** What is begun to be said over a reply is still being said when that stops: for about a second. Milliseconds. */
const afterMs = 1_000;

/**
 * A voice beside what is played, at least. The browser's echo cancellation is nearly perfect, and now and then lets through some of an
 * echo, but no more than this.
 */
const leastDb = { cleaned: -18, cancelled: -10 };

/** What is known of the echo in a microphone: how to take it out, and how loud what is left of it is. */
export class KnownEcho {
  readonly canceller = new EchoCanceller();
  readonly left = { cleaned: new LeftEcho(leastDb.cleaned), cancelled: new LeftEcho(leastDb.cancelled) };
}

/** A frame of a microphone, or of what is played. `isNear`: it holds more than what is left of an echo. */
export interface Over {
  of: SpokenOver;
  pcm: Frame;
  isFirst: boolean;
  isNear: boolean;
}

/**
 * What of a microphone is listened to for words such as "stop" while Parley speaks: as echo cancellation leaves it, and
 * without the echo that we take out ourselves; and what is played, to be compared with. Nothing while nothing is said. Pure.
 */
export class SpokenOverFrames {
  readonly #echo: KnownEcho;
  #isSounding = false;
  /** Up to then it is listened to, milliseconds; the time of frames is that of the sound as it comes. */
  #until = Number.NEGATIVE_INFINITY;
  #now = 0;
  #begun = new Set<SpokenOver>();

  /** @param echo what is known of it, and is learned from now on */
  constructor(echo = new KnownEcho()) {
    this.#echo = echo;
  }

  /** @param isSounding something is being said that is not paused */
  sounds(isSounding: boolean): void {
    if (this.#isSounding && !isSounding) this.#until = this.#now + afterMs;
    this.#isSounding = isSounding;
  }

  /** @param at when it went to the loudspeaker, milliseconds */
  played(samples: Float32Array, at: number): Over[] {
    this.#now = Math.max(this.#now, at);
    this.#echo.canceller.played(samples, at);
    for (const left of Object.values(this.#echo.left)) left.played(samples);
    return this.#over("played", () => ({
      pcm: Int16Array.from(samples, (sample) => Math.max(-1, Math.min(1, sample)) * 0x7fff),
      isNear: false,
    }));
  }

  /** As the microphone sounds. @param at when it was there, milliseconds @param louder sets its loudness */
  raw(pcm: Frame, at: number, louder: (pcm: Frame) => Frame): Over[] {
    this.#now = Math.max(this.#now, at);
    if (!this.#isListening) this.#echo.canceller.skip(pcm.length, at);
    return this.#over("cleaned", () => {
      const cleaned = this.#echo.canceller.cancelled(pcm, at);
      return { pcm: louder(cleaned), isNear: this.#echo.left.cleaned.isNear(cleaned) };
    });
  }

  /** Behind echo cancellation. */
  aec(pcm: Frame): Over[] {
    return this.#over("cancelled", () => ({
      pcm: pcm.slice(),
      isNear: this.#echo.left.cancelled.isNear(pcm),
    }));
  }

  get #isListening(): boolean {
    return this.#isSounding || this.#now <= this.#until;
  }

  #over(of: SpokenOver, frame: () => Pick<Over, "pcm" | "isNear">): Over[] {
    if (!this.#isListening) {
      this.#begun.clear();
      return [];
    }
    const isFirst = !this.#begun.has(of);
    this.#begun.add(of);
    return [{ of, isFirst, ...frame() }];
  }
}
