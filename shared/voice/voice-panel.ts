import type { UserError, UtteranceRule, VoiceStateName } from "../conversation/events.ts";
import type { SpeechSource, VoiceSource } from "../conversation/messages.ts";
import type { VoiceSettings } from "./voice-settings.ts";

/** What the voice panel shows. Main sends it whole whenever something of it changed; nothing is pushed while nothing does. */
export interface VoicePanelView {
  state: VoiceStateName;
  source: VoiceSource | null;
  conversationId: string | null;
  isMuted: boolean;
  /** What is said goes into the text box. */
  isDictating: boolean;
  isTesting: boolean;
  /** The microphone that is heard, by its name; null where nothing is, or the server does not say. */
  device: string | null;
  /** The speech server that what is said is sent to; null for Parley's own, on this computer. */
  server: string | null;
  /** Where the sound of this session is kept; null: nowhere. */
  recordingTo: string | null;
  turn: TurnParts | null;
  /** The latest, oldest first. */
  entries: VoiceEntry[];
  settings: VoiceSettings;
  /** Where recordings go when they are switched on. */
  recordingsFolder: string;
  /** How the user talks by a key, in a sentence; null where push-to-talk is off. */
  talkHint: string | null;
}

/** One line of what happened lately. */
export interface VoiceEntry {
  /** Counts up. */
  id: number;
  /** Milliseconds since the epoch. */
  at: number;
  kind: "utterance" | "state" | "notice" | "problem";
  source: SpeechSource | null;
  text: string;
  /** Of an utterance: what the gate made of it; absent where it became a prompt like any other. */
  rule?: UtteranceRule | "dictated" | undefined;
  /** Why it became none. */
  dropped?: string | undefined;
  droppedId?: string | undefined;
  /** 0–1; null where the recogniser does not say. */
  confidence?: number | null | undefined;
}

/** Where the time of a spoken turn went, milliseconds; null where the server does not say or it did not come to it. */
export interface TurnParts {
  /** From the end of speech to the finished utterance: silence that was waited for, and recognition. */
  recogniseMs: number | null;
  /** From there to the prompt: the way to us, and the gate. */
  deliverMs: number | null;
  /** To the request to the model. */
  requestMs: number | null;
  /** To the reply's first words. */
  firstWordsMs: number | null;
  /** From them to the first sound of the spoken reply. */
  firstAudioMs: number | null;
}

/** What a test of the microphone heard. */
export interface VoiceTestResult {
  texts: string[];
  /** The loudest, RMS 0–1; null where the server does not tell. */
  peak: number | null;
  notices: string[];
  failure: UserError | null;
}
