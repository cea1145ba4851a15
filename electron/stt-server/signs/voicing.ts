import { sampleRateHz } from "../../../shared/voice/stt.ts";

/** Half the rate is enough: the pitch of a voice lies far below. */
const rateHz = sampleRateHz / 2;
const stepMs = 10;
const stepSamples = (rateHz * stepMs) / 1000;
/** A part that is compared with the one a period later: 25 ms. */
const partSamples = rateHz / 40;
/** The periods of a voice, from 400 Hz down to 70 Hz, in samples. */
const periods = { shortest: rateHz / 400, longest: Math.floor(rateHz / 70) };
/** From this likeness on a part has a pitch; 1: it is the same one period later. */
const voicedFrom = 0.6;
/** Parts softer than this share of the loudest ones are silence. */
const minShare = 0.15;
/** The loudest parts but for a few: a click must not set the scale. */
const loudest = 0.98;

/** How much of a sound has the pitch of a voice: vowels do, the burst of a cough hardly. */
interface Voicing {
  /** Milliseconds that are not silence. */
  soundMs: number;
  /** The share of them that has a pitch, 0–1. */
  voicedShare: number;
  /** The longest time in one piece that has a pitch, in milliseconds. */
  voicedMs: number;
}

/** By autocorrelation. Takes a few milliseconds for a second of sound. @param pcm 16 kHz mono */
export function voicingOf(pcm: Int16Array): Voicing {
  const samples = halved(pcm);
  const count = Math.max(0, Math.floor((samples.length - partSamples - periods.longest) / stepSamples));
  const parts = Array.from({ length: count }, (_, index) => index * stepSamples);
  const energies = parts.map((at) => energyOf(samples, at));
  const loud = energies.toSorted((one, other) => one - other)[Math.floor(count * loudest)] ?? 0;
  let [soundSteps, voicedSteps, run, longestRun] = [0, 0, 0, 0];
  for (const [index, at] of parts.entries()) {
    const energy = energies[index] ?? 0;
    const isSound = energy > 0 && energy >= loud * minShare ** 2;
    const isVoiced = isSound && isPeriodic(samples, at, energy);
    if (isSound) soundSteps += 1;
    if (isVoiced) voicedSteps += 1;
    run = isVoiced ? run + 1 : 0;
    longestRun = Math.max(longestRun, run);
  }
  return {
    soundMs: soundSteps * stepMs,
    voicedShare: soundSteps === 0 ? 0 : voicedSteps / soundSteps,
    voicedMs: longestRun * stepMs,
  };
}

function isPeriodic(samples: Float32Array, at: number, energy: number): boolean {
  let laterEnergy = energyOf(samples, at + periods.shortest);
  for (let period = periods.shortest; period <= periods.longest; period++) {
    let likeness = 0;
    for (let i = at; i < at + partSamples; i++) likeness += (samples[i] ?? 0) * (samples[i + period] ?? 0);
    if (likeness >= voicedFrom * Math.sqrt(energy * laterEnergy) && likeness > 0) return true;
    const [first = 0, next = 0] = [samples[at + period], samples[at + period + partSamples]];
    laterEnergy = Math.max(0, laterEnergy + next ** 2 - first ** 2);
  }
  return false;
}

function energyOf(samples: Float32Array, at: number): number {
  let sum = 0;
  for (let i = at; i < at + partSamples; i++) sum += (samples[i] ?? 0) ** 2;
  return sum;
}

/** Half the samples, around zero: rumble has a period, too. */
function halved(pcm: Int16Array): Float32Array {
  let mean = 0;
  return Float32Array.from({ length: pcm.length >> 1 }, (_, index) => {
    const sample = ((pcm[2 * index] ?? 0) + (pcm[2 * index + 1] ?? 0)) / 2;
    mean += (sample - mean) / 50;
    return sample - mean;
  });
}
