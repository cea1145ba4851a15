import { soundsOf } from "../../../shared/voice/phonemes.ts";
import { readySounds, type Sounds, soundDistance } from "../../../shared/voice/sound-distance.ts";
import type { RecognisedWord } from "../../../shared/voice/stt.ts";
import type { Reading } from "../recognisers/recogniser.ts";
import { commonShare, type Place, placesOf, textOf } from "./places.ts";
import { bareWord, marksOf } from "./plain-word.ts";
import { Support } from "./support.ts";

/** Furthest apart in sound, from 0 to 1, that what was heard may be the word … */
const maxDistance = 0.3;
/** … and the word, where nothing is doubted there. */
const maxSureDistance = 0.12;
/** Who is in full doubt lets so much more pass. */
const byDoubt = 0.03;
/** Words that everybody uses are more often said than names: so much less passes where all of them are such. */
const byCommonWords = 0.08;
/** What it was misheard as before tells less than the word's own sounds: so much less passes. */
const byForm = 0.11;
/** What is heard so surely is said, also where it is what the word was once taken for: somebody's mind may have changed. */
const minFormDoubt = 0.25;
/** Of a word's sounds what it was misheard as has at least this share: "coal" is not yet "Calderose". */
const minFormShare = 0.5;
/** Less likely readings say less: so much less passes for each unit of their cost. */
const byCost = 0.005;
/** How far what the readings have there is from the word, as a whole: one of a hundred may sound like anything … */
const bySupport = 0.49;
/** … and so much more passes, since some of them always is further. */
const supported = 0.14;
/** Longest that a unit of a word's sounds takes, in milliseconds: what took longer was more than this word. */
const maxUnitMs = 230;
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
    const matches = this.#matches(words, readings).sort(
      (one, other) => one.distance - other.distance || other.length - one.length,
    );
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
      const isFirst = at === 0 || /[.!?…]$/.test(words[at - 1]?.word ?? "");
      result.splice(at, length, replaced(written, words.slice(at, at + length), isFirst));
    }
    return result;
  }

  #matches(words: readonly RecognisedWord[], readings: readonly Reading[]): Match[] {
    const matches: Match[] = [];
    const { all, byReading } = placesOf(words, readings, this.#longest);
    for (const own of this.#taught) {
      const support = new Support([own.sounds, ...own.heardAs], byReading);
      for (const place of all) {
        if (place.words > own.words + moreWords) continue;
        // Before all that sounds like it: “Katherine” is not “Catherine” where both are on the list.
        if (isFirstChoice(place, words) && place.text.toLowerCase() === own.lower) {
          matches.push({ at: place.at, length: place.length, written: own.written, distance: -1 });
          continue;
        }
        const alone = distanceOf(own, place);
        if (alone === null) continue;
        const elsewhere = place.doubt === 0 ? 0 : bySupport * support.distanceAt(place);
        if (elsewhere > 0 && alone + elsewhere >= own.limit + supported) continue;
        const distance = alone + elsewhere;
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
    // Words that everybody uses are said themselves.
    heardAs: heardAs
      .filter((form) => commonShare(form) < 1)
      .map((form) => readySounds(soundsOf(form)))
      .filter((form) => form.weight >= sounds.weight * minFormShare),
    limit: maxDistance * share * Math.min(1, sounds.weight / fullWeight),
  };
}

const isFirstChoice = ({ at, length, text }: Place, words: readonly RecognisedWord[]) =>
  text ===
  words
    .slice(at, at + length)
    .map(({ word }) => bareWord(word))
    .join(" ");

/** How far what was heard is from the word; null: it is another one. */
function distanceOf(own: TaughtWord, place: Place): number | null {
  if (place.doubt === 0 && (place.common > 0.5 || own.sounds.weight < fullWeight)) return null;
  if (place.ms > own.sounds.weight * maxUnitMs) return null;
  const extra = place.cost * byCost + place.common * byCommonWords - place.doubt * byDoubt;
  const most = Math.min(1, place.doubt === 0 ? maxSureDistance : own.limit - extra);
  if (most <= 0) return null;
  let best = soundDistance(own.sounds, place.sounds, most);
  for (const form of place.doubt >= minFormDoubt && most > byForm ? own.heardAs : []) {
    best = Math.min(best, soundDistance(form, place.sounds, most - byForm) + byForm);
  }
  return best < most ? best + extra : null;
}

/** With the marks around what was heard, and at the beginning of a sentence with its capital letter. */
function replaced(written: string, heard: readonly RecognisedWord[], isFirst: boolean): RecognisedWord {
  const text = textOf(heard);
  const { before, bare } = marksOf(heard[0]?.word ?? "");
  const { behind } = marksOf(heard.at(-1)?.word ?? "");
  const isCapital = isFirst && bare.charAt(0) !== bare.charAt(0).toLowerCase();
  const name = isCapital ? written.charAt(0).toUpperCase() + written.slice(1) : written;
  const word = `${before}${name}${behind}`;
  const known = heard.flatMap(({ confidence }) => confidence ?? []);
  return {
    word,
    start_ms: heard[0]?.start_ms ?? 0,
    end_ms: heard.at(-1)?.end_ms ?? 0,
    ...(known.length > 0 && { confidence: known.reduce((sum, one) => sum + one, 0) / known.length }),
    ...(text !== word && { alternatives: [text] }),
  };
}
