import { alignedWords } from "../../../shared/voice/aligned-words.ts";
import { folded, wordsOf } from "./word-forms.ts";

/** From one gap between the words of an utterance to another, what may have been said there. */
export interface Way {
  from: number;
  to: number;
  /** As the recogniser wrote them; none where it is a way past what was heard. */
  words: readonly string[];
  /** The recogniser's first choice. */
  isFirst: boolean;
}

/** What an utterance may say by its readings: each of them whole, and the words of all of them, each at its place. */
export function waysThrough(text: string, readings: readonly string[]): Way[] {
  const heard = wordsOf(text);
  const ways = heard.map((word, from): Way => ({ from, to: from + 1, words: [word], isFirst: true }));
  const known = new Set<string>();
  for (const reading of readings) {
    const words = wordsOf(reading);
    const whole: Way = { from: 0, to: heard.length, words, isFirst: false };
    for (const way of [...differences(heard, words), whole]) {
      const key = `${way.from} ${way.to} ${way.words.map(folded).join(" ")}`;
      if (!known.has(key)) ways.push(way);
      known.add(key);
    }
  }
  return ways;
}

/** Where a reading says something else: each place whole, and a word for a word where one stands for one. */
function differences(heard: readonly string[], reading: readonly string[]): Way[] {
  const found: Way[] = [];
  let run: { from: number; start: number } | null = null;
  const pairs = alignedWords(heard.map(folded), reading.map(folded));
  for (const [at, place] of [...pairs, [heard.length, reading.length] as const]) {
    const last = run ?? { from: 0, start: 0 };
    if (at > last.from || place > last.start) {
      const words = reading.slice(last.start, place);
      found.push(...wayOf(heard, last.from, at, words));
      if (words.length === at - last.from && words.length > 1) {
        const each = words.map((word, index) => ({
          from: last.from + index,
          to: last.from + index + 1,
          words: [word],
          isFirst: false,
        }));
        found.push(...each);
      }
    }
    run = { from: at + 1, start: place + 1 };
  }
  return found;
}

/** Words that were not heard go with the word after them, or before them: a way leads on, and is gone once. */
function wayOf(heard: readonly string[], from: number, to: number, words: readonly string[]): Way[] {
  if (from < to) return [{ from, to, words, isFirst: false }];
  const [before, after] = [heard[from - 1], heard[to]];
  return [
    ...(after === undefined ? [] : [{ from, to: to + 1, words: [...words, after], isFirst: false }]),
    ...(before === undefined ? [] : [{ from: from - 1, to, words: [before, ...words], isFirst: false }]),
  ];
}
