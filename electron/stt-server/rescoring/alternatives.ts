import type { RecognisedWord } from "../../../shared/voice/stt.ts";
import type { Reading } from "../recognisers/recogniser.ts";
import { plainWord } from "./plain-word.ts";

/** Words below this confidence are doubtful: what else they may have been is worth knowing. */
export const doubtfulBelow = 0.6;
const maxAlternatives = 3;

/**
 * The doubtful words with what the readings have in their place, likeliest first; a word about which they agree
 * stays as it is.
 * @param readings with times since `offsetMs`
 */
export function withAlternatives(
  words: readonly RecognisedWord[],
  readings: readonly Reading[],
  offsetMs: number,
): RecognisedWord[] {
  return words.map((word) => {
    if (word.confidence === undefined || word.confidence >= doubtfulBelow) return word;
    const heard = readings.map((reading) =>
      reading.words
        .filter(({ startMs, endMs }) => isInPlaceOf(word, startMs + offsetMs, endMs + offsetMs))
        .map((other) => other.word)
        .join(" "),
    );
    const own = plainWord(word.word);
    const others = [...new Set(heard)].filter((text) => text !== "" && text !== word.word && text !== own);
    return others.length > 0 ? { ...word, alternatives: others.slice(0, maxAlternatives) } : word;
  });
}

/** At least half of the shorter of the two lies in the other. */
export function isInPlaceOf(
  word: Pick<RecognisedWord, "start_ms" | "end_ms">,
  startMs: number,
  endMs: number,
): boolean {
  const shared = Math.min(word.end_ms, endMs) - Math.max(word.start_ms, startMs);
  return shared * 2 >= Math.min(word.end_ms - word.start_ms, endMs - startMs);
}
