import { isCommonWord } from "../../../shared/voice/common-words.ts";
import { soundsOf } from "../../../shared/voice/phonemes.ts";
import { readySounds, type Sounds } from "../../../shared/voice/sound-distance.ts";
import type { RecognisedWord } from "../../../shared/voice/stt.ts";
import type { Reading } from "../recognisers/recogniser.ts";
import { isInPlaceOf } from "./alternatives.ts";
import { bareWord, plainWord } from "./plain-word.ts";

/** Words of which the recogniser is at least this sure are doubted only where its readings disagree. */
const sureFrom = 0.97;
/** … at least so many of them: of a hundred readings one nearly always has something else. */
const minOthers = 0.25;
/** What a recogniser is taken for that does not say how sure it is. */
const unknownConfidence = 0.8;

/** Some words in a row that one of the user's words may stand for. */
export interface Place {
  /** The words of the first choice that it takes. */
  at: number;
  length: number;
  text: string;
  sounds: Sounds;
  words: number;
  /** How long it took to say. */
  ms: number;
  /** What its reading costs beyond the first choice. */
  cost: number;
  /** How unsure the recogniser is of what stands there, 0–1. */
  doubt: number;
  /** Of its words those that everybody uses, 0–1. */
  common: number;
}

interface Places {
  /** Each once, however many readings have it. */
  all: Place[];
  /** Those of each reading. */
  byReading: Place[][];
}

/** @param longest words of a place at most */
export function placesOf(
  words: readonly RecognisedWord[],
  readings: readonly Reading[],
  longest: number,
): Places {
  const doubts = doubtsOf(words, readings);
  const byReading: Place[][] = [];
  const places = new Map<string, Place>();
  const add = (at: number, length: number, text: string, count: number, cost: number, ms: number) => {
    const key = `${at} ${length} ${text}`;
    const known = places.get(key);
    if (known && known.cost <= cost) return known;
    const doubt = Math.max(...doubts.slice(at, at + length));
    const common = commonShare(text);
    const place: Place = {
      at,
      length,
      text,
      sounds: readySounds(soundsOf(text)),
      words: count,
      ms,
      cost,
      doubt,
      common,
    };
    places.set(key, place);
    return place;
  };
  for (let at = 0; at < words.length; at++) {
    for (let length = 1; length <= longest && at + length <= words.length; length++) {
      const ms = (words[at + length - 1]?.end_ms ?? 0) - (words[at]?.start_ms ?? 0);
      const text = words.slice(at, at + length).map(({ word }) => bareWord(word));
      add(at, length, text.join(" "), length, 0, ms);
    }
  }
  for (const reading of readings) {
    const own = reading.words.map(({ startMs, endMs }) =>
      words.flatMap((word, index) => (isInPlaceOf(word, startMs, endMs) ? [index] : [])),
    );
    const these: Place[] = [];
    byReading.push(these);
    for (let from = 0; from < reading.words.length; from++) {
      for (let count = 1; count <= longest && from + count <= reading.words.length; count++) {
        const indices = own.slice(from, from + count).flat();
        const [at, end] = [Math.min(...indices), Math.max(...indices)];
        if (indices.length === 0) continue;
        const said = reading.words.slice(from, from + count);
        const ms = (said.at(-1)?.endMs ?? 0) - (said[0]?.startMs ?? 0);
        these.push(add(at, end - at + 1, textOf(said), count, reading.cost, ms));
      }
    }
  }
  return { all: [...places.values()], byReading };
}

/** How unsure each word is: by the recogniser's own word, or since likely readings have something else there. 0: sure. */
function doubtsOf(words: readonly RecognisedWord[], readings: readonly Reading[]): number[] {
  return words.map((word) => {
    const { confidence = unknownConfidence } = word;
    const own = confidence >= sureFrom ? 0 : 1 - confidence;
    const plain = plainWord(word.word);
    const others = readings.filter(
      (reading) =>
        !reading.words.some((other) => other.word === plain && isInPlaceOf(word, other.startMs, other.endMs)),
    ).length;
    const share = readings.length > 0 ? others / readings.length : 0;
    return own === 0 && share < minOthers ? 0 : Math.max(own, share);
  });
}

/** How many of the letters are of words that everybody uses. */
export function commonShare(text: string): number {
  const words = text.split(" ");
  const letters = (some: readonly string[]) => some.reduce((sum, word) => sum + word.length, 0);
  return letters(words.filter(isCommonWord)) / letters(words);
}

export const textOf = (words: readonly { word: string }[]) => words.map(({ word }) => word).join(" ");
