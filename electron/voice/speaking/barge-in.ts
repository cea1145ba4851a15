import { distance } from "fastest-levenshtein";

/** What a listener says to say that they listen: it asks for nothing, so speech goes on. */
const backchannels = new Set(
  "mhm mm hmm hm uh huh uh-huh mm-hmm yeah yes yep ok okay right sure i see got it cool nice great aha ah oh wow really huh".split(
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
/** A longer one is something to say. */
export const maxBackchannelMs = 700;

/**
 * Whether somebody only shows that they listen. Pure.
 * @param durationMs how long it took to say; null where the recogniser does not tell
 */
export function isBackchannel(text: string, durationMs: number | null): boolean {
  if (durationMs !== null && durationMs >= maxBackchannelMs) return false;
  const words = plainWords(text).join(" ");
  return longBackchannels.has(words) || (!words.includes(" ") && backchannels.has(words));
}

export type SpokenCommand = "repeat" | "slower" | "faster";

const commands: Record<SpokenCommand, readonly string[]> = {
  repeat: ["repeat that", "say that again", "repeat", "please repeat that"],
  slower: ["slower", "speak slower", "slow down", "slower please"],
  faster: ["faster", "speak faster", "speed up", "faster please"],
};

/** What is said to the voice itself: whole utterances only, "slower is better" is a prompt. Pure. */
export function spokenCommand(text: string): SpokenCommand | null {
  const words = plainWords(text).join(" ");
  for (const [command, phrases] of Object.entries(commands)) {
    if (phrases.includes(words) && isCommand(command)) return command;
  }
  return null;
}

const isCommand = (name: string): name is SpokenCommand => name in commands;

/** Of its letters, how many may be misheard for it still to be the same. */
const maxDifference = 0.3;

/**
 * Whether what was heard is (nearly) some of the words that are being said aloud: the microphone heard Parley. Pure.
 * @param spoken all that was said lately
 */
export function isOwnVoice(heard: string, spoken: string): boolean {
  const words = plainWords(heard);
  const said = plainWords(spoken);
  if (words.length === 0 || said.length === 0) return false;
  const wanted = words.join(" ");
  // A word or two may be anybody's.
  if (words.length < 2) return false;
  for (let from = 0; from <= Math.max(0, said.length - words.length); from++) {
    for (const length of [words.length - 1, words.length, words.length + 1]) {
      const part = said.slice(from, from + length).join(" ");
      if (distance(wanted, part) <= wanted.length * maxDifference) return true;
    }
  }
  return false;
}

function plainWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? [];
}
