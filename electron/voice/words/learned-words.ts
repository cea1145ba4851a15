import { isCommonWord } from "../../../shared/voice/common-words.ts";
import { soundsOf } from "../../../shared/voice/phonemes.ts";
import { readySounds, soundDistance } from "../../../shared/voice/sound-distance.ts";
import { maxHeardAs } from "../../../shared/voice/voice-settings.ts";
import { type WordChange, wordChanges } from "./word-changes.ts";

/** What was heard of a prompt. */
export interface HeardText {
  text: string;
  /** What else all of it may have been. */
  readings: readonly string[];
}

/** A word of the user's, and what it was misheard as. */
export interface LearnedWord {
  word: string;
  heardAs: string[];
  /** It looks like any other word: it counts only where the user corrects it again. */
  isOrdinary: boolean;
}

/** A name of more words than this is a sentence. */
const maxNameWords = 3;
const maxHeardWords = 5;
/** Of the words at least this share stays: otherwise the sentence was written anew. */
const minKept = 0.5;
/** Furthest apart in sound that one is the other misheard; further, its place between words that stay must tell. */
const maxDistance = 0.6;
const maxDistanceInPlace = 0.85;
const minLetters = 3;
const maxWordChars = 60;

/** A name in a corrected text: its words, and where they stand in it. */
interface Name {
  words: string[];
  at: number;
  isOrdinary: boolean;
}

/**
 * What a correction teaches: words that were put in place of what sounds like them, and what they were heard as. A
 * sentence that was written anew teaches nothing, nor do words that everybody uses.
 * @param language that was spoken, as `voice.language` has it
 */
export function learnedWords(heard: HeardText, corrected: string, language: string): LearnedWord[] {
  const { changes, kept } = wordChanges(heard.text, corrected);
  const changed = changes.reduce((sum, { from, to }) => sum + Math.max(from.length, to.length), 0);
  const isRewritten = kept + changed > 0 && kept / (kept + changed) < minKept;
  return changes.flatMap((change) =>
    namesIn(change, nounsHaveCapitals.test(language)).flatMap((name) => {
      const word = name.words.join(" ");
      const isAlone = name.words.length === change.to.length && !isRewritten;
      const form = formOf(word, change.from, isAlone ? maxDistanceInPlace : maxDistance);
      if (form === null) return [];
      const forms = [form, ...otherForms(word, name, heard.readings, corrected)];
      const heardAs = [...new Set(forms)].filter((one) => isTelling(one, word));
      return [{ word, heardAs: heardAs.slice(0, maxHeardAs), isOrdinary: name.isOrdinary }];
    }),
  );
}

/** Words in a row that may be a name; where one has a capital letter or a sign of its own, those with one. */
function namesIn({ from, to, at, beginsSentence }: WordChange, haveCapitals: boolean): Name[] {
  if (from.length === 0 || from.length > 2 * maxHeardWords) return [];
  // Any word has a capital letter there, so it says nothing on its own.
  const isUsual = beginsSentence && isCapitalised(to[0] ?? "") && !isMarked(to[1] ?? "");
  const marked = to.map((word, place) => isMarked(word) && !(place === 0 && isUsual));
  const hasMarked = marked.includes(true);
  const isOrdinary = !to.some((word, place) => marked[place] && !(haveCapitals && isCapitalised(word)));
  const names: Name[] = [];
  to.forEach((word, index) => {
    if (isCommonWord(word) || (hasMarked && !marked[index])) return;
    const last = names.at(-1);
    if (last && last.at + last.words.length === at + index) last.words.push(word);
    else names.push({ words: [word], at: at + index, isOrdinary });
  });
  return names.filter(({ words }) => {
    const word = words.join(" ");
    const letters = word.replace(/[^\p{L}]+/gu, "");
    const isOne = !unspaced.test(word) || letters.length <= maxUnspacedLetters;
    return (
      words.length <= maxNameWords && letters.length >= minLetters && word.length <= maxWordChars && isOne
    );
  });
}

/** Languages that write every noun with a capital letter: German with its dialects, and Luxembourgish. */
const nounsHaveCapitals = /^(?:de|gsw|nds|lb)(?![a-z])/i;

/** Has one capital letter, as any word has at the beginning of a sentence. */
const isCapitalised = (word: string) => /^\p{Lu}[\p{Ll}'’]*$/u.test(word);

/** What is written without spaces between words: more letters than these are more than a word. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const maxUnspacedLetters = 6;

/** Has a capital letter, or a sign that ordinary words do not have. Letters of many scripts are neither small nor capital. */
const isMarked = (word: string) => /[^\p{Ll}\p{Lo}\p{M}'’]/u.test(word);

/** Words that everybody uses tell nothing of a name: they are said themselves. */
const isTelling = (form: string, word: string) =>
  form !== word.toLowerCase() && !form.split(" ").every((one) => isCommonWord(one));

/** The part of what was heard that sounds most like the word; null: nothing sounds like it. */
function formOf(word: string, heard: readonly string[], most: number): string | null {
  const sounds = readySounds(soundsOf(word));
  let best: { form: string; distance: number } | null = null;
  for (let from = 0; from < heard.length; from++) {
    for (let count = 1; count <= maxHeardWords && from + count <= heard.length; count++) {
      const form = heard
        .slice(from, from + count)
        .join(" ")
        .toLowerCase();
      const distance = soundDistance(sounds, readySounds(soundsOf(form)));
      if (form.length <= maxWordChars && distance <= most && (!best || distance < best.distance))
        best = { form, distance };
    }
  }
  return best?.form ?? null;
}

/** What the word is in the other readings, in the same place. */
function otherForms(
  word: string,
  { at, words }: Name,
  readings: readonly string[],
  corrected: string,
): string[] {
  return readings.flatMap((reading) => {
    const there = wordChanges(reading, corrected).changes.find(
      (change) => change.at <= at && change.at + change.to.length >= at + words.length,
    );
    return (there && formOf(word, there.from, maxDistance)) ?? [];
  });
}
