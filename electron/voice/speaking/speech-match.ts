import { distance } from "fastest-levenshtein";
import { asSpoken } from "../../../shared/voice/as-spoken.ts";

/** How alike two texts sound, 0–1: one less the letters to change, of the longer text. */
export function likeness(a: string, b: string): number {
  const [one, other] = [asSpoken(a), asSpoken(b)];
  const longest = Math.max(one.length, other.length);
  return longest === 0 ? 0 : 1 - distance(one, other) / longest;
}

/** Nearly equal: what a recogniser makes of the same words twice. */
const nearlyEqual = 0.8;
/** Fewer words stand in many texts: they have to be a sentence of it by themselves. */
const minWordsInside = 4;

/** Whether `heard` is nearly the whole of `spoken`, one of its sentences, or, from four words on, a part of it. */
export function isHeardIn(heard: string, spoken: string): boolean {
  const sentences = [spoken, ...spoken.split(/(?<=[.!?:;])\s+|\n+/)];
  if (sentences.some((sentence) => likeness(heard, sentence) >= nearlyEqual)) return true;
  const words = asSpoken(heard).split(" ");
  const all = asSpoken(spoken).split(" ");
  if (words.length < minWordsInside) return false;
  const text = words.join(" ");
  return all.some((_, from) =>
    [words.length - 1, words.length, words.length + 1].some(
      (count) => likeness(text, all.slice(from, from + count).join(" ")) >= nearlyEqual,
    ),
  );
}
