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

const plainWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? [];
