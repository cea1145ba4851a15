import { distance } from "fastest-levenshtein";
import { asSpoken, isHeardIn } from "./speech-match.ts";

/** What Parley says aloud. `until`: when it ended, null while it goes on. Milliseconds since the epoch. */
export interface Speaking {
  text: string;
  since: number;
  until: number | null;
}

/** When something was said, milliseconds since the epoch; null or absent where nobody knows. */
export interface SaidAt {
  startedAt?: number | null;
  endedAt?: number | null;
}

/** The room goes on sounding for a while. */
const speechTailMs = 1500;
/** Of its letters, so many may be misheard in a part of a sentence. */
const maxDifference = 0.3;

/**
 * Whether the microphone heard Parley: words of what is being said aloud, at about the same time. Pure.
 * @param least what must be heard of it: `sentence` is one of its sentences, or four words in a row, nearly letter by
 *   letter; `words` is two words in a row, of which some letters may be wrong. Anybody may say a single word of it.
 */
export function isOwnVoice(
  heard: { text: string } & SaidAt,
  speaking: Speaking | null,
  least: "sentence" | "words",
): boolean {
  if (!speaking || !isDuring(heard, speaking)) return false;
  return isHeardIn(heard.text, speaking.text) || (least === "words" && isPartOf(heard.text, speaking.text));
}

/** Whether something was said while Parley spoke, or right before or after. */
export function isDuring(said: SaidAt, speaking: Speaking | null): boolean {
  if (!speaking) return false;
  return overlaps(said, { startedAt: speaking.since, endedAt: speaking.until }, speechTailMs);
}

/** Whether two sounds come within `slackMs` of each other; a time that nobody knows excludes nothing. */
export function overlaps(one: SaidAt, other: SaidAt, slackMs: number): boolean {
  const begins = (said: SaidAt) => said.startedAt ?? Number.NEGATIVE_INFINITY;
  const ends = (said: SaidAt) => said.endedAt ?? Number.POSITIVE_INFINITY;
  return begins(one) <= ends(other) + slackMs && ends(one) >= begins(other) - slackMs;
}

function isPartOf(heard: string, spoken: string): boolean {
  const text = asSpoken(heard);
  const count = text.split(" ").length;
  if (count < 2) return false;
  const all = asSpoken(spoken).split(" ");
  return all.some((_, from) =>
    [count - 1, count, count + 1].some(
      (length) => distance(text, all.slice(from, from + length).join(" ")) <= text.length * maxDifference,
    ),
  );
}
