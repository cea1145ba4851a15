import { isEmbedded } from "../../../shared/voice/speech.ts";

/** Of a formula, one or two Greek letters are no text. */
const fewestLetters = 3;

export const cannotBeSaid =
  "The built-in voice knows only Latin letters, so this reply, or part of it, is not spoken. To hear it, choose a system voice, or a downloaded voice for its language, in the voice panel under “Spoken replies”.";

/** Whether a voice, by its name in the settings, says nothing for most of a text: that is in another script. Pure. */
export function isUnsayable(text: string, voice: string): boolean {
  if (!isEmbedded(voice)) return false;
  const letters = text.match(/\p{L}/gu) ?? [];
  const others = letters.filter((letter) => !/\p{Script=Latin}/u.test(letter));
  return others.length >= fewestLetters && others.length > letters.length / 2;
}
