import { alignedWords } from "../../../shared/voice/aligned-words.ts";

/** What was put in place of what, in words as they were written, without the marks around them. */
export interface WordChange {
  from: string[];
  to: string[];
  /** The place of the first word of `to` in the new text. */
  at: number;
  /** That is where a sentence begins in both texts, with a capital letter in the one before, too. */
  beginsSentence: boolean;
}

export interface WordChanges {
  changes: WordChange[];
  /** How many words both have. */
  kept: number;
}

/** Longer texts are no correction of a word. */
const maxWords = 400;

interface Written {
  text: string;
  key: string;
  /** A sentence begins with it. */
  isFirst: boolean;
}

/** Where two texts differ, laid side by side so that as many words as can be stay. Case and punctuation do not count. */
export function wordChanges(before: string, after: string): WordChanges {
  const from = wordsOf(before);
  const to = wordsOf(after);
  if (from.length > maxWords || to.length > maxWords) return { changes: [], kept: 0 };
  const pairs = alignedWords(
    from.map(({ key }) => key),
    to.map(({ key }) => key),
  );
  const changes: WordChange[] = [];
  let [i, j] = [0, 0];
  for (const [stayedAt, at] of [...pairs, [from.length, to.length] as const]) {
    if (stayedAt > i || at > j) {
      const texts = (words: readonly Written[]) => words.map(({ text }) => text);
      const beginsSentence = isCapital(from[i]) && to[j]?.isFirst === true;
      changes.push({
        from: texts(from.slice(i, stayedAt)),
        to: texts(to.slice(j, at)),
        at: j,
        beginsSentence,
      });
    }
    [i, j] = [stayedAt + 1, at + 1];
  }
  return { changes, kept: pairs.length };
}

const isCapital = (word: Written | undefined) => word?.isFirst === true && /^\p{Lu}/u.test(word.text);

function wordsOf(text: string): Written[] {
  let isFirst = true;
  return text.split(/\s+/).flatMap((part) => {
    const word = part.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
    if (word === "") return [];
    const written = { text: word, key: word.toLowerCase(), isFirst };
    isFirst = /[.!?…][^\p{L}\p{N}]*$/u.test(part);
    return [written];
  });
}
