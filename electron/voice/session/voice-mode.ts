import type { SpeechSource, VoiceSource } from "../../../shared/conversation/messages.ts";
import type { Settings } from "../../../shared/settings.ts";

/** How voice listens; one at a time. */
export type VoiceMode = "hands_free" | "push_to_talk" | "wake_phrase" | "dictation" | "meeting";

/** What a mode permits. */
export interface ModeRules {
  /** Where what is said goes: to the conversation as a prompt, into its text box, or among what was said in a meeting. */
  wordsGoTo: "conversation" | "text_box" | "meeting";
  /** What has to come before anything is heard. */
  waitsFor: "nothing" | "key" | "phrase";
  /** Whether dictation may take its place for a while. */
  mayDictate: boolean;
  /** Whose first sound takes a prompt back that has shown nothing yet. */
  takesBack: readonly SpeechSource[];
}

const anybody: readonly SpeechSource[] = ["microphone", "loopback", "file"];

export const modeRules: Readonly<Record<VoiceMode, ModeRules>> = {
  hands_free: {
    wordsGoTo: "conversation",
    waitsFor: "nothing",
    mayDictate: true,
    takesBack: anybody,
  },
  push_to_talk: { wordsGoTo: "conversation", waitsFor: "key", mayDictate: true, takesBack: anybody },
  wake_phrase: { wordsGoTo: "conversation", waitsFor: "phrase", mayDictate: false, takesBack: anybody },
  dictation: { wordsGoTo: "text_box", waitsFor: "nothing", mayDictate: true, takesBack: anybody },
  // Heard as a whole; the key says what of it is a prompt.
  meeting: { wordsGoTo: "meeting", waitsFor: "nothing", mayDictate: true, takesBack: ["microphone"] },
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
  if (source !== "microphone" || isHandsFree) return "hands_free";
  if (isPushToTalk(settings)) return "push_to_talk";
  return settings["voice.wakePhrase"] === "" ? "hands_free" : "wake_phrase";
}

/** The microphone is open, and nothing is heard until the user talks by the key. */
export const isPushToTalk = (settings: Settings): boolean => settings["voice.pushToTalk"] !== "off";
