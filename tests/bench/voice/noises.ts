import { sampleRateHz } from "../../e2e/support/machine/audio.ts";
import { seeded } from "./recordings.ts";

type Random = () => number;
/** A sound of nobody's, as samples from −1 to 1. */
type Noise = (samples: number, random: Random) => number[];

/** So many minutes without a word: silence, a fan, hum, typing, knocks and music, ten seconds each, soft and loud. */
export function nobodySpeaks(minutes: number): number[] {
  const random = seeded(23);
  const samples: number[] = [];
  const piece = 10 * sampleRateHz;
  for (let index = 0; index < minutes * 6; index++) {
    const noise = noises[index % noises.length] ?? silent;
    const level = 10 ** (-(3 + 30 * random()) / 20);
    for (const sample of noise(piece, random)) samples.push(Math.max(-1, Math.min(1, sample * level)));
  }
  return samples;
}

const silent: Noise = (samples) => new Array<number>(samples).fill(0);
const white: Noise = (samples, random) => Array.from({ length: samples }, () => random() * 2 - 1);

/** Each sample close to the one before: a fan, the street behind a window. */
const brown: Noise = (samples, random) => {
  let last = 0;
  return Array.from({ length: samples }, () => {
    last = 0.98 * last + 0.2 * (random() * 2 - 1);
    return last;
  });
};

/** The mains and what they make buzz. */
const hum: Noise = (samples) =>
  Array.from({ length: samples }, (_, index) =>
    [50, 100, 150, 250].reduce((sum, hz, order) => sum + sine(hz, index) / (order + 2), 0),
  );

/** Short bursts at a typist's pace. */
const typing: Noise = (samples, random) => bursts(samples, random, { everyMs: 140, lengthMs: 12, hz: 2_300 });

/** Doors, cups, steps. */
const knocks: Noise = (samples, random) => bursts(samples, random, { everyMs: 700, lengthMs: 90, hz: 160 });

function bursts(
  samples: number,
  random: Random,
  { everyMs, lengthMs, hz }: { everyMs: number; lengthMs: number; hz: number },
): number[] {
  const sound = silent(samples, random);
  const length = ms(lengthMs);
  for (let at = 0; at < samples; at += ms(everyMs * (0.4 + 1.2 * random()))) {
    const loudness = 0.3 + 0.7 * random();
    for (let index = 0; index < length && at + index < samples; index++) {
      const fade = Math.exp((-4 * index) / length);
      sound[at + index] = loudness * fade * (0.6 * sine(hz, index) + 0.4 * (random() * 2 - 1));
    }
  }
  return sound;
}

/** Chords that fade, a tune over them, and a drum: what a loudspeaker may play beside the microphone. */
const music: Noise = (samples, random) => {
  const sound = silent(samples, random);
  const beat = ms(250 + 150 * random());
  const root = 110 * 2 ** (random() * 1.5);
  for (let at = 0, count = 0; at < samples; at += beat, count++) {
    const chord = chords[Math.floor(count / 4) % chords.length] ?? [0];
    if (count % 4 === 0)
      for (const step of chord) pluck(sound, at, { hz: pitch(root, step), length: 4 * beat, loudness: 0.2 });
    const tune = scale[Math.floor(random() * scale.length)] ?? 0;
    pluck(sound, at, { hz: pitch(root, tune + 12), length: 2 * beat, loudness: 0.35 });
    if (count % 2 === 0) pluck(sound, at, { hz: 60, length: ms(120), loudness: 0.5 });
  }
  return sound;
};

/** Semitones over the root. */
const chords = [
  [0, 4, 7],
  [9, 12, 16],
  [5, 9, 12],
  [7, 11, 14],
];
const scale = [0, 2, 4, 7, 9, 12];
const pitch = (root: number, semitones: number) => root * 2 ** (semitones / 12);

/** A string's note: five overtones that die away. */
function pluck(
  sound: number[],
  at: number,
  { hz, length, loudness }: { hz: number; length: number; loudness: number },
): void {
  for (let index = 0; index < length && at + index < sound.length; index++) {
    let sample = 0;
    for (let overtone = 1; overtone <= 5; overtone++) sample += sine(hz * overtone, index) / overtone ** 1.5;
    const attack = Math.min(1, index / ms(8));
    sound[at + index] =
      (sound[at + index] ?? 0) + loudness * attack * Math.exp((-3 * index) / length) * sample;
  }
}

const noises: readonly Noise[] = [silent, white, music, brown, typing, music, hum, knocks, music];
const sine = (hz: number, index: number) => Math.sin((2 * Math.PI * hz * index) / sampleRateHz);
const ms = (milliseconds: number) => Math.round((milliseconds * sampleRateHz) / 1000);
