import type { RecognisedWord } from "../../../shared/voice/stt.ts";
import type { Reading } from "../recognisers/recogniser.ts";
import { doubtfulBelow } from "./alternatives.ts";
import { plainText } from "./plain-word.ts";

/** Readings of a whole utterance that are told with it at most; its own text is none of them. */
export const maxAlternatives = 8;
/** Ways to read what came before a pause that are kept for what comes after it. */
const maxKept = 20;

/** What was said between two pauses of an utterance. */
export interface HeardPiece {
  text: string;
  /** Likeliest first; empty where the recogniser cannot tell. */
  readings: readonly Reading[];
  /** Where its readings have their zero, on the session's clock. */
  startMs: number;
  /** What was heard at first, where a second look changed it. */
  instead?: string;
}

/**
 * Whole readings of an utterance, likeliest first: each way to read one of its pieces with each way to read the others.
 * @returns without `text`, which was chosen
 */
export function wholeReadings(pieces: readonly HeardPiece[], text: string): string[] {
  let whole = [{ text: "", cost: 0 }];
  for (const piece of pieces) {
    const told = piece.readings.length > 0 ? piece.readings : [{ text: piece.text, cost: 0 }];
    const ways = piece.instead === undefined ? told : [{ text: piece.instead, cost: 0 }, ...told];
    whole = whole
      .flatMap((before) =>
        ways.map((way) => ({
          text: [before.text, way.text].filter((part) => part !== "").join(" "),
          cost: before.cost + way.cost,
        })),
      )
      .sort((one, other) => one.cost - other.cost)
      .slice(0, maxKept);
  }
  // Punctuation and capital letters make no other reading.
  const known = new Set(["", plainText(text)]);
  return whole.flatMap((reading) => {
    const plain = plainText(reading.text);
    if (known.has(plain)) return [];
    known.add(plain);
    return [reading.text];
  });
}

/** Whether what else may have been said is worth telling: the recogniser is not sure of a word, or a second look changed it. */
export const isUnsure = (words: readonly RecognisedWord[], pieces: readonly HeardPiece[]): boolean =>
  words.some(({ confidence = 1 }) => confidence < doubtfulBelow) ||
  pieces.some(({ instead }) => instead !== undefined);
