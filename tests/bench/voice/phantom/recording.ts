import { sampleRateHz } from "../../../e2e/support/machine/audio.ts";
import { roomNoise } from "../recordings.ts";
import { decoded } from "./packages.ts";
import type { SoundFile } from "./sounds.ts";

/** Sounds in a row. */
export interface Recording<Sound extends SoundFile = SoundFile> {
  samples: number[];
  /** From where on, in samples, which sound is heard; the pause after it counts to it. */
  slots: { from: number; sound: Sound }[];
}

/** Of a longer sound only so much is played, in seconds. */
const longestSoundS = 6;
/** Where a piece of music is under way, in seconds. */
const musicFromS = 10;
/** How loud a noise is, in dBFS, as the root of its mean square. */
const levels = { softest: -50, loudest: -10 };

/** So many minutes of these sounds, again and again at other levels, with pauses of 1–3 s in which the room is quiet. */
export function noiseRecording(
  files: readonly SoundFile[],
  minutes: number,
  random: () => number,
): Recording {
  const recording: Recording = { samples: roomNoise(sampleRateHz, random), slots: [] };
  const sounds = shuffled(files, random);
  // Only what is played is decoded: the programs that do it take longer than the app that hears it.
  const bodies = new Map<SoundFile, number[]>();
  for (let index = 0; recording.samples.length < minutes * 60 * sampleRateHz; index++) {
    const sound = sounds[index % sounds.length];
    if (!sound) throw new Error("There are no sounds of this kind.");
    const body = bodies.get(sound) ?? bodyOf(decoded(sound.path));
    bodies.set(sound, body);
    const levelDb = levels.softest + (levels.loudest - levels.softest) * random();
    add(recording, sound, scaled(body, levelDb));
    push(recording.samples, roomNoise(Math.round((1 + 2 * random()) * sampleRateHz), random));
  }
  return recording;
}

/** So many minutes of music: of every piece equally much, each at another level. */
export function musicRecording(
  files: readonly SoundFile[],
  minutes: number,
  random: () => number,
): Recording {
  const recording: Recording = { samples: roomNoise(sampleRateHz, random), slots: [] };
  const piece = { fromS: musicFromS, lengthS: (minutes * 60) / files.length };
  for (const sound of files) {
    const levelDb = levels.softest + (levels.loudest - levels.softest) * random();
    add(recording, sound, scaled(decoded(sound.path, piece), levelDb));
  }
  return recording;
}

/** How short answers are played. */
export interface AnswerCondition {
  /** As loud as they were recorded: 0. */
  softerByDb: number;
  /** How much louder the answer is than the fan beside it; null: there is none. */
  overFanDb: number | null;
}

/** Each answer once, with so long a pause after it that it is an utterance by itself. */
export function answerRecording<Sound extends SoundFile>(
  answers: readonly { sound: Sound; samples: readonly number[] }[],
  { softerByDb, overFanDb }: AnswerCondition,
  random: () => number,
): Recording<Sound> {
  const recording: Recording<Sound> = { samples: roomNoise(sampleRateHz, random), slots: [] };
  for (const { sound, samples } of answers) {
    const gain = 10 ** (-softerByDb / 20);
    const from = recording.samples.length;
    add(
      recording,
      sound,
      samples.map((sample) => sample * gain),
    );
    push(recording.samples, roomNoise(pauseAfterAnswer, random));
    if (overFanDb === null) continue;
    const fanLevel = rms(samples) * gain * 10 ** (-overFanDb / 20);
    for (let at = from, last = 0; at < recording.samples.length; at++) {
      last = 0.98 * last + 0.2 * (random() * 2 - 1);
      recording.samples[at] = (recording.samples[at] ?? 0) + (fanLevel * last) / fanRms;
    }
  }
  return recording;
}

/** Longer than the silence in which an utterance can go on. */
const pauseAfterAnswer = 2.5 * sampleRateHz;
/** The level of the fan as it is made: each sample keeps 0.98 of the one before. */
const fanRms = 0.2 * Math.sqrt(1 / 3 / (1 - 0.98 ** 2));

function add<Sound extends SoundFile>(
  { samples, slots }: Recording<Sound>,
  sound: Sound,
  more: readonly number[],
): void {
  slots.push({ from: samples.length, sound });
  push(samples, more);
}

function push(samples: number[], more: readonly number[]): void {
  for (const sample of more) samples.push(sample);
}

/** Without the silence before it, and not too long. */
function bodyOf(samples: readonly number[]): number[] {
  const start = samples.findIndex((sample) => Math.abs(sample) > 0.01);
  return samples.slice(Math.max(0, start), Math.max(0, start) + longestSoundS * sampleRateHz);
}

/** As loud as that, or as loud as it can be without clipping. */
function scaled(samples: readonly number[], levelDb: number): number[] {
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1e-6);
  const gain = Math.min(1 / peak, 10 ** (levelDb / 20) / Math.max(1e-6, rms(samples)));
  return samples.map((sample) => sample * gain);
}

function rms(samples: readonly number[]): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / Math.max(1, samples.length));
}

function shuffled<One>(all: readonly One[], random: () => number): One[] {
  return all
    .map((one) => ({ one, place: random() }))
    .sort((first, second) => first.place - second.place)
    .map(({ one }) => one);
}
