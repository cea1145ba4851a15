import { sampleRateHz } from "../../../shared/voice/stt.ts";

/** Samples that are kept: four seconds. */
const keptSamples = 0x10000;

/** The latest seconds of a sound, by the number of each sample. */
export class SoundLog {
  readonly #samples = new Float32Array(keptSamples);
  #end = 0;
  /** When the last sample was there, milliseconds. */
  #at = 0;

  /** The number of the next sample. */
  get end(): number {
    return this.#end;
  }

  /** @param at when the last of them was there */
  add(samples: Float32Array, at: number): void {
    for (const sample of samples) this.#samples[this.#end++ % keptSamples] = sample;
    this.#at = at;
  }

  /** @returns the number of the sample of a moment, a whole one or not */
  indexAt(ms: number): number {
    return this.#end + ((ms - this.#at) * sampleRateHz) / 1000;
  }

  /** @returns when a sample was there, milliseconds */
  timeOf(index: number): number {
    return this.#at + ((index - this.#end) * 1000) / sampleRateHz;
  }

  /** @returns silence for what is not kept, or not there yet */
  sample(index: number): number {
    const isKept = index >= 0 && index < this.#end && index >= this.#end - keptSamples;
    return isKept ? (this.#samples[index % keptSamples] ?? 0) : 0;
  }

  between(from: number, to: number): Float64Array {
    return Float64Array.from({ length: to - from }, (_, index) => this.sample(from + index));
  }
}
