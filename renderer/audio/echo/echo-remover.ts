import { EchoTiming } from "./echo-timing.ts";
import { impulseResponse } from "./impulse-response.ts";
import { SoundLog } from "./sound-log.ts";

/** What is learned from, in samples: a second … */
const learnedSamples = 16_000;
/** … that was over 320 ms ago: somebody speaks since then. */
const unlearnedSamples = 5_120;
/** An echo sounds on for so long (32 ms), and begins so much before the moment that was found. Samples. */
const tapSamples = 512;
const earlySamples = 64;
/** An echo that is not understood at least so well, as a share of the power that is left, is left alone. */
const maxLeftShare = 0.3;
/** Sound that is lost moves it by up to so many samples at a time (16 ms); that it did shows in what is left: so much less. */
const maxJumpSamples = 256;
const minGain = 0.75;
/** Of the echo's power so much is never taken out; what is no more than that is softened, so many samples at a time. */
const residueShare = 0.03;
const floorGain = 0.05;
const partSamples = 128;
/** Loudness (RMS, 0–1) of the noise that fills the silence: out of nothing a recogniser hears words that are not there. */
const comfortRms = 0.002;

interface Path {
  timing: EchoTiming;
  response: Float64Array;
  /** Samples that it came later, since sound was lost on its way. */
  late: number;
}

/**
 * Takes the echo of what is played out of what a microphone hears. While a reply plays it only keeps both; when somebody
 * speaks over it, the way from the loudspeaker into the microphone is learned at once from the last seconds: when
 * the echo comes, by how much the two devices' clocks differ, and how it sounds. Pure.
 */
export class EchoRemover {
  readonly #played = new SoundLog();
  readonly #heard = new SoundLog();
  #frames: { pcm: Int16Array; from: number }[] = [];
  #path: Path | null = null;
  /** Up to where it is to be learned, when it is wanted first; null once it was. */
  #learnsTo: number | null = null;
  #gain = 1;
  #noise = 1;

  /** @param at when it went to the loudspeaker, milliseconds */
  played(samples: Float32Array, at: number): void {
    this.#played.add(samples, at);
  }

  /** @param at when it was there, milliseconds */
  heard(pcm: Int16Array, at: number): void {
    const from = this.#heard.end;
    this.#heard.add(
      Float32Array.from(pcm, (sample) => sample / 0x8000),
      at,
    );
    this.#frames = [...this.#frames.slice(-32), { pcm, from }];
  }

  /** Somebody speaks since a moment: what is heard from now on, and was until now, is to be without the echo. */
  learn(): void {
    this.#path = null;
    this.#learnsTo = this.#heard.end;
  }

  /** Takes some hundredths of a second, so whoever waits for the reply to make way is told before. */
  #learn(now: number): void {
    const to = now - unlearnedSamples;
    const heard = this.#heard.between(to - learnedSamples, to);
    const timing = EchoTiming.of(this.#played, this.#heard, { from: to - learnedSamples, to });
    if (!timing) return;
    const played = timing.played(to - learnedSamples - tapSamples + earlySamples, to + earlySamples);
    const response = impulseResponse(played, heard, tapSamples);
    const echo = echoOf(played, response);
    if (left(heard, echo, 0) < maxLeftShare * power(heard)) this.#path = { timing, response, late: 0 };
  }

  /** @returns a frame that was heard a moment ago, without the echo as far as that is known; frames go one after the other */
  cleaned(pcm: Int16Array<ArrayBuffer>): Int16Array<ArrayBuffer> {
    if (this.#learnsTo !== null) this.#learn(this.#learnsTo);
    this.#learnsTo = null;
    const from = this.#frames.find((frame) => frame.pcm === pcm)?.from;
    if (!this.#path || from === undefined) return pcm;
    const { timing, response, late } = this.#path;
    const [first, last] = [from - late - maxJumpSamples, from - late + pcm.length + maxJumpSamples];
    const echo = echoOf(timing.played(first - tapSamples + earlySamples, last + earlySamples), response);
    const heard = this.#heard.between(from, from + pcm.length);
    let [best, bestPower] = [0, minGain * left(heard, echo, maxJumpSamples)];
    for (let more = -maxJumpSamples; more <= maxJumpSamples; more++) {
      const now = left(heard, echo, maxJumpSamples - more);
      if (now < bestPower) [best, bestPower] = [more, now];
    }
    this.#path.late += best;
    const sound = heard.map((sample, at) => sample - (echo[at + maxJumpSamples - best] ?? 0));
    this.#soften(sound, echo.subarray(maxJumpSamples - best));
    this.#fill(sound);
    return Int16Array.from(sound, (sample) => Math.max(-1, Math.min(1, sample)) * 0x7fff);
  }

  #fill(sound: Float64Array): void {
    for (const [at, sample] of sound.entries()) {
      // The same each time, so that what is heard can be repeated (Numerical Recipes' generator).
      this.#noise = (Math.imul(this.#noise, 1_664_525) + 1_013_904_223) >>> 0;
      sound[at] = sample + comfortRms * Math.sqrt(3) * (this.#noise / 0x80000000 - 1);
    }
  }

  /** What is left may be of the echo where it is that soft beside it. */
  #soften(sound: Float64Array, echo: Float64Array): void {
    for (let from = 0; from < sound.length; from += partSamples) {
      const block = sound.subarray(from, from + partSamples);
      const share =
        (residueShare * power(echo.subarray(from, from + partSamples))) / Math.max(1e-9, power(block));
      const [before, gain] = [this.#gain, Math.max(floorGain, 1 - share)];
      for (const [at, sample] of block.entries())
        block[at] = sample * (before + ((gain - before) * at) / partSamples);
      this.#gain = gain;
    }
  }
}

/** The power of what is left. */
function left(heard: Float64Array, echo: Float64Array, from: number): number {
  let sum = 0;
  for (let at = 0; at < heard.length; at++) sum += ((heard[at] ?? 0) - (echo[from + at] ?? 0)) ** 2;
  return sum;
}

/** @param played begins as many samples before its echo as the response has */
function echoOf(played: Float64Array, response: Float64Array): Float64Array {
  const { length } = response;
  return Float64Array.from({ length: played.length - length }, (_, at) => {
    let echo = 0;
    for (let tap = 0; tap < length; tap++) echo += (response[tap] ?? 0) * (played[at + length - tap] ?? 0);
    return echo;
  });
}

const power = (samples: Float64Array) => samples.reduce((sum, sample) => sum + sample * sample, 0);
