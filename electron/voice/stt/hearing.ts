import type { UserError } from "../../../shared/conversation/events.ts";
import type { DoubtfulWord } from "../../../shared/conversation/messages.ts";
import type { Settings } from "../../../shared/settings.ts";
import { type SttEvent, sttInfo } from "../../../shared/voice/stt.ts";
import { describeFailure } from "../session/voice-errors.ts";

/** Under this a word is told to the model as doubtful, with what else it may have been. */
export const doubtConfidence = 0.6;
/** More doubtful words than this say nothing that the confidence does not. */
const maxDoubts = 20;

/** What an event of the speech server means. Times in milliseconds: `…Ms` on the sample clock, `…At` since the epoch. */
export type Heard =
  | { kind: "onset"; startMs: number }
  | { kind: "speech_end" }
  | { kind: "no_words" }
  | { kind: "partial"; utteranceId: string | null; text: string }
  | { kind: "final"; final: FinalUtterance }
  | { kind: "audio_started"; at: number | null }
  /** Whether frames come, while the source is open. */
  | { kind: "audio_flows"; flows: boolean }
  /** The user talks by a key from here on, or no more. */
  | { kind: "talk"; isTalking: boolean }
  | { kind: "device"; name: string | null }
  | { kind: "recording"; path: string | null }
  /** The wake phrase was heard, or is waited for again. */
  | { kind: "wake"; isAwake: boolean }
  /** Worth a line where somebody looks, and no more. */
  | { kind: "aside"; text: string }
  | { kind: "notice"; message: string };

export interface FinalUtterance {
  /** null from servers of the older kind, which number no utterances. */
  utteranceId: string | null;
  text: string;
  reason: string;
  confidence: number | null;
  startMs: number | null;
  endMs: number | null;
  /** When the server finished it. */
  finalAt: number | null;
  /** Which of the stop words it most likely was, where its words are not clear. */
  command: string | null;
  doubts: DoubtfulWord[];
}

/** @returns null for what only the server needs to know */
export function hear(event: SttEvent): Heard | null {
  switch (event.type) {
    case "speech_start":
      return { kind: "onset", startMs: event.offset_ms };
    case "speech_end":
      return { kind: "speech_end" };
    case "utterance_partial":
      return { kind: "partial", utteranceId: event.utterance_id, text: event.text };
    case "utterance_final":
      return { kind: "final", final: finalOf(event) };
    case "info":
      return heardInfo(event);
    case "warning":
      return { kind: "notice", message: event.message };
    case "error":
      // A fatal one ends the session, which says why.
      return event.fatal ? null : { kind: "notice", message: inWords(describeFailure(event)) };
  }
}

/** The silence that ended an utterance, by the rule that did. */
export function silenceMsOf(reason: string, settings: Settings): number {
  if (reason === "utterance_end") return settings["voice.utteranceEndMs"];
  return reason === "endpoint" ? settings["voice.endpointingMs"] : 0;
}

function finalOf(event: Extract<SttEvent, { type: "utterance_final" }>): FinalUtterance {
  const doubts = (event.words ?? []).filter(({ confidence }) => confidence < doubtConfidence);
  return {
    utteranceId: event.utterance_id ?? null,
    text: event.text,
    reason: event.reason ?? "unknown",
    confidence: event.confidence ?? null,
    startMs: event.start_ms ?? null,
    endMs: event.end_ms ?? null,
    finalAt: timeOf(event.timestamp_utc),
    command: event.command ?? null,
    doubts: doubts
      .slice(0, maxDoubts)
      .map(({ word, confidence, alternatives = [] }) => ({ word, confidence, alternatives })),
  };
}

function heardInfo(event: Extract<SttEvent, { type: "info" }>): Heard | null {
  const { message, payload } = event;
  switch (message) {
    case sttInfo.noWords:
      return { kind: "no_words" };
    case sttInfo.audioStarted:
      return { kind: "audio_started", at: field(payload, "epoch_ms", "number") };
    case sttInfo.audioStalled:
      return { kind: "audio_flows", flows: false };
    case sttInfo.audioFlows:
      return { kind: "audio_flows", flows: true };
    case sttInfo.talkStarted:
      return { kind: "talk", isTalking: true };
    case sttInfo.talkEnded:
      return { kind: "talk", isTalking: false };
    case sttInfo.deviceChanged:
      return { kind: "device", name: field(payload, "device_name", "string") };
    case sttInfo.recording:
      return { kind: "recording", path: field(payload, "path", "string") };
    case sttInfo.unmuted: {
      const gapMs = field(payload, "gap_ms", "number") ?? 0;
      return { kind: "aside", text: `Did not listen for ${(gapMs / 1000).toFixed(1)} s` };
    }
    case sttInfo.wakePhrase:
      return { kind: "wake", isAwake: true };
    case sttInfo.asleep:
      return { kind: "wake", isAwake: false };
    // Servers of the older kind send partials so.
    case "provisional_text":
    case "stable_text": {
      const text = field(payload, "text", "string");
      return text === null ? null : { kind: "partial", utteranceId: null, text };
    }
    default:
      return null;
  }
}

function field(payload: unknown, name: string, type: "number"): number | null;
function field(payload: unknown, name: string, type: "string"): string | null;
function field(payload: unknown, name: string, type: "number" | "string"): unknown {
  if (typeof payload !== "object" || payload === null) return null;
  const value: unknown = Object.entries(payload).find(([key]) => key === name)?.[1];
  return typeof value === type ? value : null;
}

function timeOf(utc: string): number | null {
  const time = Date.parse(utc);
  return Number.isNaN(time) ? null : time;
}

const inWords = ({ message, hint }: UserError) => (hint === undefined ? message : `${message} ${hint}`);
