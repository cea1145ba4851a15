import { defaultSettings } from "../../../shared/settings.ts";
import { voiceSettingsOf } from "../../../shared/voice/voice-settings.ts";
import type { VoiceSnapshot } from "../../../shared/voice/voice-snapshot.ts";

/** What main says of voice while it is off. */
export const voiceSnapshot: VoiceSnapshot = {
  state: "off",
  source: null,
  conversationId: null,
  detail: null,
  partial: null,
  hint: null,
  speech: null,
  isMuted: false,
  isDictating: false,
  isTesting: false,
  device: null,
  server: null,
  recordingTo: null,
  turn: null,
  entries: [],
  settings: voiceSettingsOf(defaultSettings),
  recordingsFolder: "/home/ann/recordings",
  talkHint: null,
};
