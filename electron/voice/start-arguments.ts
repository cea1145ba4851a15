import type { SpeechSource } from "../../shared/messages.ts";
import type { Settings } from "../../shared/settings.ts";
import type { StartSessionArguments } from "../../shared/stt.ts";
import type { VoiceStart } from "./voice-status.ts";

/** What the speech server is asked for one source: what was typed comes before the settings. Pure. */
export function startArguments(
  start: VoiceStart,
  source: SpeechSource,
  settings: Settings,
): Partial<StartSessionArguments> {
  const { path, pace, deviceId, deviceName } = start;
  return {
    source,
    ...(path !== undefined && { path }),
    ...(pace !== undefined && { pace }),
    ...(source === "microphone" && deviceId !== undefined && { mic_device_id: deviceId }),
    ...(source === "microphone" && deviceName !== undefined && { mic_device_name: deviceName }),
    language: start.language ?? settings["voice.language"],
    endpointing_ms: start.endpointingMs ?? settings["voice.endpointingMs"],
    utterance_end_ms: start.utteranceEndMs ?? settings["voice.utteranceEndMs"],
    max_utterance_ms: settings["voice.maxUtteranceMs"],
  };
}
