import { distance } from "fastest-levenshtein";

/**
 * How many words of `reference` were heard wrongly: substitutions, insertions and deletions. Case, punctuation and
 * the spelling of titles ("mr") do not count.
 */
export function wordErrors(reference: string, heard: string): { errors: number; words: number } {
  const expected = wordsOf(reference);
  // One character a word makes the character distance a word distance.
  const alphabet = new Map<string, string>();
  const encode = (words: string[]) =>
    words
      .map((word) => {
        const known = alphabet.get(word) ?? String.fromCharCode(0x4e00 + alphabet.size);
        alphabet.set(word, known);
        return known;
      })
      .join("");
  return { errors: distance(encode(expected), encode(wordsOf(heard))), words: expected.length };
}

const spellings = new Map([
  ["mr", "mister"],
  ["mrs", "missus"],
  ["dr", "doctor"],
]);

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  return words.map((word) => spellings.get(word) ?? word);
}
