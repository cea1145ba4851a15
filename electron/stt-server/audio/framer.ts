import sherpa from "sherpa-onnx-node";
import { frameSamples, sampleRateHz } from "../../../shared/voice/stt.ts";
import type { AudioFrame } from "./audio-source.ts";

/** Cuts mono audio of any rate into 16 kHz frames of `frameSamples`. */
export class Framer {
  readonly #resampler: InstanceType<typeof sherpa.LinearResampler> | null;
  #frame = new Int16Array(frameSamples);
  #filled = 0;
  #sampleIndex = 0;

  /** @param rateHz of the samples that come in */
  constructor(rateHz: number) {
    this.#resampler = rateHz === sampleRateHz ? null : new sherpa.LinearResampler(rateHz, sampleRateHz);
  }

  /** @param samples −1…1 */
  push(samples: Float32Array): AudioFrame[] {
    return this.#cut(this.#resampler?.resample(samples) ?? samples);
  }

  /** The rest, the last frame filled up with silence. */
  flush(): AudioFrame[] {
    const frames = this.#cut(this.#resampler?.flush(new Float32Array(0)) ?? new Float32Array(0));
    if (this.#filled === 0) return frames;
    this.#frame.fill(0, this.#filled);
    return [...frames, this.#next()];
  }

  #cut(samples: Float32Array): AudioFrame[] {
    const frames: AudioFrame[] = [];
    for (const sample of samples) {
      this.#frame[this.#filled++] = toInt16(sample);
      if (this.#filled === frameSamples) frames.push(this.#next());
    }
    return frames;
  }

  #next(): AudioFrame {
    const frame = { sampleIndex: this.#sampleIndex, pcm: this.#frame };
    this.#sampleIndex += frameSamples;
    this.#frame = new Int16Array(frameSamples);
    this.#filled = 0;
    return frame;
  }
}

function toInt16(sample: number): number {
  return Math.round(Math.max(-32_768, Math.min(32_767, sample * 32_768)));
}
