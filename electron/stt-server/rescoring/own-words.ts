import { isCommonWord } from "../../../shared/voice/common-words.ts";
import { soundsOf } from "../../../shared/voice/phonemes.ts";
import { readySounds, type Sounds, soundDistance } from "../../../shared/voice/sound-distance.ts";
import type { RecognisedWord } from "../../../shared/voice/stt.ts";
import type { Reading } from "../recognisers/recogniser.ts";
import { isInPlaceOf } from "./alternatives.ts";

/** Words of which the recogniser is at least this sure are doubted only where its readings disagree. */
const sureFrom = 0.97;
/** Furthest apart in sound, from 0 to 1, that what was heard may be the word … */
const maxDistance = 0.32;
/** … what it was misheard as before … */
const maxFormDistance = 0.15;
/** … and the word, where nothing is doubted there. */
const maxSureDistance = 0.12;
/** Who is in full doubt lets so much more pass. */
const byDoubt = 0.1;
/** Words that everybody uses are more often said than names: so much less passes where all of them are such. */
const byCommonWords = 0.25;
/** Less likely readings say less: so much less passes for each unit of their cost. */
const byCost = 0.015;
/** Names that weigh less, by their sounds, have to be heard better: "Al" sounds like too much else. */
const fullWeight = 3.2;
/** On a long list something sounds like anything: beyond so many words, each doubling lets a tenth less pass. */
const shortList = 16;
const byDoubling = 0.1;
/** The share that passes however long it is. */
const minShare = 0.4;
/** Words that one of the user's words may be taken for, beyond its own number: "Kubernetes" is four. */
const moreWords = 3;
/** Of a taught word's sounds, so much in all at least: names as short as "Al" sound like too much else. */
const minWeight = 1.5;

/** A word of the user's, and what it was misheard as. */
export interface OwnWord {
  word: string;
  heardAs: readonly string[];
}

interface TaughtWord {
  written: string;
  lower: string;
  words: number;
  /** How it sounds; then what it was misheard as. */
  sounds: Sounds;
  heardAs: readonly Sounds[];
  /** The furthest that is still it. */
  limit: number;
}

/** Some words in a row that one of the user's words may stand for. */
interface Place {
  /** The words of the first choice that it takes. */
  at: number;
  length: number;
  text: string;
  sounds: Sounds;
  words: number;
  /** What its reading costs beyond the first choice. */
  cost: number;
  /** How unsure the recogniser is of what stands there, 0–1. */
  doubt: number;
  /** Of its words those that everybody uses, 0–1. */
  common: number;
}

interface Match {
  at: number;
  length: number;
  written: string;
  distance: number;
}

/**
 * Puts words that the user taught in place of what sounds like them: names that the recogniser does not know come out as
 * other words, of which it is not sure or about which its readings disagree.
 */
export class OwnWords {
  readonly #taught: readonly TaughtWord[];
  readonly #longest: number;

  constructor(words: readonly OwnWord[]) {
    const share = Math.max(minShare, 1 - byDoubling * Math.max(0, Math.log2(words.length / shortList)));
    this.#taught = words.map((own) => taught(own, share)).filter(({ sounds }) => sounds.weight >= minWeight);
    this.#longest = Math.max(0, ...this.#taught.map((own) => own.words)) + moreWords;
  }

  /**
   * @param readings of these words, with times on the same clock
   * @returns the words, each that was replaced with what was heard in its place as an alternative
   */
  applied(words: readonly RecognisedWord[], readings: readonly Reading[] = []): RecognisedWord[] {
    if (this.#taught.length === 0 || words.length === 0) return [...words];
    const matches = this.#matches(words, readings).sort((one, other) => one.distance - other.distance);
    const taken = new Set<number>();
    const chosen: Match[] = [];
    for (const match of matches) {
      const places = Array.from({ length: match.length }, (_, index) => match.at + index);
      if (places.some((place) => taken.has(place))) continue;
      for (const place of places) taken.add(place);
      chosen.push(match);
    }
    const result = [...words];
    for (const { at, length, written } of chosen.sort((one, other) => other.at - one.at)) {
      result.splice(at, length, replaced(written, words.slice(at, at + length)));
    }
    return result;
  }

  #matches(words: readonly RecognisedWord[], readings: readonly Reading[]): Match[] {
    const matches: Match[] = [];
    for (const place of placesOf(words, readings, this.#longest)) {
      for (const own of this.#taught) {
        if (place.words > own.words + moreWords) continue;
        const distance = distanceOf(own, place);
        if (distance === null) continue;
        matches.push({ at: place.at, length: place.length, written: own.written, distance });
      }
    }
    return matches;
  }
}

/** @param share of the distances that pass */
function taught({ word, heardAs }: OwnWord, share: number): TaughtWord {
  const sounds = readySounds(soundsOf(word));
  return {
    written: word,
    lower: word.toLowerCase(),
    words: word.trim().split(/\s+/).length,
    sounds,
    heardAs: heardAs.map((form) => readySounds(soundsOf(form))),
    limit: maxDistance * share * Math.min(1, sounds.weight / fullWeight),
  };
}

/** How far what was heard is from the word; null: it is another one. */
function distanceOf(own: TaughtWord, place: Place): number | null {
  if (place.text === own.written) return null;
  if (place.text === own.lower) return 0;
  if (place.doubt === 0 && (place.common > 0.5 || own.sounds.weight < fullWeight)) return null;
  const extra = place.cost * byCost + place.common * byCommonWords - place.doubt * byDoubt;
  const most = Math.min(1, place.doubt === 0 ? maxSureDistance : own.limit - extra);
  if (most <= 0) return null;
  let best = soundDistance(own.sounds, place.sounds, most);
  // What is surely heard is said, also where it is what the word was once taken for.
  const formMost = place.doubt === 0 ? 0 : Math.min(most, maxFormDistance - extra);
  for (const form of formMost > 0 ? own.heardAs : []) {
    const distance = soundDistance(form, place.sounds, formMost);
    if (distance < formMost && distance < best) best = distance;
  }
  return best < most ? best + extra : null;
}

/** Every place that is doubted, with each way to read it once. */
function placesOf(words: readonly RecognisedWord[], readings: readonly Reading[], longest: number): Place[] {
  const doubts = doubtsOf(words, readings);
  const places = new Map<string, Place>();
  const add = (at: number, length: number, text: string, count: number, cost: number) => {
    const key = `${at} ${length} ${text}`;
    const known = places.get(key);
    if (known && known.cost <= cost) return;
    const doubt = Math.max(...doubts.slice(at, at + length));
    const common = commonShare(text);
    places.set(key, {
      at,
      length,
      text,
      sounds: readySounds(soundsOf(text)),
      words: count,
      cost,
      doubt,
      common,
    });
  };
  for (let at = 0; at < words.length; at++) {
    for (let length = 1; length <= longest && at + length <= words.length; length++) {
      add(at, length, textOf(words.slice(at, at + length)), length, 0);
    }
  }
  for (const reading of readings) {
    const own = reading.words.map(({ startMs, endMs }) =>
      words.flatMap((word, index) => (isInPlaceOf(word, startMs, endMs) ? [index] : [])),
    );
    for (let from = 0; from < reading.words.length; from++) {
      for (let count = 1; count <= longest && from + count <= reading.words.length; count++) {
        const indices = own.slice(from, from + count).flat();
        const [at, end] = [Math.min(...indices), Math.max(...indices)];
        if (indices.length === 0) continue;
        add(at, end - at + 1, textOf(reading.words.slice(from, from + count)), count, reading.cost);
      }
    }
  }
  return [...places.values()];
}

/** How unsure each word is: by the recogniser's own word, or since likely readings have something else there. 0: sure. */
function doubtsOf(words: readonly RecognisedWord[], readings: readonly Reading[]): number[] {
  return words.map((word) => {
    const own = word.confidence >= sureFrom ? 0 : 1 - word.confidence;
    const others = readings.filter(
      (reading) =>
        !reading.words.some(
          (other) => other.word === word.word && isInPlaceOf(word, other.startMs, other.endMs),
        ),
    ).length;
    return Math.max(own, readings.length > 0 ? others / readings.length : 0);
  });
}

/** How many of the letters are of words that everybody uses. */
function commonShare(text: string): number {
  const words = text.split(" ");
  const letters = (some: readonly string[]) => some.reduce((sum, word) => sum + word.length, 0);
  return letters(words.filter(isCommonWord)) / letters(words);
}

const textOf = (words: readonly { word: string }[]) => words.map(({ word }) => word).join(" ");

function replaced(written: string, heard: readonly RecognisedWord[]): RecognisedWord {
  const text = textOf(heard);
  return {
    word: written,
    start_ms: heard[0]?.start_ms ?? 0,
    end_ms: heard.at(-1)?.end_ms ?? 0,
    confidence: heard.reduce((sum, { confidence }) => sum + confidence, 0) / heard.length,
    ...(text !== written && { alternatives: [text] }),
  };
}
