import type { RecognisedWord } from "../../../shared/voice/stt.ts";
import type { Recognised } from "./recogniser.ts";

/** Words below this confidence are doubtful: what else they may have been is worth knowing. */
const doubtfulBelow = 0.6;
/** Sound around the doubtful words that is looked at with them, for what the recogniser needs to know before. */
const marginMs = 300;
/** Longest piece of sound that is looked at again: doubt must not cost more than hearing did. */
const maxPieceMs = 2500;
const maxAlternatives = 3;

/** Which piece of sound to ask about, on the words' clock; null where nothing is doubtful. */
export function doubtfulPiece(words: readonly RecognisedWord[]): { startMs: number; endMs: number } | null {
  const [first, ...others] = words.filter(({ confidence }) => confidence < doubtfulBelow);
  if (!first) return null;
  const startMs = Math.max(0, first.start_ms - marginMs);
  const within = others.filter((word) => word.end_ms + marginMs - startMs <= maxPieceMs);
  const endMs = (within.at(-1) ?? first).end_ms + marginMs;
  return { startMs, endMs: Math.min(endMs, startMs + maxPieceMs) };
}

/**
 * The doubtful words with what the opinions have in their place, likeliest first; a word about which they agree
 * stays as it is.
 * @param opinions with times since `offsetMs`
 */
export function withAlternatives(
  words: readonly RecognisedWord[],
  opinions: readonly Recognised[],
  offsetMs: number,
): RecognisedWord[] {
  return words.map((word) => {
    if (word.confidence >= doubtfulBelow) return word;
    const heard = opinions.map((opinion) =>
      opinion.words
        .filter(({ startMs, endMs }) => isInPlaceOf(word, startMs + offsetMs, endMs + offsetMs))
        .map((other) => other.word)
        .join(" "),
    );
    const others = [...new Set(heard)].filter((text) => text !== "" && text !== word.word);
    return others.length > 0 ? { ...word, alternatives: others.slice(0, maxAlternatives) } : word;
  });
}

/** At least half of the shorter of the two lies in the other. */
function isInPlaceOf(word: RecognisedWord, startMs: number, endMs: number): boolean {
  const shared = Math.min(word.end_ms, endMs) - Math.max(word.start_ms, startMs);
  return shared * 2 >= Math.min(word.end_ms - word.start_ms, endMs - startMs);
}
