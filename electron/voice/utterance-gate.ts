import type { SpeechSource } from "../../shared/messages.ts";

export interface HeardUtterance {
  text: string;
  /** 0–1; null where the recogniser does not say. */
  confidence: number | null;
  source: SpeechSource;
}

export type GateDecision = { pass: true } | { pass: false; why: string };

/** Fewer letters than this are a cough, not a prompt. */
export const minLetters = 2;

/**
 * Whether an utterance becomes a prompt. Pure. A text that begins with "/" is a prompt like any other: commands
 * are typed.
 */
export function gateUtterance(
  utterance: HeardUtterance,
  settings: { "voice.minConfidence": number },
): GateDecision {
  const letters = utterance.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (letters < minLetters) return { pass: false, why: "too short" };
  if (utterance.confidence !== null && utterance.confidence < settings["voice.minConfidence"]) {
    return { pass: false, why: "too unsure" };
  }
  return { pass: true };
}
