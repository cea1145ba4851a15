import { maxReadings } from "../../../shared/conversation/messages.ts";

/** Letters of all of them together: what is guessed at must not outgrow the conversation. */
export const maxReadingsChars = 2000;
/** A guess at the same sound is not much longer than the text: so many times as long, and a few letters more. */
const maxLengthRatio = 1.5;
const slackChars = 12;

/**
 * What else an utterance may be, as any server says: on one line each, none twice, and no more of it than is of use.
 * What is far too long to be a guess at `text` is none.
 */
export function readingsWithin(text: string, said: readonly string[]): string[] {
  const maxChars = text.length * maxLengthRatio + slackChars;
  const readings = new Set<string>();
  let chars = 0;
  for (const one of said) {
    const reading = one.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
    if (reading === "" || reading === text || reading.length > maxChars || readings.has(reading)) continue;
    chars += reading.length;
    if (readings.size === maxReadings || chars > maxReadingsChars) break;
    readings.add(reading);
  }
  return [...readings];
}
