import type { Settings } from "../../../shared/settings.ts";
import { asSpoken, withoutPoliteness } from "../../../shared/voice/as-spoken.ts";
import type { SpokenCommand } from "../../../shared/voice/spoken-commands.ts";
import {
  isAfter,
  isDuring,
  isOwnVoice,
  mayBeOwnLine,
  mayBeOwnWords,
  overlaps,
  type Speaking,
} from "../speaking/own-voice.ts";
import { isHeardIn } from "../speaking/speech-match.ts";
import { spokenCommand } from "../speaking/spoken-asides.ts";
import type { Utterance } from "../stt/voice-events.ts";
import { isNoSpeech } from "./no-speech.ts";

/** What of an utterance its fate depends on. */
export type HeardUtterance = Pick<Utterance, "text" | "confidence" | "source"> &
  Partial<Pick<Utterance, "command" | "startedAt" | "endedAt" | "reason" | "signs">>;

/** A yes or no to approvals that wait. */
export interface SpokenAnswer {
  /** None where several wait and it was not said which one is meant. */
  approvalIds: readonly string[];
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
  /** The utterance is one of the answers that this question offers. */
  isOffered: boolean;
  /** Something waits to be allowed. */
  isApprovalWaiting: boolean;
  /** What the utterance says to it; null: it is no answer. */
  spokenAnswer: SpokenAnswer | null;
  /** What it says to the app itself; null: nothing. */
  command: SpokenCommand | null;
  isRunning: boolean;
  /** Prompts that wait for their run, and those that are held until there is room. */
  waiting: number;
  held: number;
}

export type GateDecision =
  | {
      kind: "drop";
      rule: "too_short" | "too_unsure" | "no_speech" | "own_voice" | "echo" | "which";
      why: string;
    }
  | { kind: "stop" }
  | { kind: "answer"; questionId: string }
  | ({ kind: "approve" } & SpokenAnswer)
  | { kind: "command"; command: SpokenCommand }
  | { kind: "note" }
  | { kind: "prompt"; how: "queue" | "steer" | "interrupt" | "hold" | "review" };

/** Fewer letters than this are a cough, not a prompt, unless one is a word by itself: a digit, or of a script whose letters are words or syllables. */
export const minLetters = 2;
const wholeWord =
  /[\p{N}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Yi}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Ethi}\p{sc=Cher}\p{sc=Cans}\p{sc=Java}\p{sc=Bali}]/u;
/** How far apart a sound and its echo may be: a server's times are not exact … */
export const echoWindowMs = 2000;
/** … and of a few words, which people repeat to each other. */
const echoWindowOfFew = { words: 3, ms: 500 };

/**
 * What becomes of an utterance. Pure. A text that begins with "/" is a prompt like any other: commands are typed.
 * What the computer plays never stops, answers, allows, steers, interrupts or commands anything.
 */
export function gateUtterance(utterance: HeardUtterance, facts: GateFacts): GateDecision {
  const { text, confidence, source } = utterance;
  const { settings } = facts;
  const isUsers = source === "microphone";
  if (!isWord(text, isUsers && facts.questionId !== null)) return drop("too_short", "too short");
  // A file is played to nobody's ears; and who was asked aloud may answer with the words of the question.
  const isAnswer = isUsers && facts.speaking?.asks !== undefined && isAfter(utterance, facts.speaking);
  if (source !== "file" && !isAnswer && isOwnVoice(utterance, facts.speaking, "sentence")) {
    return drop("own_voice", "own voice");
  }
  // A stop that was meant and mumbled is worth more than one that was not meant.
  if (isUsers && !facts.isMeeting && isStop(utterance, facts)) return { kind: "stop" };
  // First: a cough is not held for a word that nobody understood, which stops a reply.
  if (isNoSpeech(utterance, isExpected(text, facts))) return drop("no_speech", "probably not speech");
  if (confidence !== null && confidence < settings["voice.minConfidence"]) {
    return drop("too_unsure", "low confidence");
  }
  if (isUsers && isEcho(utterance, facts.played)) {
    return drop("echo", "echo of what this computer plays");
  }
  if (facts.isMeeting) {
    // Said over a reply it is said to Parley; otherwise to the others.
    const isToParley = isUsers && isDuring(utterance, facts.speaking);
    return { kind: isToParley && isStop(utterance, facts) ? "stop" : "note" };
  }
  // Before a question: who has no hands may have to scroll to read it.
  if (isUsers && facts.command) return { kind: "command", command: facts.command };
  if (isUsers && facts.questionId !== null) {
    // A reply may name what its question offers, too.
    const isOwn = facts.speaking?.mayBeHeard ? mayBeOwnWords : mayBeOwnLine;
    if (isOwn(utterance, facts.speaking)) return drop("own_voice", "own voice");
    return { kind: "answer", questionId: facts.questionId };
  }
  if (isUsers && facts.spokenAnswer) {
    // A reply that ends with "shall I go ahead?" must not say yes to itself, nor the line that names both answers either of them.
    const isOwn = facts.spokenAnswer.allowed ? mayBeOwnWords : mayBeOwnLine;
    if (isOwn(utterance, facts.speaking)) return drop("own_voice", "own voice");
    return facts.spokenAnswer.approvalIds.length === 0
      ? drop("which", "say which one: “allow all”, “deny all”, “allow the first”")
      : { kind: "approve", ...facts.spokenAnswer };
  }
  return { kind: "prompt", how: way(isUsers, facts) };
}

/** Something waits for a short word, or it is a word to the app or to its voice. A yes that allows something is not expected: no cough may give it. */
const isExpected = (text: string, { questionId, spokenAnswer, command }: GateFacts): boolean =>
  questionId !== null || command !== null || spokenAnswer?.allowed === false || spokenCommand(text) !== null;

/** @param isAnswer a question waits: any letter may be what was asked for */
function isWord(text: string, isAnswer: boolean): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu) ?? [];
  return letters.length >= minLetters || (letters.length > 0 && (isAnswer || wholeWord.test(text)));
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

/** Of the words that the microphone heard, what was played is at least so much of an echo: the rest may be misheard, and is nobody's. */
const minPlayed = 2 / 3;

/**
 * Whether the microphone heard what the computer played at about the same time, in one piece or in several; where a time is
 * not known the words decide. Who says more than that has said something.
 */
export function isEcho(heard: HeardUtterance, played: readonly HeardUtterance[]): boolean {
  const count = (text: string) => asSpoken(text).split(" ").length;
  const windowMs = count(heard.text) <= echoWindowOfFew.words ? echoWindowOfFew.ms : echoWindowMs;
  const near = played.filter((one) => overlaps(heard, one, windowMs)).map(({ text }) => text);
  const isMost = (text: string) => count(text) >= count(heard.text) * minPlayed;
  return (
    [...near, near.join("\n")].some((text) => isHeardIn(heard.text, text)) ||
    near.some((text) => isMost(text) && isHeardIn(text, heard.text))
  );
}

/** What only sounds like a stop word is one while there is something to stop, and nothing waits for an answer. */
function isStop({ text, command, ...utterance }: HeardUtterance, facts: GateFacts): boolean {
  const { settings, speaking, isRunning, questionId, isApprovalWaiting } = facts;
  const words = settings["voice.stopWords"];
  if (facts.isOffered) return false;
  if (isOneOf(text, words)) return true;
  if (!command || !isOneOf(command, words) || questionId !== null || isApprovalWaiting) return false;
  return isRunning || isDuring(utterance, speaking);
}

/** The whole utterance is one of these, but for politeness around it. */
function isOneOf(text: string, phrases: readonly string[]): boolean {
  const said = asSpoken(text);
  return phrases.some((phrase) => [said, withoutPoliteness(said)].includes(asSpoken(phrase)));
}

const drop = (rule: Extract<GateDecision, { kind: "drop" }>["rule"], why: string): GateDecision => ({
  kind: "drop",
  rule,
  why,
});
