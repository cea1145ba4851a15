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

/** The words of `reference`, and of each whether it was heard, where the two texts are laid side by side at best. */
export function wordsHeard(reference: string, heard: string): { word: string; isHeard: boolean }[] {
  const expected = wordsOf(reference);
  const actual = wordsOf(heard);
  const width = actual.length + 1;
  // How many words are wrong at least from here on, from the last words back.
  const costs = new Uint16Array((expected.length + 1) * width);
  const costAt = (row: number, column: number) => costs[row * width + column] ?? 0;
  for (let row = expected.length; row >= 0; row--) {
    for (let column = actual.length; column >= 0; column--) {
      const rest = Math.max(expected.length - row, actual.length - column);
      const isEnd = row === expected.length || column === actual.length;
      const replaced = costAt(row + 1, column + 1) + (expected[row] === actual[column] ? 0 : 1);
      costs[row * width + column] = isEnd
        ? rest
        : Math.min(replaced, 1 + costAt(row + 1, column), 1 + costAt(row, column + 1));
    }
  }
  const marked: { word: string; isHeard: boolean }[] = [];
  let column = 0;
  for (const [row, word] of expected.entries()) {
    while (column < actual.length && costAt(row, column) === 1 + costAt(row, column + 1)) {
      if (word === actual[column] && costAt(row, column) === costAt(row + 1, column + 1)) break;
      column += 1;
    }
    const isHeard = word === actual[column] && costAt(row, column) === costAt(row + 1, column + 1);
    const isReplaced = column < actual.length && costAt(row, column) === 1 + costAt(row + 1, column + 1);
    marked.push({ word, isHeard });
    if (isHeard || isReplaced) column += 1;
  }
  return marked;
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
