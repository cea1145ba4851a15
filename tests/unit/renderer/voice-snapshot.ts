import { defaultSettings } from "../../../shared/settings.ts";
import { noOffers } from "../../../shared/voice/speech-offer.ts";
import { voiceSettingsOf } from "../../../shared/voice/voice-settings.ts";
import { type VoiceOn, type VoiceSnapshot, voiceOff } from "../../../shared/voice/voice-snapshot.ts";

/** What main says of voice while it is off. */
export const voiceSnapshot: VoiceSnapshot = {
  now: voiceOff,
  speech: null,
  shortened: null,
  answersAloud: [],
  server: null,
  turn: null,
  entries: [],
  settings: voiceSettingsOf(defaultSettings),
  recordingsFolder: "/home/ann/recordings",
  talkHint: null,
  stopWordsHint: null,
  offers: noOffers,
  repair: { isOn: false, model: null, usualUsd: null, asked: 0, mended: 0, tokens: 0, usd: 0 },
};

/** Voice that listens to the microphone in conversation `a`, and what is different from that. */
export const voiceOn = (more: Partial<VoiceOn> = {}): VoiceOn => ({
  state: "listening",
  source: "microphone",
  conversationId: "a",
  detail: null,
  partial: null,
  hint: null,
  isMuted: false,
  isDictating: false,
  isTrial: false,
  isQuick: false,
  device: null,
  recordingTo: null,
  ...more,
});
