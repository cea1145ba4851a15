import { sampleRateHz } from "../../../shared/voice/stt.ts";
import type { SpeechSpan } from "./sherpa-words.ts";

/** A tenth of a syllable. */
const stepSamples = sampleRateHz / 50;
/** What is softer than this share of the loudest step is no speech. */
const minShare = 0.1;

/** From where to where there is speech in a sound that has some: by loudness alone, since it is known that somebody speaks. */
export function speechSpan(samples: Float32Array, offsetMs: number): SpeechSpan {
  const steps = Array.from({ length: Math.ceil(samples.length / stepSamples) }, (_, index) =>
    samples
      .subarray(index * stepSamples, (index + 1) * stepSamples)
      .reduce((sum, sample) => sum + Math.abs(sample), 0),
  );
  const least = steps.reduce((most, step) => Math.max(most, step), 0) * minShare;
  const first = Math.max(
    0,
    steps.findIndex((step) => step >= least),
  );
  const last = steps.findLastIndex((step) => step >= least);
  const toMs = (at: number) => offsetMs + (Math.min(samples.length, at * stepSamples) * 1000) / sampleRateHz;
  return { startMs: toMs(first), endMs: toMs(last + 1) };
}
