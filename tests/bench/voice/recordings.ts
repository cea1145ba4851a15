import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clipSamples, sampleRateHz } from "../../e2e/support/machine/audio.ts";

/** The clips of the fixtures, and the sample after each one's last sound of speech. */
export const speechEnds: Readonly<Record<string, number>> = table("speech-ends.json");
/** Samples between words of each clip where a speaker could stop to think. */
export const thinkingPauses: Readonly<Record<string, number[]>> = table("pauses.json");

/** Numbers from 0 up to 1 that look random and are the same at every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What a quiet room sounds like. @param samples how many of them */
export function roomNoise(samples: number, random: () => number): number[] {
  return Array.from({ length: samples }, () => (random() * 2 - 1) * roomLevel);
}
const roomLevel = 0.001;

export interface LongRecording {
  samples: number[];
  /** One for each utterance: from the middle of the pause before it to the middle of the one after. */
  slots: { name: string; from: number; to: number }[];
}

/** The clips again and again, `count` in all: each at another offset and loudness (−10 to 0 dB), after another pause. */
export function longRecording(count: number): LongRecording {
  const random = seeded(7);
  const between = (low: number, high: number) => low + (high - low) * random();
  const names = Object.keys(speechEnds);
  const samples = roomNoise(sampleRateHz, random);
  const slots: LongRecording["slots"] = [];
  let from = 0;
  for (let index = 0; index < count; index++) {
    const name = names[Math.floor(random() * names.length)] ?? "";
    const gain = 10 ** (between(-10, 0) / 20);
    for (const sample of clipSamples(name)) samples.push(sample * gain);
    const pause = Math.round(between(0.7, 2.5) * sampleRateHz);
    for (const sample of roomNoise(pause, random)) samples.push(sample);
    const to = samples.length - Math.round(pause / 2);
    slots.push({ name, from, to });
    from = to;
  }
  return { samples, slots };
}

export interface PausedRecording {
  name: string;
  samples: number[];
  /** Where the speaker stops and goes on, in samples. */
  pauses: { from: number; to: number }[];
}

/**
 * Every clip so many times, with a pause of 300–900 ms at each of its places for one: every length about equally often.
 */
export function pausedRecordings(rounds: number): PausedRecording[] {
  const random = seeded(11);
  const all = Object.entries(thinkingPauses);
  const count = rounds * all.reduce((sum, [, cuts]) => sum + cuts.length, 0);
  const lengths = Array.from({ length: count }, (_, index) => 300 + (600 * index) / (count - 1));
  const recordings: PausedRecording[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [name, cuts] of all) {
      const clip = clipSamples(name);
      const samples = roomNoise(sampleRateHz / 2, random);
      const pauses: PausedRecording["pauses"] = [];
      for (const [index, cut] of [...cuts, clip.length].entries()) {
        for (const sample of clip.slice(cuts[index - 1] ?? 0, cut)) samples.push(sample);
        if (cut === clip.length) break;
        const [ms = 0] = lengths.splice(Math.floor(random() * lengths.length), 1);
        const from = samples.length;
        for (const sample of roomNoise(Math.round((ms * sampleRateHz) / 1000), random)) samples.push(sample);
        pauses.push({ from, to: samples.length });
      }
      for (const sample of roomNoise(2.5 * sampleRateHz, random)) samples.push(sample);
      recordings.push({ name, samples, pauses });
    }
  }
  return recordings;
}

function table(name: string) {
  return JSON.parse(readFileSync(join(import.meta.dirname, "../../fixtures/audio", name), "utf8"));
}
