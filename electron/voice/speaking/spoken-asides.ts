import type { SpeechSource } from "../../../shared/conversation/messages.ts";
import { asSpoken, withoutPoliteness } from "../../../shared/voice/as-spoken.ts";
import { spokenAsides } from "../../../shared/voice/spoken-commands.ts";

/** What may be meant for the reply that is being said. */
export interface SaidOverReply {
  text: string;
  source: SpeechSource;
  /** How long it took to say, in milliseconds; null where the recogniser does not tell. */
  durationMs: number | null;
  /** When it was begun, milliseconds since the epoch; null where nobody knows. */
  startedAt?: number | null;
  /** When it ended, as `startedAt`. */
  endedAt?: number | null;
  /** What else it may be as a whole. */
  readings?: readonly string[];
  /** The recogniser was not sure of it. */
  isUnclear?: boolean;
  /** A question waits for it: a short word, or a yes, is an answer to that. */
  isAwaited?: boolean;
}

/**
 * What a listener says to say that they listen: it asks for nothing, so speech goes on. Not "oh": it is what a "stop" that is cut
 * short sounds like.
 */
const backchannels = new Set(
  "mhm mm hmm hm uh huh uh-huh mm-hmm yeah yes yep ok okay right sure i see got it cool nice great aha ah wow really huh".split(
    " ",
  ),
);
const longBackchannels = new Set([
  "uh huh",
  "mm hmm",
  "i see",
  "got it",
  "oh okay",
  "yeah yeah",
  "all right",
]);
/** No words at all: they answer nothing. */
const hums = new Set("mhm mm hmm hm uh huh uh-huh mm-hmm aha ah".split(" "));
/** A longer one is something to say. */
export const maxBackchannelMs = 700;

/**
 * Whether somebody only shows that they listen. Pure.
 * @param durationMs how long it took to say; null where the recogniser does not tell
 * @param isAwaited an answer is waited for: "yes" is one, "mhm" is none
 */
export function isBackchannel(text: string, durationMs: number | null, isAwaited = false): boolean {
  if (durationMs !== null && durationMs >= maxBackchannelMs) return false;
  const all = plainWords(text);
  if (isAwaited) return all.length > 0 && all.every((word) => hums.has(word));
  const words = all.join(" ");
  return longBackchannels.has(words) || (all.length === 1 && backchannels.has(words));
}

/** Whether somebody wants what is paused to go on. Pure. */
export const isGoOn = (text: string): boolean => asideIn(text) === "go on";

/** What recognisers make of "go on" most often, or of "no": only where nothing can be meant but to go on. Pure. */
export const isHalfGoOn = (text: string): boolean => plainWords(text).join(" ") === "go";

/** What is said over speech in no more than this is often misheard, such as "stop" as "school". */
const shortBurst = { ms: 1500, words: 2 };

/**
 * Whether it is too little to know what was said over speech. Pure.
 * @param durationMs how long it took to say; null where the recogniser does not tell
 */
export const isShortBurst = (text: string, durationMs: number | null): boolean =>
  plainWords(text).length <= shortBurst.words && (durationMs === null || durationMs <= shortBurst.ms);

/** A word to stop, with what is left of the echo of a reply, is taken for no more than this. */
const stopInEcho = { ms: 2500, words: 4 };

/** Whether it may be nothing but a word to stop, misheard over speech. Pure. As `isShortBurst`. */
export const isNoMoreThanStopWord = (text: string, durationMs: number | null): boolean =>
  plainWords(text).length <= stopInEcho.words && (durationMs === null || durationMs <= stopInEcho.ms);

/** But to go on: that needs something that was stopped. */
export type SpokenCommand = Exclude<keyof typeof spokenAsides, "go on">;

/** What is said to the voice itself: whole utterances only, "slower is better" is a prompt. Pure. */
export function spokenCommand(text: string): SpokenCommand | null {
  const aside = asideIn(text);
  return aside === "go on" ? null : aside;
}

function asideIn(text: string): keyof typeof spokenAsides | null {
  const words = withoutPoliteness(asSpoken(text));
  const found = asideNames.find((name) => spokenAsides[name].says.some((phrase) => phrase === words));
  return found ?? null;
}

const isAside = (name: string): name is keyof typeof spokenAsides => Object.hasOwn(spokenAsides, name);
const asideNames = Object.keys(spokenAsides).filter(isAside);

const plainWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? [];
