/** How far somebody has read a sentence aloud, by what was understood. */
export interface ReadSoFar {
  /** The words of the sentence, in order. */
  words: string[];
  /** So many of them were reached. */
  reached: number;
  /** So many of those were understood. */
  understood: number;
}

const plain = (word: string) => word.toLowerCase().replaceAll(/[^\p{L}\p{N}']/gu, "");

/** A word may be missed; more than so many in a row and it is another sentence. */
const mostMissed = 3;

/** Follows the sentence word by word; words that do not belong to it are passed over. Pure. */
export function readSoFar(sentence: string, heard: string): ReadSoFar {
  const words = sentence.split(/\s+/);
  let reached = 0;
  let understood = 0;
  for (const word of heard.split(/\s+/).map(plain)) {
    if (word === "") continue;
    const ahead = words.slice(reached, reached + mostMissed + 1).map(plain);
    const at = ahead.indexOf(word);
    if (at < 0) continue;
    reached += at + 1;
    understood += 1;
  }
  return { words, reached, understood };
}
