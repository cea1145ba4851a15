import { sampleRateHz } from "../../../shared/voice/stt.ts";
import { Fourier } from "./fourier.ts";

/** Samples that are cancelled at a time: a frame, 32 ms. */
const blockSamples = 512;
const windowSamples = 2 * blockSamples;
const bins = blockSamples + 1;
/** An echo comes within so many blocks: 512 ms, of which a room's tail is a part. */
const blocks = 16;
/** Of the filter so much is kept from block to block: what is not, the room may have changed. */
const kept = 0.999;
/** How fast the power of what is no echo is followed, from block to block. */
const followed = 0.8;
/** The uncertainty of a filter that nothing is known of, as a gain in power. */
const unknownPower = 0.3;
/** In each block the filter of so many parts is cut to its length. */
const cutAtATime = 4;
/** Of what is left so much, in power, is taken for no echo, however little of the room is known. */
const leastNear = 0.1;
/** What comes further from its time than so many samples (30 ms) was opened anew, or has lost some before. */
const maxOffSamples = 480;
/** Samples that are kept of what was played: four seconds. */
const keptSamples = 0x10000;
/** Loudness (RMS, 0–1) of the noise that fills what is left: out of nothing a recogniser hears words. */
const comfortRms = 0.001;

/**
 * Takes the echo of what is played out of what a microphone hears, all the time: a filter in parts for each tone, which
 * follows the room (a Kalman filter), and learns little while somebody speaks. How late the echo comes need not be known, and
 * a room may resound for some tenths of a second. Pure.
 */
export class EchoCanceller {
  readonly #fourier = new Fourier(windowSamples);
  readonly #played = new Float64Array(keptSamples);
  #playedEnd = 0;
  #heardEnd: number | null = null;
  /** The spectra of the latest blocks of what was played, the newest first. */
  #spectra: { re: Float64Array; im: Float64Array; power: Float64Array }[] = [];
  readonly #parts = Array.from({ length: blocks }, () => ({
    re: new Float64Array(bins),
    im: new Float64Array(bins),
    error: new Float64Array(bins).fill(unknownPower),
  }));
  readonly #near = new Float64Array(bins);
  #cutNext = 0;
  #noise = 1;

  /** @param at when the last of them went to the loudspeaker, milliseconds */
  played(samples: Float32Array, at: number): void {
    const end = Math.round((at * sampleRateHz) / 1000);
    const next = this.#playedEnd + samples.length;
    this.#advance(Math.abs(end - next) > maxOffSamples ? end - samples.length : this.#playedEnd);
    for (const sample of samples) this.#played[this.#playedEnd++ % keptSamples] = sample;
  }

  /** @param at when the last sample was there, milliseconds @returns the frame without the echo */
  cancelled(pcm: Int16Array, at: number): Int16Array<ArrayBuffer> {
    this.#listen(this.#heard(pcm.length, at));
    const [re, im] = this.#echo();
    this.#fourier.inverse(re, im);
    const errorRe = new Float64Array(windowSamples);
    const errorIm = new Float64Array(windowSamples);
    for (let index = 0; index < blockSamples; index++)
      errorRe[blockSamples + index] = (pcm[index] ?? 0) / 0x8000 - (re[blockSamples + index] ?? 0);
    const left = errorRe.slice(blockSamples);
    this.#fourier.forward(errorRe, errorIm);
    this.#learn(errorRe, errorIm);
    return this.#asSound(left);
  }

  /** A frame that nobody needs: its time goes by. @param at as in `cancelled` */
  skip(samples: number, at: number): void {
    this.#heard(samples, at);
    this.#spectra = [];
  }

  /** @returns the number of the sample after those that were heard */
  #heard(samples: number, at: number): number {
    const end = Math.round((at * sampleRateHz) / 1000);
    const next = this.#heardEnd === null ? end : this.#heardEnd + samples;
    // By the count of samples: the times of two frames are not that exact.
    const isElsewhere = Math.abs(end - next) > maxOffSamples;
    // What was played before a gap has died away.
    if (isElsewhere) this.#spectra = [];
    this.#heardEnd = isElsewhere ? end : next;
    return this.#heardEnd;
  }

  /** Nothing is known of what lies between. */
  #advance(to: number): void {
    if (to <= this.#playedEnd) return;
    if (to - this.#playedEnd > keptSamples) this.#played.fill(0);
    else for (let at = this.#playedEnd; at < to; at++) this.#played[at % keptSamples] = 0;
    this.#playedEnd = to;
  }

  /** Takes up the latest block of what was played, as it was at that sample. */
  #listen(end: number): void {
    const re = new Float64Array(windowSamples);
    const im = new Float64Array(windowSamples);
    for (let index = 0; index < windowSamples; index++) {
      const at = end - windowSamples + index;
      const isThere = at >= 0 && at < this.#playedEnd && at >= this.#playedEnd - keptSamples;
      re[index] = isThere ? (this.#played[at % keptSamples] ?? 0) : 0;
    }
    this.#fourier.forward(re, im);
    const power = new Float64Array(bins);
    for (let bin = 0; bin < bins; bin++) power[bin] = (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
    this.#spectra = [{ re, im, power }, ...this.#spectra.slice(0, blocks - 1)];
  }

  /** The spectrum of what the filter makes of what was played. */
  #echo(): [Float64Array, Float64Array] {
    const re = new Float64Array(windowSamples);
    const im = new Float64Array(windowSamples);
    for (const [index, spectrum] of this.#spectra.entries()) {
      const part = this.#parts[index];
      if (!part) break;
      for (let bin = 0; bin < bins; bin++) {
        const [x = 0, y = 0, a = 0, b = 0] = [spectrum.re[bin], spectrum.im[bin], part.re[bin], part.im[bin]];
        re[bin] = (re[bin] ?? 0) + x * a - y * b;
        im[bin] = (im[bin] ?? 0) + x * b + y * a;
      }
    }
    mirror(re, im);
    return [re, im];
  }

  #learn(errorRe: Float64Array, errorIm: Float64Array): void {
    const share = new Float64Array(bins);
    for (let bin = 0; bin < bins; bin++) {
      const power = (errorRe[bin] ?? 0) ** 2 + (errorIm[bin] ?? 0) ** 2;
      let unsure = 0;
      for (const [index, spectrum] of this.#spectra.entries())
        unsure += (spectrum.power[bin] ?? 0) * (this.#parts[index]?.error[bin] ?? 0);
      const near = Math.max(leastNear * power, power - 0.5 * unsure);
      this.#near[bin] = followed * (this.#near[bin] ?? 0) + (1 - followed) * near;
      share[bin] = 1 / (2 * (this.#near[bin] ?? 0) + unsure + 1e-9);
    }
    for (const [index, spectrum] of this.#spectra.entries()) {
      const part = this.#parts[index];
      if (!part) break;
      for (let bin = 0; bin < bins; bin++) {
        const error = part.error[bin] ?? 0;
        const step = error * (share[bin] ?? 0);
        const [x = 0, y = 0] = [spectrum.re[bin], spectrum.im[bin]];
        const [a = 0, b = 0] = [errorRe[bin], errorIm[bin]];
        const re = kept * ((part.re[bin] ?? 0) + step * (x * a + y * b));
        const im = kept * ((part.im[bin] ?? 0) + step * (x * b - y * a));
        part.re[bin] = re;
        part.im[bin] = im;
        const after = (1 - 0.5 * step * (spectrum.power[bin] ?? 0)) * error;
        part.error[bin] = kept ** 2 * after + (1 - kept ** 2) * (re * re + im * im);
      }
    }
    for (let count = 0; count < cutAtATime; count++) this.#cut(this.#cutNext++ % blocks);
  }

  /** The filter of a part is no longer than the part. */
  #cut(index: number): void {
    const part = this.#parts[index];
    if (!part) return;
    const re = new Float64Array(windowSamples);
    const im = new Float64Array(windowSamples);
    re.set(part.re);
    im.set(part.im);
    mirror(re, im);
    this.#fourier.inverse(re, im);
    re.fill(0, blockSamples);
    im.fill(0);
    this.#fourier.forward(re, im);
    part.re.set(re.subarray(0, bins));
    part.im.set(im.subarray(0, bins));
  }

  #asSound(left: Float64Array): Int16Array<ArrayBuffer> {
    return Int16Array.from(left, (sample) => {
      // The same each time, so that what is heard can be repeated (Numerical Recipes' generator).
      this.#noise = (Math.imul(this.#noise, 1_664_525) + 1_013_904_223) >>> 0;
      const filled = sample + comfortRms * Math.sqrt(3) * (this.#noise / 0x80000000 - 1);
      return Math.max(-1, Math.min(1, filled)) * 0x7fff;
    });
  }
}

/** The upper half of the spectrum of a real sound follows from the lower one. */
function mirror(re: Float64Array, im: Float64Array): void {
  for (let bin = 1; bin < blockSamples; bin++) {
    re[windowSamples - bin] = re[bin] ?? 0;
    im[windowSamples - bin] = -(im[bin] ?? 0);
  }
}
