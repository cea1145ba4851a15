import type { UserError, UtteranceRule, VoiceStateName } from "../conversation/events.ts";
import type { Speaker, SpeechSource, VoiceSource } from "../conversation/messages.ts";
import type { SpeechOffers } from "./speech-offer.ts";
import type { VoiceSettings } from "./voice-settings.ts";

/** How voice stands. What holds only while it is on is said only then. */
export type VoiceNow =
  | { state: "off"; isTesting: boolean }
  /** It ended by itself, in this conversation. */
  | { state: "failed"; isTesting: boolean; conversationId: string; detail: UserError }
  | VoiceOn;

/** Words while they are being spoken. `who`: in a meeting. */
export interface SpokenWords {
  utteranceId: string;
  text: string;
  who?: Speaker | undefined;
}

/** Voice that holds an audio source, or is about to. */
export interface VoiceOn {
  state: Exclude<VoiceStateName, "off" | "failed">;
  source: VoiceSource;
  conversationId: string;
  /** Why it stands so, where something went wrong. */
  detail: UserError | null;
  /** The words that are being said; in a meeting, by whom. */
  partial: SpokenWords | null;
  /** What to do now to be heard; null where nothing is needed. */
  hint: string | null;
  isMuted: boolean;
  /** What is said goes into the text box. */
  isDictating: boolean;
  /** What is dictated is only shown: somebody tries the microphone. */
  isTrial: boolean;
  /** It listens for the quick prompt. */
  isQuick: boolean;
  /** The microphone that is heard, by its name; null where none is, or the server does not say. */
  device: string | null;
  /** Where the sound of this session is kept; null: nowhere. */
  recordingTo: string | null;
}

/** The code of a `detail` that says: nothing comes from the microphone, though it is open. */
export const microphoneSilent = "microphone_silent";

/** That nothing comes from the microphone, and what to do; null where something does. */
export const silenceOf = (now: VoiceNow): UserError | null =>
  isOn(now) && now.detail?.code === microphoneSilent ? now.detail : null;

/** The reply that is being said aloud. */
export interface SpokenReply {
  conversationId: string;
  messageId: string;
  /** `stopped`: it goes on when somebody wants it to. */
  state: "speaking" | "paused" | "stopped";
  /** The one that is being said; null between two. */
  sentence: SpokenSentence | null;
}

/** A reply of which only the beginning is said aloud: the rest is on the screen until somebody wants to hear it. */
export interface ShortenedReply {
  conversationId: string;
  messageId: string;
}

/** A sentence of a reply, as it is said. */
export interface SpokenSentence {
  /** Of the reply that it stands in. */
  messageId: string;
  /** Without the marks of Markdown. */
  text: string;
  /** From 1 on. */
  number: number;
  /** So many are known: a reply that is still being written gets more. */
  count: number;
}

/**
 * All that a window knows of voice. Main sends it whole whenever something of it changed; nothing is pushed while nothing
 * does.
 */
export interface VoiceSnapshot {
  now: VoiceNow;
  /** null while nothing is said aloud. */
  speech: SpokenReply | null;
  /** The last reply of which only the beginning is said; null where there is none. */
  shortened: ShortenedReply | null;
  /** Conversations in which a run goes on, or has just ended, whose replies are said aloud. */
  answersAloud: readonly string[];
  /** The speech server that what is said is sent to; null for Parley's own, on this computer. */
  server: string | null;
  turn: TurnTimings | null;
  /** The latest, oldest first. */
  entries: VoiceEntry[];
  repair: RepairOffer & RepairTally;
  settings: VoiceSettings;
  /** Where recordings go when they are switched on. */
  recordingsFolder: string;
  /** How the user talks by a key, in a sentence; null where push-to-talk is off. */
  talkHint: string | null;
  /** Which words to stop are not listened for over a reply, and why, in a sentence; null where all are. */
  stopWordsHint: string | null;
  /** What would hear and speak better. */
  offers: SpeechOffers;
}

/** Voice as one conversation sees it: off, where it is on in another one. */
export interface VoiceView {
  now: VoiceNow;
  /** The reply of it that is being said aloud. */
  speech: SpokenReply | null;
  /** The message of it of which only the beginning is said. */
  shortenedId?: string | undefined;
  /** The replies of the run that goes on in it are said aloud. */
  isAnsweredAloud?: boolean;
}

/** Whether voice holds an audio source, or is about to. */
export const isOn = (now: VoiceNow): now is VoiceOn => now.state !== "off" && now.state !== "failed";

const hearing: ReadonlySet<VoiceStateName> = new Set(["listening", "hearing", "transcribing"]);

/** Whether what is said now is heard: not before its source is open, nor while it is muted. */
export const hears = (now: VoiceNow): now is VoiceOn => isOn(now) && !now.isMuted && hearing.has(now.state);

/** What is listened to; null while voice is off. */
export const sourceOf = (now: VoiceNow): VoiceSource | null => (isOn(now) ? now.source : null);

export const voiceOff: VoiceNow = { state: "off", isTesting: false };

/** What of voice belongs to a conversation. Pure. @param voice null before main was asked */
export function voiceIn(voice: VoiceSnapshot | null, conversationId: string): VoiceView {
  const now = voice?.now ?? voiceOff;
  return {
    now: now.state !== "off" && now.conversationId === conversationId ? now : voiceOff,
    speech: voice?.speech?.conversationId === conversationId ? voice.speech : null,
    shortenedId: voice?.shortened?.conversationId === conversationId ? voice.shortened.messageId : undefined,
    isAnsweredAloud: voice?.answersAloud.includes(conversationId) ?? false,
  };
}

/** Who mends unclear prompts, or would. */
export interface RepairOffer {
  isOn: boolean;
  /** null: no model answers. */
  model: string | null;
  /** What a usual repair costs, in US dollars; 0 on this computer; null: not known. */
  usualUsd: number | null;
}

/** What repairs have taken since Parley was started. */
export interface RepairTally {
  asked: number;
  mended: number;
  tokens: number;
  /** US dollars; null: the price of a model is not known. */
  usd: number | null;
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
export interface TurnTimings {
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
