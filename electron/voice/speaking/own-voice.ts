import { distance } from "fastest-levenshtein";
import { asSpoken } from "../../../shared/voice/as-spoken.ts";
import { isHeardIn } from "./speech-match.ts";

/** What Parley says aloud. `until`: when it ended, null while it goes on. Milliseconds since the epoch. */
export interface Speaking {
  text: string;
  /** Of it, lines that name the words of an answer: whoever answers begins after them. */
  asks?: string;
  /** It gave way to what only the voice detector took for somebody: that may be its echo. */
  mayBeHeard?: boolean;
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
/** An echo begins with what is said, so much later at most. */
const echoDelayMs = 300;
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

/**
 * Whether what the microphone heard says nothing that Parley did not say itself, not a word, and began while it spoke. Who answers
 * "shall I go ahead?" with "go ahead" begins after that. Pure.
 */
export function mayBeOwnWords(heard: { text: string } & SaidAt, speaking: Speaking | null): boolean {
  if (!speaking || !isDuring(heard, speaking) || isAfter(heard, speaking)) return false;
  return isOwnVoice(heard, speaking, "words") || hasAllWords(speaking.text, heard.text);
}

/** The same of the lines that name an answer: an echo of "say approve or deny" answers nothing. Pure. */
export const mayBeOwnLine = (heard: { text: string } & SaidAt, speaking: Speaking | null): boolean =>
  speaking?.asks !== undefined && mayBeOwnWords(heard, { ...speaking, text: speaking.asks });

/** Whether each word of what was heard is one of what is spoken. Pure. */
export function hasAllWords(spoken: string, heard: string): boolean {
  const own = new Set(asSpoken(spoken).split(" "));
  return asSpoken(heard)
    .split(" ")
    .every((word) => own.has(word));
}

/**
 * Whether something was begun when Parley had said all of it: then it is no echo.
 * @param isInvited it was told what to say. Who says that begins at once; an echo of the last word would be over by then.
 */
export function isAfter(
  { startedAt, endedAt }: SaidAt,
  { asks, until }: Speaking,
  isInvited = asks !== undefined,
): boolean {
  if (startedAt == null || until === null) return false;
  const echoUntil = until + echoDelayMs;
  return startedAt > echoUntil || (isInvited && startedAt > until && endedAt != null && endedAt > echoUntil);
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
