import { z } from "zod";
import type { Recognised } from "./recogniser.ts";

/** What sherpa-onnx says of an utterance; times in seconds, probabilities as logarithms, where the model has them. */
export const sherpaResult = z.object({
  text: z.string(),
  tokens: z.array(z.string()).default([]),
  timestamps: z.array(z.number()).default([]),
  ys_probs: z.array(z.number()).default([]),
  ys_log_probs: z.array(z.number()).default([]),
});
export type SherpaResult = z.infer<typeof sherpaResult>;

/** How long the last word is taken to be: only where each token begins is known. */
const lastWordMs = 300;

/**
 * The text and, where the model tells when each token was said, its words.
 * @param offsetMs of the sound within the utterance
 */
export function recognisedOf(result: SherpaResult, offsetMs = 0): Recognised {
  const written = result.text.trim();
  // Models that know no small letters shout.
  const isShouted = written === written.toUpperCase();
  const text = isShouted ? written.toLowerCase() : written;
  if (result.timestamps.length !== result.tokens.length) return { text, words: [] };
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
  return {
    text,
    words: words
      .map(({ word, startMs, logs }, index) => ({
        word,
        startMs: Math.round(startMs),
        endMs: Math.round(words[index + 1]?.startMs ?? startMs + lastWordMs),
        confidence: confidenceOf(logs),
      }))
      .filter(({ word }) => word !== ""),
  };
}

/** The geometric mean of the tokens; a model that tells none is taken to be sure. */
function confidenceOf(logs: number[]): number {
  if (logs.length === 0) return 1;
  return Math.max(0, Math.min(1, Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length)));
}
