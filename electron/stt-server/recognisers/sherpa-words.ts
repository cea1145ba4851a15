import { z } from "zod";
import type { Recognised, RecognisedPart } from "./recogniser.ts";

/** What sherpa-onnx says of an utterance; times in seconds, probabilities as logarithms, where the model has them. */
export const sherpaResult = z.object({
  text: z.string(),
  tokens: z.array(z.string()).default([]),
  timestamps: z.array(z.number()).default([]),
  ys_probs: z.array(z.number()).default([]),
  ys_log_probs: z.array(z.number()).default([]),
});
export type SherpaResult = z.infer<typeof sherpaResult>;

/** Of the sound that was recognised, where there is speech. Milliseconds within the utterance. */
export interface SpeechSpan {
  startMs: number;
  endMs: number;
}

/** How long the last word is taken to be: only where each token begins is known. */
const lastWordMs = 300;

/**
 * The text and its words. Where the model does not tell when each was said, their letters are spread over the speech; where
 * it does not tell how sure it is, nobody knows.
 * @param offsetMs of the sound within the utterance
 */
export function recognisedOf(
  result: SherpaResult,
  speech: SpeechSpan = { startMs: 0, endMs: 0 },
  offsetMs = 0,
): Recognised {
  const written = result.text.trim().replaceAll(/\s+/g, " ");
  // Models that know no small letters shout.
  const isShouted = written === written.toUpperCase();
  const text = isShouted ? written.toLowerCase() : written;
  const told = toldWords(result, isShouted, offsetMs);
  const isAll = told.map(({ word }) => word).join(" ") === text;
  return { text, words: isAll ? told : spreadWords(text, speech) };
}

/** Words with the times that the model tells; none where it tells none. */
function toldWords(result: SherpaResult, isShouted: boolean, offsetMs: number): RecognisedPart[] {
  if (result.timestamps.length !== result.tokens.length) return [];
  const probs = result.ys_log_probs.length > 0 ? result.ys_log_probs : result.ys_probs;
  const words: { word: string; startMs: number; logs: number[] }[] = [];
  result.tokens.forEach((token, index) => {
    const startMs = offsetMs + (result.timestamps[index] ?? 0) * 1000;
    const plain = token.replace(/^[\s▁]+/, "");
    const isNew = words.length === 0 || plain.length < token.length;
    if (isNew) words.push({ word: "", startMs, logs: [] });
    const word = words.at(-1);
    if (!word) return;
    word.word += isShouted ? plain.toLowerCase() : plain;
    const log = probs[index];
    if (log !== undefined) word.logs.push(log);
  });
  return words
    .map(({ word, startMs, logs }, index) => ({
      word,
      startMs: Math.round(startMs),
      endMs: Math.round(words[index + 1]?.startMs ?? startMs + lastWordMs),
      confidence: confidenceOf(logs),
    }))
    .filter(({ word }) => word !== "");
}

/** The words of a text, each as long as its letters are of all. */
export function spreadWords(text: string, { startMs, endMs }: SpeechSpan): RecognisedPart[] {
  const words = text.split(" ").filter((word) => word !== "");
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  const atMs = (before: number) => Math.round(startMs + ((endMs - startMs) * before) / letters);
  let before = 0;
  return words.map((word) => {
    const from = before;
    before += word.length;
    return { word, startMs: atMs(from), endMs: atMs(before) };
  });
}

/** The geometric mean of the tokens; a model that tells none does not say. */
function confidenceOf(logs: number[]): number | undefined {
  if (logs.length === 0) return undefined;
  return Math.max(0, Math.min(1, Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length)));
}
