import { distance } from "fastest-levenshtein";
import { soundKey } from "../../../shared/voice/sound-key.ts";
import type { RecognisedWord } from "../../../shared/voice/stt.ts";

/** Words of which the recogniser is this sure stand, unless they sound exactly like one of the user's. */
const sureFrom = 0.95;
/** So many sounds at least make that no accident. */
const minSoundsOfSure = 6;
/** A sound of the key may differ in so many others. */
const soundsPerError = 4;
/** Of the letters at least so many are alike, from 0 to 1: "by sound" alone would take "later" for "Lydia". */
const minLetters = 0.4;
/** Names as short as "Al" sound like too much else. Sounds. */
const minSounds = 3;
/** Words that one of the user's words may be taken for, beyond its own number: "Kubernetes" is four. */
const moreWords = 3;

interface OwnWord {
  written: string;
  key: string;
  letters: string;
  words: number;
}

/** Some words in a row of what was heard. */
interface Span {
  at: number;
  length: number;
  text: string;
  isSure: boolean;
  key: string;
  letters: string;
}

/**
 * Puts words that the user taught in place of what sounds like them: names that the recogniser does not know come out as
 * other words, of which it is not sure.
 */
export class OwnWords {
  readonly #own: readonly OwnWord[];

  constructor(words: readonly string[]) {
    this.#own = words
      .map((written) => ({
        written,
        key: soundKey(written),
        letters: lettersOf(written),
        words: written.trim().split(/\s+/).length,
      }))
      .filter(({ key }) => key.length >= minSounds);
  }

  /** @returns the words, each that was replaced with what was heard in its place as an alternative */
  applied(words: readonly RecognisedWord[]): RecognisedWord[] {
    const best = this.#best(words);
    if (!best) return [...words];
    const { at, length, written } = best;
    return [
      ...this.applied(words.slice(0, at)),
      replaced(written, words.slice(at, at + length)),
      ...this.applied(words.slice(at + length)),
    ];
  }

  /** Where one of the user's words fits best, the fewest errors of all; null: nowhere. */
  #best(words: readonly RecognisedWord[]) {
    let best: { at: number; length: number; written: string; errors: number } | null = null;
    for (const span of this.#spans(words)) {
      for (const own of this.#own) {
        const errors = errorsOf(own, span);
        if (errors === null || (best && best.errors <= errors)) continue;
        best = { at: span.at, length: span.length, written: own.written, errors };
      }
    }
    return best;
  }

  /** Everything that could be one of the user's words. */
  #spans(words: readonly RecognisedWord[]): Span[] {
    const longest = Math.max(0, ...this.#own.map((own) => own.words)) + moreWords;
    const spans: Span[] = [];
    for (let at = 0; at < words.length; at++) {
      for (let length = 1; length <= longest && at + length <= words.length; length++) {
        const part = words.slice(at, at + length);
        const text = part.map(({ word }) => word).join(" ");
        const isSure = part.every(({ confidence }) => confidence >= sureFrom);
        spans.push({ at, length, text, isSure, key: soundKey(text), letters: lettersOf(text) });
      }
    }
    return spans;
  }
}

/** How far what was heard is from the word, from 0; null: it is another one. */
function errorsOf(own: OwnWord, { text, key, letters, length, isSure }: Span): number | null {
  const maxSounds = own.key.length / soundsPerError;
  if (length > own.words + moreWords || Math.abs(own.key.length - key.length) > maxSounds) return null;
  const sounds = distance(own.key, key);
  if (sounds > maxSounds || text === own.written) return null;
  if (isSure && (sounds > 0 || own.key.length < minSoundsOfSure)) return null;
  const wrong = distance(own.letters, letters) / Math.max(own.letters.length, letters.length);
  return 1 - wrong < minLetters ? null : sounds / own.key.length + wrong;
}

const lettersOf = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replace(/[^\p{L}]+/gu, "");

function replaced(written: string, heard: readonly RecognisedWord[]): RecognisedWord {
  const text = heard.map(({ word }) => word).join(" ");
  return {
    word: written,
    start_ms: heard[0]?.start_ms ?? 0,
    end_ms: heard.at(-1)?.end_ms ?? 0,
    confidence: heard.reduce((sum, { confidence }) => sum + confidence, 0) / heard.length,
    ...(text !== written && { alternatives: [text] }),
  };
}
