import type { VoiceStateEvent } from "../../../../electron/voice/session/voice-state.ts";
import type { VoiceEvent } from "../../../../electron/voice/stt/voice-events.ts";
import type { SpeechSource } from "../../../../shared/conversation/messages.ts";

export const started = (mode: "hands_free" | "dictation" | "meeting" = "hands_free"): VoiceStateEvent => ({
  type: "started",
  sources: mode === "meeting" ? ["microphone", "loopback"] : ["microphone"],
  mode,
});

export const heard = (event: VoiceEvent, source: SpeechSource = "microphone"): VoiceStateEvent => ({
  type: "heard",
  source,
  event,
});

export const fault = { code: "poll_failed", message: "It failed." };
export const flows = heard({ type: "audio_flows", flows: true });
