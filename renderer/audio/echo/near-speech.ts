import { EchoPath, type SoundStep } from "./echo-path.ts";
import { EchoRemover } from "./echo-remover.ts";
import { bins, Spectrum, stepMs, stepSamples } from "./spectrum.ts";

/** Of the last so many steps (160 ms) … */
const loudWindowSteps = 10;
/** … so many are loud when somebody speaks: a click or a knock is shorter. */
const minLoudSteps = 7;
/** Over the room's own noise, as a factor of RMS. */
const minOverNoise = 4;
/** RMS, 0–1: softer than this nobody speaks into a microphone. */
const minLevelRms = 0.006;
/** Where the microphone did not hear the loudspeaker before, it shows within so many steps of a reply whether it does now. */
const echoSteps = 32;
/** Where nothing is known it takes longer, about a second: the way from a loudspeaker into a microphone may be slow. */
const clearSteps = 56;
/** Over the echo of the reply: of the last so many steps … */
const echoWindowSteps = 12;
/** … so many have to hold something that is no echo: */
const nearSteps = 6;
/** this much power of what may be an echo of a tone, and of the room's noise, is taken for it; */
const overEcho = { echo: 4, noise: 16 };
/** the rest is this share of the step's power at least. */
const nearShare = 0.25;
/** What was begun to be said over a reply is still being said when that stops: for about a second. */
const afterSteps = 64;

/** How what a microphone hears is listened to; `delayed`: from behind echo cancellation, a moment late. */
export type MicPath = "aec" | "delayed" | "raw";

/**
 * Tells that somebody speaks over a reply from the sound of the microphone alone: echo cancellation takes a second or
 * more to let through a voice over what is played. Where the microphone does not hear the loudspeaker, as with headphones,
 * loudness tells; where it does, what is no echo of what is played. Where the echo drowns a voice, the voice detector
 * behind the echo canceller decides alone. Pure.
 */
export class NearSpeech {
  #noise = Number.POSITIVE_INFINITY;
  #steps: boolean[] = [];
  #isPlaying = false;
  #isPaused = false;
  /** Steps of the reply so far that the microphone was listened to; null once it tells nothing more in this reply. */
  #heard: number | null = null;
  /** As far as is known the microphone does not hear the loudspeaker; holds until it does. */
  #isClear = false;
  /** Steps since a reply fell silent. */
  #silent = Number.POSITIVE_INFINITY;
  /** Speech was told over an echo, and the reply has not gone on since. */
  #isNear = false;
  readonly #echo = new EchoPath();
  readonly #remover = new EchoRemover();
  readonly #spectrum = new Spectrum();
  readonly #playedSpectrum = new Spectrum();
  /** The room's, of each tone. */
  #noises = new Float32Array(bins).fill(Number.POSITIVE_INFINITY);
  /** The latest steps, and which of them held something that is no echo. */
  #recent: { step: SoundStep; isNear: boolean }[] = [];

  /**
   * Plain while there is a reply to cancel out and nothing of it in the microphone: of what the echo canceller lets through
   * a short word is missing. So is the beginning of what is said over an echo: what is heard is held back for a moment
   * while there is one, to be heard raw once the reply has made way.
   */
  get path(): MicPath {
    if (this.#isClear && this.#silent <= afterSteps) return "raw";
    // Not before it has made way: to learn the echo takes a moment, which the pause is not to wait for.
    if (this.#isNear && (this.#isPaused || (!this.#isPlaying && this.#silent <= afterSteps))) return "raw";
    return this.#isPlaying && !this.#isPaused && this.#echo.isKnown ? "delayed" : "aec";
  }

  /** A reply begins, or goes on with its next sentence, or falls silent. */
  playing(isPlaying: boolean): void {
    if (isPlaying && !this.#isPlaying) {
      this.#heard = 0;
      this.#isNear = false;
    }
    if (isPlaying) this.#silent = 0;
    if (!isPlaying) this.#steps = [];
    // What was told of a reply that went on all the same was nothing.
    if (!isPlaying && this.#isPlaying && !this.#isPaused) this.#isNear = false;
    this.#isPlaying = isPlaying;
    this.#isPaused = this.#isPaused && isPlaying;
  }

  /** The reply makes way, or goes on from there. */
  paused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    if (!isPaused) this.#isNear = false;
  }

  /** What goes to the loudspeaker, step by step. @param at when it went there, milliseconds */
  played(samples: Float32Array, at: number): void {
    this.#echo.played({ at, power: this.#playedSpectrum.next(samples) });
    this.#remover.played(samples, at);
  }

  /**
   * @param pcm what the microphone heard, 16 kHz, nothing done to it
   * @param at when it was there, milliseconds
   * @returns true once, when somebody speaks
   */
  add(pcm: Int16Array, at: number): boolean {
    let isSpeech = false;
    this.#remover.heard(pcm, at);
    for (let from = 0; from + stepSamples <= pcm.length; from += stepSamples) {
      const samples = Float32Array.from(pcm.subarray(from, from + stepSamples), (sample) => sample / 0x8000);
      const after = (pcm.length - from - stepSamples) / stepSamples;
      const step = { at: at - after * stepMs, power: this.#spectrum.next(samples) };
      const isNear = this.#isOverEcho(step);
      if (this.#step(rms(samples)) || isNear) isSpeech = true;
    }
    return isSpeech;
  }

  /** @returns a frame that is heard raw, or was a moment ago, without the echo that speech was told over */
  cleaned(pcm: Int16Array<ArrayBuffer>): Int16Array<ArrayBuffer> {
    return this.#isNear ? this.#remover.cleaned(pcm) : pcm;
  }

  #step(level: number): boolean {
    // Falls at once and rises slowly: the quiet between words is the room's.
    this.#noise = level < this.#noise ? level : Math.min(level, Math.max(this.#noise, 1e-4) * 1.01);
    if (!this.#isPlaying) this.#silent += 1;
    if (!this.#isPlaying || this.#heard === null) return false;
    const isLoud = level > Math.max(minLevelRms, minOverNoise * this.#noise);
    this.#steps = [...this.#steps.slice(1 - loudWindowSteps), isLoud];
    this.#heard += 1;
    const loud = this.#steps.filter((one) => one).length;
    if (this.#heard <= (this.#isClear ? echoSteps : clearSteps)) {
      if (loud >= minLoudSteps / 3) {
        this.#heard = null;
        this.#isClear = false;
      } else if (this.#heard === clearSteps) this.#isClear = true;
      return false;
    }
    if (loud < minLoudSteps) return false;
    this.#heard = null;
    // The headphones were taken off.
    if (this.#isEcho()) this.#isClear = false;
    return this.#isClear;
  }

  #isOverEcho(step: SoundStep): boolean {
    const { power } = step;
    this.#noises = this.#noises.map((noise, bin) => {
      const now = power[bin] ?? 0;
      return now < noise ? now : Math.min(now, Math.max(noise, 1e-11) * 1.02);
    });
    const wasNear = this.#recent.filter(({ isNear }) => isNear).length;
    const echo = this.#echo.expected(step, wasNear >= nearSteps / 2);
    if (!echo) {
      this.#recent = [];
      return false;
    }
    let all = 0;
    let rest = 0;
    for (const [bin, now] of power.entries()) {
      all += now;
      const known = overEcho.echo * (echo[bin] ?? 0) + overEcho.noise * (this.#noises[bin] ?? 0);
      rest += Math.max(0, now - known);
    }
    const isNear = rest > nearShare * all && Math.sqrt(rest) > minLevelRms;
    this.#recent = [...this.#recent.slice(1 - echoWindowSteps), { step, isNear }];
    if (!isNear || this.#isClear || !this.#echo.isKnown) return false;
    if (!this.#isPlaying || this.#isPaused || this.#isNear) return false;
    if (this.#recent.filter((one) => one.isNear).length < nearSteps) return false;
    this.#isNear = !this.#isEcho();
    if (this.#isNear) this.#remover.learn();
    return this.#isNear;
  }

  /** Whether what was taken for something else is an echo all the same, of another kind than those before. */
  #isEcho(): boolean {
    return this.#echo.explains(this.#recent.flatMap(({ step, isNear }) => (isNear ? [step] : [])));
  }
}

function rms(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
}
