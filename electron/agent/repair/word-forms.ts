import { distance } from "fastest-levenshtein";
import { soundKey } from "./sound-key.ts";

/** A word as it is compared: without case and punctuation; of signs alone the signs. */
export function folded(word: string): string {
  const plain = word.normalize("NFKC").toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{N}]+/gu, "") || plain;
}

/** Several words as one, run into each other. */
export const foldedWhole = (words: string): string => wordsOf(words).map(folded).join("");

export const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

/** What a closeness of sound may never change: a number, or a no. A reading may. */
export const isWeighty = (word: string): boolean => /\p{N}/u.test(word) || weighty.has(folded(word));

const weighty = new Set(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
  eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion first second
  third half no not never none nothing nobody nowhere without cannot dont doesnt didnt cant wont isnt arent wasnt werent
  shouldnt wouldnt couldnt mustnt havent hasnt hadnt nicht nie niemals kein keine keinen keiner ohne pas jamais sans nunca
  jamas sin mai senza nao`.split(/\s+/),
);

/** Before a word they say the opposite of it. */
const negations = ["un", "de", "dis", "in", "im", "non"];

/** Whether one of two words that sound alike says no to the other: "uninstall" and "install". A reading may. Both are folded. */
export function isOpposite(one: string, other: string): boolean {
  return negations.some((no) => {
    if (one.startsWith(no) === other.startsWith(no)) return false;
    const [longer, plain] = one.startsWith(no) ? [one, other] : [other, one];
    return isCloseTo(longer.slice(no.length), plain, true);
  });
}

/** Of the letters of a word that nobody listed so many are alike at least, from 0 to 1. */
const minLetters = 0.6;
/** Of a listed one fewer are enough: it was to be expected. */
const minLettersOfKnown = 0.4;
/** A sound of a listed word may differ in so many others. */
const soundsPerError = 4;
/** Shorter words sound like too much else. Letters, and sounds. */
const minLength = 4;
const minSounds = 3;

/**
 * Whether one may have been said where the other was heard, by sound and spelling. Both are folded, words run into each
 * other.
 * @param isKnown it was to be expected: by the user's list, the conversation, or the folder
 */
export function isCloseTo(word: string, heard: string, isKnown: boolean): boolean {
  if (word === heard) return true;
  if (word.length < minLength || heard.length < minLength) return false;
  const alike = 1 - distance(word, heard) / Math.max(word.length, heard.length);
  if (alike < (isKnown ? minLettersOfKnown : minLetters)) return false;
  const [key, heardKey] = [soundKey(word), soundKey(heard)];
  // The key knows Latin letters alone: of others the spelling decides, and more strictly.
  if (key === "" || heardKey === "") return alike >= 1 - 1 / soundsPerError;
  if (key.length < minSounds) return false;
  return distance(key, heardKey) <= (isKnown ? Math.floor(key.length / soundsPerError) : 0);
}
