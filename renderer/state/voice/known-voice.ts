import type { VoiceSource } from "../../../shared/conversation/messages.ts";
import type { VoiceSettings } from "../../../shared/voice/voice-settings.ts";
import { isOn, type VoiceOn, type VoiceSnapshot } from "../../../shared/voice/voice-snapshot.ts";

/** What a window knows of voice. `closed`: no source is listened to. `open`: one is, for prompts or for a test. */
export type KnownVoice =
  /** Main has not said anything yet. */
  | { kind: "unknown" }
  | { kind: "closed"; voice: VoiceSnapshot }
  /** `level`: how loud it is, RMS 0–1. */
  | { kind: "open"; voice: VoiceSnapshot; level: number };

export type KnownVoiceEvent =
  /** Main says how everything stands. */
  | { type: "told"; voice: VoiceSnapshot }
  | { type: "level"; level: number }
  /** The user wants voice to listen. */
  | { type: "listen"; conversationId: string; source: Exclude<VoiceSource, "file"> }
  /** The user presses the microphone button of a conversation. */
  | { type: "toggle"; conversationId: string; source: Exclude<VoiceSource, "file"> }
  /** The user wants what they say in the text box, or no more. */
  | { type: "switch_dictation"; conversationId: string }
  /** The user wants another setting. */
  | { type: "set"; change: Partial<VoiceSettings> }
  /** Main did not take over what the user wanted. */
  | { type: "refused" };

/** What is asked of main. */
export type KnownVoiceAction =
  | { type: "start"; conversationId: string; source: Exclude<VoiceSource, "file"> }
  | { type: "stop" }
  | { type: "dictate"; conversationId: string; isOn: boolean }
  /** How everything stands. */
  | { type: "ask" };

export interface KnownVoiceStep {
  state: KnownVoice;
  /** In this order, each once the one before it was answered. */
  actions: KnownVoiceAction[];
}

/** What a window makes of what main says of voice, and of what the user wants. Pure. */
export function stepKnownVoice(state: KnownVoice, event: KnownVoiceEvent): KnownVoiceStep {
  const now = state.kind === "unknown" ? null : state.voice.now;
  const heard = now && isOn(now) ? now : null;
  switch (event.type) {
    case "told":
      return stay(withVoice(state, event.voice));
    case "level":
      return stay(state.kind === "open" ? { ...state, level: event.level } : state);
    case "toggle":
      if (heard?.conversationId === event.conversationId) return { state, actions: [{ type: "stop" }] };
      return { state, actions: listening(event, heard) };
    case "listen":
      return { state, actions: listening(event, heard) };
    case "switch_dictation": {
      const { conversationId } = event;
      return { state, actions: [{ type: "dictate", conversationId, isOn: !heard?.isDictating }] };
    }
    case "set": {
      if (state.kind === "unknown") return stay(state);
      // What was clicked shows at once; what became of it is told.
      const settings = { ...state.voice.settings, ...event.change };
      return stay({ ...state, voice: { ...state.voice, settings } });
    }
    case "refused":
      return { state, actions: [{ type: "ask" }] };
  }
}

/** Voice is one for the app: where it is on already, with another source or elsewhere, it ends there first. */
function listening(
  { conversationId, source }: Extract<KnownVoiceEvent, { type: "listen" | "toggle" }>,
  heard: VoiceOn | null,
): KnownVoiceAction[] {
  const start: KnownVoiceAction = { type: "start", conversationId, source };
  return heard ? [{ type: "stop" }, start] : [start];
}

/** The loudness stays only where the same source goes on: none is left behind by one that was closed. */
function withVoice(before: KnownVoice, voice: VoiceSnapshot): KnownVoice {
  const { now } = voice;
  if (!isOn(now) && !now.isTesting) return { kind: "closed", voice };
  return { kind: "open", voice, level: before.kind === "open" ? before.level : 0 };
}

/** null before main was asked. */
export const snapshotOf = (state: KnownVoice): VoiceSnapshot | null =>
  state.kind === "unknown" ? null : state.voice;

/** How loud it is, RMS 0–1. */
export const levelOf = (state: KnownVoice): number => (state.kind === "open" ? state.level : 0);

const stay = (state: KnownVoice): KnownVoiceStep => ({ state, actions: [] });
