import { z } from "zod";
import type { UserError } from "../../../shared/conversation/events.ts";
import type { DoubtfulWord, SpeechSource } from "../../../shared/conversation/messages.ts";
import { type SttEvent, speechSigns, sttInfo, type TurnEnd } from "../../../shared/voice/stt.ts";
import { describeFailure } from "../session/voice-errors.ts";
import { isWhisperPhantom, isWordless } from "./heard-words.ts";
import { readingsWithin } from "./readings-within.ts";

/** Under this a word is told to the model as doubtful, with what else it may have been. */
export const doubtConfidence = 0.6;
/** More doubtful words than this say nothing that the confidence does not. */
const maxDoubts = 20;

/** How much a short utterance is like speech, as the speech server measured it. Shares are 0–1. */
export interface SpeechSigns {
  /** The share of its sound that has the pitch of a voice. */
  voicedShare: number;
  /** The longest time in one piece that has it. */
  voicedMs: number;
  /** The share of which the voice detector is nearly sure; null where the server does not say. */
  sureShare: number | null;
  /** What a recogniser of short answers heard; null: none of them. undefined: nobody looked, or it knows no English. */
  closed: string | null | undefined;
}

/** A finished utterance on its way to a prompt. `…Ms` on the sample clock of its session, `…At` since the epoch. */
export interface Utterance {
  /** On every partial of it, too. */
  id: string;
  sessionId: string;
  source: SpeechSource;
  text: string;
  /** Why it ended: a rule of the server, or `unknown`. */
  reason: string;
  /** 0–1; null where the recogniser does not say. */
  confidence: number | null;
  startMs: number | null;
  endMs: number | null;
  /** When its session's first sample was heard; null where the server does not say. */
  audioStartedAt: number | null;
  startedAt: number | null;
  endedAt: number | null;
  /** When the server finished it. */
  finalAt: number | null;
  /** Which of the stop words it most likely was, where its words are not clear. */
  command: string | null;
  /** Whether its speaker has finished; null where the server does not say. */
  turnEnd: TurnEnd | null;
  /** Null where it was too long for that, or the server does not say. */
  signs: SpeechSigns | null;
  doubts: DoubtfulWord[];
  /** What else all of it may be, likeliest first; any server's word, within limits. */
  readings: string[];
  /** Why it has no words that were said: names of sounds alone, or what Whisper writes for silence; without it, it has. */
  noWords?: "sounds" | "phantom" | undefined;
  /** What the server told for the same utterance before, where it has told better words since. */
  corrects?: string;
  /** Of better words: somebody says something else by now. */
  isSaidOver?: boolean;
}

/** What a source of voice says: of its session, and of what is heard. */
export type VoiceEvent =
  /** The server has opened the source. `device`: its name, null where the server does not say. */
  | { type: "opened"; sessionId: string; device: string | null }
  | { type: "restarting"; why: UserError }
  /** Whether sound arrives. */
  | { type: "audio_flows"; flows: boolean }
  /** Nothing is to be heard of the microphone, though it is open. */
  | { type: "no_sound"; isSystemMuted: boolean }
  | { type: "sound" }
  | { type: "onset"; sessionId: string; startMs: number }
  | { type: "speech_end" }
  /** `signs`: how much what was heard is like speech; null where the server does not say. */
  | { type: "no_words"; signs?: SpeechSigns | null }
  | { type: "partial"; utteranceId: string; text: string }
  | { type: "final"; utterance: Utterance }
  /** The server dropped this many events before they were read. */
  | { type: "gap"; missed: number }
  /** The user talks by a key from here on, or no more. */
  | { type: "talk"; isTalking: boolean }
  | { type: "device"; name: string | null }
  /** The file that the sound is kept in. */
  | { type: "recording"; path: string | null }
  /** The wake phrase was heard, or is waited for again. */
  | { type: "wake"; isAwake: boolean }
  /** A word to stop was said over what Parley says. */
  | { type: "stop_word"; phrase: string }
  /** Which words to stop are listened for over what Parley says, and which the model does not know; null: none listens. */
  | { type: "stop_words"; model: string | null; listened: string[]; unknown: string[] }
  /** Worth a line where somebody looks, and no more. */
  | { type: "aside"; text: string }
  | { type: "notice"; message: string }
  /** The server's own event, as it came, ahead of what it means. */
  | { type: "raw"; event: SttEvent }
  /** The last one. null: it was stopped, or its source has ended. */
  | { type: "ended"; failure: UserError | null };

/** What the meaning of an event depends on, of the session that it is of. */
export interface HeardIn {
  source: SpeechSource;
  sessionId: string;
  /** Utterances that were finished so far: servers of the older kind do not number them. */
  utterances: number;
  /** When its first sample was heard, milliseconds since the epoch; null where the server does not say. */
  audioStartedAt: number | null;
}

/** What an event of the speech server means. Pure. @returns null for what only the server needs to know */
export function meaningOf(event: SttEvent, heardIn: HeardIn): VoiceEvent | null {
  switch (event.type) {
    case "speech_start":
      return { type: "onset", sessionId: heardIn.sessionId, startMs: event.offset_ms };
    case "speech_end":
      return { type: "speech_end" };
    case "utterance_partial":
      return isWordless(event.text)
        ? null
        : { type: "partial", utteranceId: idOf(event.utterance_id, heardIn), text: event.text };
    case "utterance_final":
      return { type: "final", utterance: utteranceOf(event, heardIn) };
    case "info":
      return meaningOfInfo(event, heardIn);
    case "warning":
      return { type: "notice", message: event.message };
    case "error":
      // A fatal one ends the session, which says why.
      return event.fatal ? null : { type: "notice", message: inWords(describeFailure(event)) };
  }
}

/** When the first sample of a session was heard, where this event says so; undefined where it does not. */
export function audioStart(event: SttEvent): number | null | undefined {
  if (event.type !== "info" || event.message !== sttInfo.audioStarted) return undefined;
  return field(event.payload, "epoch_ms", "number");
}

/** Servers of the older kind number no utterances: what is said until the next final is one. */
const idOf = (id: string | null | undefined, { sessionId, utterances }: HeardIn) =>
  `${sessionId}/${id ?? `utterance-${utterances + 1}`}`;

function utteranceOf(event: Extract<SttEvent, { type: "utterance_final" }>, heardIn: HeardIn): Utterance {
  const { source, sessionId, audioStartedAt } = heardIn;
  const { start_ms: startMs = null, end_ms: endMs = null } = event;
  const epochOf = (ms: number | null) =>
    audioStartedAt === null || ms === null ? null : audioStartedAt + ms;
  const doubts = (event.words ?? []).flatMap(({ word, confidence = 1, alternatives = [] }) =>
    confidence < doubtConfidence ? [{ word, confidence, alternatives }] : [],
  );
  return {
    id: idOf(event.utterance_id, heardIn),
    sessionId,
    source,
    text: event.text,
    reason: event.reason ?? "unknown",
    confidence: event.confidence ?? null,
    startMs,
    endMs,
    audioStartedAt,
    startedAt: epochOf(startMs),
    endedAt: epochOf(endMs),
    finalAt: timeOf(event.timestamp_utc),
    command: event.command ?? null,
    turnEnd: event.turn_end ?? null,
    signs: signsOf(event),
    doubts: doubts.slice(0, maxDoubts),
    readings: readingsWithin(event.text, event.alternatives ?? []),
    noWords: noWordsIn(event),
  };
}

function noWordsIn({
  text,
  words = [],
}: Pick<Extract<SttEvent, { type: "utterance_final" }>, "text" | "words">) {
  if (
    isWordless(
      text,
      words.map(({ word }) => word),
    )
  )
    return "sounds";
  return isWhisperPhantom(text) ? "phantom" : undefined;
}

const measured = z.object({ speech_signs: speechSigns.optional() });

function signsOf({ speech_signs: signs }: z.infer<typeof measured>) {
  if (!signs) return null;
  const { voiced_share: voicedShare, voiced_ms: voicedMs, sure_share: sureShare = null, closed } = signs;
  return { voicedShare, voicedMs, sureShare, closed };
}

function meaningOfInfo(event: Extract<SttEvent, { type: "info" }>, heardIn: HeardIn): VoiceEvent | null {
  const { message, payload } = event;
  switch (message) {
    case sttInfo.noWords:
      return { type: "no_words", signs: signsOf(measured.safeParse(payload).data ?? {}) };
    case sttInfo.audioStalled:
      return { type: "audio_flows", flows: false };
    case sttInfo.audioFlows:
      return { type: "audio_flows", flows: true };
    case sttInfo.noSound:
      return { type: "no_sound", isSystemMuted: field(payload, "system_muted", "boolean") ?? false };
    case sttInfo.sound:
      return { type: "sound" };
    case sttInfo.talkStarted:
      return { type: "talk", isTalking: true };
    case sttInfo.talkEnded:
      return { type: "talk", isTalking: false };
    case sttInfo.deviceChanged:
      return { type: "device", name: field(payload, "device_name", "string") };
    case sttInfo.recording:
      return { type: "recording", path: field(payload, "path", "string") };
    case sttInfo.unmuted: {
      const gapMs = field(payload, "gap_ms", "number") ?? 0;
      return { type: "aside", text: `Did not listen for ${(gapMs / 1000).toFixed(1)} s` };
    }
    case sttInfo.stopWord: {
      const phrase = field(payload, "phrase", "string");
      return phrase === null ? null : { type: "stop_word", phrase };
    }
    case sttInfo.stopWords: {
      const told = stopWords.safeParse(payload);
      return told.success ? { type: "stop_words", ...told.data } : null;
    }
    case sttInfo.wakePhrase:
      return { type: "wake", isAwake: true };
    case sttInfo.asleep:
      return { type: "wake", isAwake: false };
    // Servers of the older kind send partials so.
    case "provisional_text":
    case "stable_text": {
      const text = field(payload, "text", "string");
      return text === null ? null : { type: "partial", utteranceId: idOf(null, heardIn), text };
    }
    default:
      return null;
  }
}

const stopWords = z.object({
  model: z.string().nullable(),
  listened: z.array(z.string()),
  unknown: z.array(z.string()),
});

function field(payload: unknown, name: string, type: "number"): number | null;
function field(payload: unknown, name: string, type: "string"): string | null;
function field(payload: unknown, name: string, type: "boolean"): boolean | null;
function field(payload: unknown, name: string, type: "number" | "string" | "boolean"): unknown {
  if (typeof payload !== "object" || payload === null) return null;
  const value: unknown = Object.entries(payload).find(([key]) => key === name)?.[1];
  return typeof value === type ? value : null;
}

function timeOf(utc: string): number | null {
  const time = Date.parse(utc);
  return Number.isNaN(time) ? null : time;
}

const inWords = ({ message, hint }: UserError) => (hint === undefined ? message : `${message} ${hint}`);
