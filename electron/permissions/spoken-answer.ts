import type { SpeechSource } from "../../shared/conversation/messages.ts";

/** An approval that waits, as far as a spoken word is concerned. */
export interface SpokenApproval {
  approvalId: string;
  /** False for commands, servers' tools, the network, and whatever a rule or its prompt's origin asks for. */
  mayBeSpoken: boolean;
}

export interface SpokenInput {
  text: string;
  source: SpeechSource;
  /** 0–1; null where the recogniser does not say. */
  confidence: number | null;
}

/** Below this a yes may have been another word. */
const minConfidence = 0.6;

/**
 * What an utterance says to the approval that waits. Only from the microphone, only as a whole, only where it is clear
 * which one is meant; a yes only to a change of files that nothing but the mode asks for.
 * @returns null: it is no answer
 */
export function spokenAnswer(
  { text, source, confidence }: SpokenInput,
  waiting: readonly SpokenApproval[],
): { approvalId: string; allowed: boolean } | null {
  const [approval, ...others] = waiting;
  if (source !== "microphone" || !approval || others.length > 0) return null;
  const said = text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/[^\p{L}\p{N}' ]+/gu, " ")
    .trim()
    .replace(/\s+/g, " ");
  const { approvalId } = approval;
  if (no.has(said)) return { approvalId, allowed: false };
  const isSure = confidence === null || confidence >= minConfidence;
  return yes.has(said) && isSure && approval.mayBeSpoken ? { approvalId, allowed: true } : null;
}

const yes: ReadonlySet<string> = new Set(
  "yes|yes please|yes do it|yes go ahead|yes allow it|allow it|allow|go ahead|do it|approve|approved".split(
    "|",
  ),
);
const no: ReadonlySet<string> = new Set(
  "no|no thanks|no thank you|no don't|don't|do not|don't do it|no don't do it|deny|deny it|refuse|reject".split(
    "|",
  ),
);
