import type { Settings } from "../../../shared/settings.ts";
import { isDuring, isOwnVoice, overlaps, type Speaking } from "../speaking/own-voice.ts";
import { asSpoken, isHeardIn } from "../speaking/speech-match.ts";
import type { Utterance } from "../stt/voice-events.ts";

/** What of an utterance its fate depends on. */
export type HeardUtterance = Pick<Utterance, "text" | "confidence" | "source"> &
  Partial<Pick<Utterance, "command" | "startedAt" | "endedAt">>;

/** A yes or no to an approval. */
export interface SpokenAnswer {
  approvalId: string;
  allowed: boolean;
}

/** What the gate goes by beside the utterance. */
export interface GateFacts {
  settings: Pick<
    Settings,
    "voice.minConfidence" | "voice.stopWords" | "voice.whileBusy" | "voice.queueMax" | "voice.reviewMs"
  >;
  speaking: Speaking | null;
  /** In a meeting what the computer played lately; nothing otherwise. */
  played: readonly HeardUtterance[];
  /** Nothing becomes a prompt by itself. */
  isMeeting: boolean;
  /** A question of the model that waits. */
  questionId: string | null;
  /** Something waits to be allowed. */
  isApprovalWaiting: boolean;
  /** What the utterance says to it; null: it is no answer. */
  spokenAnswer: SpokenAnswer | null;
  isRunning: boolean;
  /** Prompts that wait for their run, and those that are held until there is room. */
  waiting: number;
  held: number;
}

export type GateDecision =
  | { kind: "drop"; rule: "too_short" | "too_unsure" | "own_voice" | "echo"; why: string }
  | { kind: "stop" }
  | { kind: "answer"; questionId: string }
  | { kind: "approve"; approvalId: string; allowed: boolean }
  | { kind: "note" }
  | { kind: "prompt"; how: "queue" | "steer" | "interrupt" | "hold" | "review" };

/** Fewer letters than this are a cough, not a prompt. */
export const minLetters = 2;
/** How far apart a sound and its echo may be. */
export const echoWindowMs = 2000;

/**
 * What becomes of an utterance. Pure. A text that begins with "/" is a prompt like any other: commands are typed.
 * What the computer plays never stops, answers, allows, steers or interrupts anything.
 */
export function gateUtterance(utterance: HeardUtterance, facts: GateFacts): GateDecision {
  const { text, confidence, source } = utterance;
  const { settings } = facts;
  const isUsers = source === "microphone";
  if ((text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < minLetters) return drop("too_short", "too short");
  // A file is played to nobody's ears.
  if (source !== "file" && isOwnVoice(utterance, facts.speaking, "sentence")) {
    return drop("own_voice", "own voice");
  }
  // A stop that was meant and mumbled is worth more than one that was not meant.
  if (isUsers && !facts.isMeeting && isStop(utterance, facts)) return { kind: "stop" };
  if (confidence !== null && confidence < settings["voice.minConfidence"]) {
    return drop("too_unsure", "low confidence");
  }
  if (isUsers && facts.played.some((played) => isEcho(utterance, played))) {
    return drop("echo", "echo of what this computer plays");
  }
  if (facts.isMeeting) return { kind: "note" };
  if (isUsers && facts.questionId !== null) return { kind: "answer", questionId: facts.questionId };
  if (isUsers && facts.spokenAnswer) return { kind: "approve", ...facts.spokenAnswer };
  return { kind: "prompt", how: way(isUsers, facts) };
}

function way(isUsers: boolean, facts: GateFacts): Extract<GateDecision, { kind: "prompt" }>["how"] {
  const { settings, isRunning, waiting, held, isApprovalWaiting } = facts;
  if (settings["voice.reviewMs"] > 0 && isUsers) return "review";
  const policy = settings["voice.whileBusy"];
  // While an approval waits nothing may get past it: not even by ending its run.
  if (isRunning && isUsers && policy !== "queue" && !isApprovalWaiting) return policy;
  // Behind one that is held, or the order would be lost.
  return held > 0 || waiting >= settings["voice.queueMax"] ? "hold" : "queue";
}

/** Whether microphone and loopback heard the same within two seconds; where a time is not known the words decide. */
export function isEcho(heard: HeardUtterance, played: HeardUtterance): boolean {
  return (
    overlaps(heard, played, echoWindowMs) &&
    (isHeardIn(heard.text, played.text) || isHeardIn(played.text, heard.text))
  );
}

/** What only sounds like a stop word is one while there is something to stop, and nothing waits for an answer. */
function isStop({ text, command, ...utterance }: HeardUtterance, facts: GateFacts): boolean {
  const { settings, speaking, isRunning, questionId, isApprovalWaiting } = facts;
  const words = settings["voice.stopWords"];
  if (isOneOf(text, words)) return true;
  if (!command || !isOneOf(command, words) || questionId !== null || isApprovalWaiting) return false;
  return isRunning || isDuring(utterance, speaking);
}

/** The whole utterance is one of these, but for politeness around it. */
function isOneOf(text: string, phrases: readonly string[]): boolean {
  const said = asSpoken(text);
  const plain = said.replace(/^(?:please|parley) /, "").replace(/ (?:please|parley|thanks|thank you)$/, "");
  return phrases.some((phrase) => [said, plain].includes(asSpoken(phrase)));
}

const drop = (rule: Extract<GateDecision, { kind: "drop" }>["rule"], why: string): GateDecision => ({
  kind: "drop",
  rule,
  why,
});
