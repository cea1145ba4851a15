import { capture } from "./capture.ts";

/** Loudness is taken over so many samples: 16 ms. */
const stepSamples = 256;
/** Of the last so many steps (160 ms) … */
const window = 10;
/** … so many are loud when somebody speaks: a click or a knock is shorter. */
const loudSteps = 7;
/** Over the room's own noise, as a factor of RMS. */
const overNoise = 4;
/** RMS, 0–1: softer than this nobody speaks into a microphone. */
const minLevel = 0.006;
/** Where the microphone did not hear the loudspeaker before, it shows within so many steps of a reply whether it does now. */
const echoSteps = 32;
/** Where nothing is known it takes longer, about a second: the way from a loudspeaker into a microphone may be slow. */
const clearSteps = 56;
/** What was begun to be said over a reply is still being said when that stops: for about a second. */
const afterSteps = 64;

/**
 * Tells that somebody speaks over a reply from loudness alone, where the microphone does not hear the loudspeaker, as
 * with headphones: echo cancellation takes up to a second to let through a voice over what is played. Where the reply
 * itself comes back, loudness tells nothing, and the voice detector behind the echo canceller decides alone. Pure.
 */
export class NearSpeech {
  #noise = Number.POSITIVE_INFINITY;
  #steps: boolean[] = [];
  #isPlaying = false;
  /** Steps of the reply so far that the microphone was listened to; null once it tells nothing more in this reply. */
  #heard: number | null = null;
  /** As far as is known the microphone does not hear the loudspeaker; holds until it does. */
  #isClear = false;
  /** Steps since a reply fell silent. */
  #silent = Number.POSITIVE_INFINITY;

  /**
   * There is a reply to cancel out, and nothing of it in the microphone: what that hears is whole, while of what the
   * echo canceller lets through a short word is missing.
   */
  get isClear(): boolean {
    return this.#isClear && this.#silent <= afterSteps;
  }

  /** A reply begins, or goes on, or falls silent. */
  playing(isPlaying: boolean): void {
    if (isPlaying && !this.#isPlaying) this.#heard = 0;
    if (isPlaying) this.#silent = 0;
    if (!isPlaying) this.#steps = [];
    this.#isPlaying = isPlaying;
  }

  /** @param pcm what the microphone heard, 16 kHz, nothing done to it @returns true once, when somebody speaks */
  add(pcm: Int16Array): boolean {
    let isSpeech = false;
    for (let at = 0; at + stepSamples <= pcm.length; at += stepSamples) {
      if (this.#step(rms(pcm.subarray(at, at + stepSamples)))) isSpeech = true;
    }
    return isSpeech;
  }

  #step(level: number): boolean {
    // Falls at once and rises slowly: the quiet between words is the room's.
    this.#noise = level < this.#noise ? level : Math.min(level, Math.max(this.#noise, 1e-4) * 1.01);
    if (!this.#isPlaying) this.#silent += 1;
    if (!this.#isPlaying || this.#heard === null) return false;
    const isLoud = level > Math.max(minLevel, overNoise * this.#noise);
    this.#steps = [...this.#steps.slice(1 - window), isLoud];
    this.#heard += 1;
    const loud = this.#steps.filter((one) => one).length;
    if (this.#heard <= (this.#isClear ? echoSteps : clearSteps)) {
      if (loud >= loudSteps / 3) {
        this.#heard = null;
        this.#isClear = false;
      } else if (this.#heard === clearSteps) this.#isClear = true;
      return false;
    }
    if (loud < loudSteps) return false;
    this.#heard = null;
    return true;
  }
}

function rms(pcm: Int16Array): number {
  let sum = 0;
  for (const sample of pcm) sum += (sample / 0x8000) ** 2;
  return Math.sqrt(sum / pcm.length);
}

/** The one microphone that is open beside what is played. */
export const nearSpeech = new NearSpeech();
let tell = () => {};

/** @param listener somebody speaks over the reply */
export function onNearSpeech(listener: () => void): void {
  tell = listener;
}

/**
 * Listens to a microphone that is open already a second time, as it sounds.
 * @param onFrame is given each frame of it @returns what ends it
 */
export async function openNearEar(
  deviceId: string,
  onFrame: (pcm: Int16Array<ArrayBuffer>) => void,
): Promise<() => void> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: {
      ...{ echoCancellation: false, noiseSuppression: false, autoGainControl: false, channelCount: 1 },
      deviceId: { exact: deviceId },
    },
  });
  const ear = await capture(stream, {
    onFrame: ({ pcm }) => {
      if (nearSpeech.add(pcm)) tell();
      onFrame(pcm);
    },
    onLost: () => {},
  });
  return ear.close;
}
