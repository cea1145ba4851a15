import type { SpeechSource, VoiceSource } from "../../../shared/conversation/messages.ts";
import type { Settings } from "../../../shared/settings.ts";

/** How voice listens; one at a time. */
export type VoiceMode = "hands_free" | "push_to_talk" | "wake_phrase" | "dictation" | "meeting" | "playback";

/** What a mode permits. */
export interface ModeRules {
  /** Where what is said goes: to the conversation as a prompt, into its text box, or among what was said in a meeting. */
  wordsGoTo: "conversation" | "text_box" | "meeting";
  /** What has to come before anything is heard. */
  waitsFor: "nothing" | "key" | "phrase";
  /** Why dictation may not take its place for a while; null where it may. */
  noDictation: string | null;
  /** It ends when nobody dictates any more. */
  endsWithDictation: boolean;
  /** Whose first sound takes a prompt back that has shown nothing yet. */
  takesBack: readonly SpeechSource[];
}

const anybody: readonly SpeechSource[] = ["microphone", "loopback", "file"];

export const modeRules: Readonly<Record<VoiceMode, ModeRules>> = {
  hands_free: {
    wordsGoTo: "conversation",
    waitsFor: "nothing",
    noDictation: null,
    endsWithDictation: false,
    takesBack: anybody,
  },
  push_to_talk: {
    wordsGoTo: "conversation",
    waitsFor: "key",
    noDictation: null,
    endsWithDictation: false,
    takesBack: anybody,
  },
  wake_phrase: {
    wordsGoTo: "conversation",
    waitsFor: "phrase",
    noDictation: "Voice is waiting for the wake phrase. Stop it first, then dictate.",
    endsWithDictation: false,
    takesBack: anybody,
  },
  dictation: {
    wordsGoTo: "text_box",
    waitsFor: "nothing",
    noDictation: null,
    endsWithDictation: true,
    takesBack: anybody,
  },
  // Heard as a whole; the key says what of it is a prompt.
  meeting: {
    wordsGoTo: "meeting",
    waitsFor: "nothing",
    noDictation: null,
    endsWithDictation: false,
    takesBack: ["microphone"],
  },
  // A file, or what the computer plays.
  playback: {
    wordsGoTo: "conversation",
    waitsFor: "nothing",
    noDictation: "Voice is not listening to the microphone. Stop it first.",
    endsWithDictation: false,
    takesBack: anybody,
  },
};

/** What decides the mode, of what voice was started with. */
export interface ModeRequest {
  source: VoiceSource;
  /** Whatever the settings say of push-to-talk and of a wake phrase. */
  isHandsFree?: boolean | undefined;
  /** On only for as long as somebody dictates. */
  isDictation?: boolean | undefined;
}

/** How voice listens that is started so. Pure. With a key nobody needs a phrase, and a meeting is heard as a whole. */
export function modeOf({ source, isHandsFree, isDictation }: ModeRequest, settings: Settings): VoiceMode {
  if (isDictation) return "dictation";
  if (source === "both") return "meeting";
  if (source !== "microphone") return "playback";
  if (isHandsFree) return "hands_free";
  if (settings["voice.pushToTalk"] !== "off") return "push_to_talk";
  return settings["voice.wakePhrase"] === "" ? "hands_free" : "wake_phrase";
}
