import { sampleRateHz } from "../../e2e/support/machine/audio.ts";
import { wordErrors } from "../word-errors.ts";
import { nobodySpeaks } from "./noises.ts";
import type { Part } from "./part.ts";
import { type HeardUtterance, heardIn, writeSigns } from "./phantom/hear.ts";
import { decoded } from "./phantom/packages.ts";
import {
  type AnswerCondition,
  answerRecording,
  musicRecording,
  noiseRecording,
  type Recording,
} from "./phantom/recording.ts";
import { type AnswerFile, type SoundFile, soundFiles } from "./phantom/sounds.ts";
import { seeded } from "./recordings.ts";

/** Minutes of sounds in which nobody speaks. */
const minutes = { noises: 33, music: 45, room: 20 };

const conditions: Readonly<Record<string, AnswerCondition>> = {
  asRecorded: { softerByDb: 0, overFanDb: null },
  softer20Db: { softerByDb: 20, overFanDb: null },
  withFan15DbBelow: { softerByDb: 0, overFanDb: 15 },
};

/**
 * Prompts that come of sounds in which nobody speaks, and short answers that become none: recordings of real ones, played as
 * fast as they go through the app. The sounds are Debian packages, about 480 MB, fetched once; and what --dir has besides
 * (`sounds/KIND/…`, with a kind such as `coughs`, and `answers/…`, with files or folders named after their words).
 *
 * `shortAnswersHeard` of `of` became prompts. For each condition `inWords` are those in which the recogniser heard any words,
 * `right` those in which it heard the right ones, `rightPrompts` those of them that became prompts: what is missing there the
 * app dropped, by `dropped`. With --signs each utterance is written into a file as a line of JSON, with what the speech server
 * said of it; the recordings are heard a second time for it.
 */
export const phantom: Part = async ({ tell, folder, signs }) => {
  const files = await soundFiles(folder);
  const random = seeded(41);
  const kinds = Object.keys(files.noises);
  const hear = async <Sound extends SoundFile>(part: string, recording: Recording<Sound>) => {
    const heard = await heardIn(recording);
    for (const { utterance, sound } of heard) {
      const { text, confidence, rule } = utterance;
      tell(`${part}: “${text}” (${confidence}) in ${sound.name}${rule === undefined ? "" : `, ${rule}`}`);
    }
    if (signs !== undefined) await writeSigns(signs, part, recording, heard);
    return heard;
  };
  const inSounds = async (part: string, recording: Recording) => ({
    ...{ minutes: round(recording.samples.length / sampleRateHz / 60) },
    ...phantomsOf(await hear(part, recording)),
  });

  const byKind: Record<string, Awaited<ReturnType<typeof inSounds>>> = {};
  for (const kind of kinds) {
    const recording = noiseRecording(files.noises[kind] ?? [], minutes.noises / kinds.length, random);
    byKind[kind] = await inSounds(kind, recording);
  }
  const room: Recording = {
    samples: nobodySpeaks(minutes.room),
    slots: [{ from: 0, sound: { name: "room", path: "" } }],
  };
  const others = {
    music: await inSounds("music", musicRecording(files.music, minutes.music, random)),
    room: await inSounds("room", room),
  };

  const answers = files.answers.map((sound) => ({ sound, samples: decoded(sound.path) }));
  const byCondition: Record<string, ReturnType<typeof answered>> = {};
  for (const [name, condition] of Object.entries(conditions)) {
    byCondition[name] = answered(
      files.answers,
      await hear(name, answerRecording(answers, condition, random)),
    );
  }

  const noiseMinutes = round(sumOf(byKind, "minutes"));
  return {
    noiseMinutes,
    promptsPer30Min: round((30 * sumOf(byKind, "prompts")) / noiseMinutes),
    shortAnswersHeard: sumOf(byCondition, "prompts"),
    of: sumOf(byCondition, "played"),
    noises: byKind,
    others: Object.fromEntries(
      Object.entries(others).map(([name, figures]) => [
        name,
        { ...figures, promptsPerHour: round((60 * figures.prompts) / figures.minutes) },
      ]),
    ),
    answers: byCondition,
  };
};

/** @returns of the words of prompts, how often they came */
function phantomsOf(heard: readonly HeardUtterance<SoundFile>[]) {
  const words: Record<string, number> = {};
  for (const { utterance, isPrompt } of heard) {
    if (isPrompt) words[utterance.text] = (words[utterance.text] ?? 0) + 1;
  }
  const prompts = heard.filter(({ utterance, isPrompt }) => isPrompt && utterance.rule !== "merged").length;
  return { utterances: heard.length, prompts, words };
}

function answered(answers: readonly AnswerFile[], heard: readonly HeardUtterance<AnswerFile>[]) {
  const dropped: Record<string, number> = {};
  const counts = { played: answers.length, inWords: 0, prompts: 0, right: 0, rightPrompts: 0 };
  for (const answer of answers) {
    const own = heard.filter(({ sound }) => sound.path === answer.path);
    const isPrompt = own.some((one) => one.isPrompt);
    const isRight =
      wordErrors(answer.words, own.map(({ utterance }) => utterance.text).join(" ")).errors === 0;
    counts.inWords += own.length > 0 ? 1 : 0;
    counts.prompts += isPrompt ? 1 : 0;
    counts.right += isRight ? 1 : 0;
    counts.rightPrompts += isRight && isPrompt ? 1 : 0;
    for (const { utterance } of isPrompt ? [] : own) {
      const rule = utterance.rule ?? "other";
      dropped[rule] = (dropped[rule] ?? 0) + 1;
    }
  }
  return { ...counts, dropped };
}

function sumOf<Figure extends string>(
  all: Readonly<Record<string, Readonly<Record<Figure, number>>>>,
  figure: Figure,
): number {
  return Object.values(all).reduce((sum, one) => sum + one[figure], 0);
}

const round = (value: number) => Math.round(10 * value) / 10;
