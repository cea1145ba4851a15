import type { SpeechSource } from "../../../shared/conversation/messages.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { StartSessionArguments } from "../../../shared/voice/stt.ts";
import { modeOf, modeRules } from "../session/voice-mode.ts";
import type { VoiceStart } from "../session/voice-state.ts";

/** The value of `voice.server` that means Parley's own. */
const ownServer = "built-in";

/** The MCP server that is to hear; undefined: Parley's own. */
export function serverOf(start: VoiceStart, settings: Settings): string | undefined {
  const { "voice.server": chosen } = settings;
  const server = start.server ?? chosen;
  return server === ownServer ? undefined : server;
}

/**
 * What the speech server is asked for one source: what was typed comes before the settings. Pure.
 * @param recordings the folder for recordings, where the user has switched them on
 */
export function startArguments(
  start: VoiceStart,
  source: SpeechSource,
  settings: Settings,
  recordings?: string,
): Partial<StartSessionArguments> {
  const { path, pace, deviceName } = start;
  const isMicrophone = source === "microphone";
  const { waitsFor } = modeRules[modeOf(start, settings)];
  // A device's id means something only to the server that gave it.
  const server = serverOf(start, settings);
  const chosen =
    server === undefined ? settings["voice.microphone"] : (settings["voice.serverMicrophones"][server] ?? "");
  const deviceId = start.deviceId ?? (deviceName === undefined && chosen !== "" ? chosen : undefined);
  const { "voice.model": model, "voice.record": records, "voice.recordKeepDays": keepDays } = settings;
  return {
    source,
    ...(path !== undefined && { path }),
    ...(pace !== undefined && { pace }),
    ...(isMicrophone && deviceId !== undefined && { mic_device_id: deviceId }),
    ...(isMicrophone && deviceName !== undefined && { mic_device_name: deviceName }),
    ...(model !== "" && { model }),
    ...(records &&
      recordings !== undefined &&
      source !== "file" && { record_to: recordings, record_keep_days: keepDays }),
    ...(waitsFor === "key" && { push_to_talk: true }),
    ...(waitsFor === "phrase" && { wake_phrase: settings["voice.wakePhrase"] }),
    ...(isMicrophone && { commands: settings["voice.stopWords"] }),
    ...(settings["voice.words"].length > 0 && hotWords(settings)),
    language: start.language ?? settings["voice.language"],
    ...endpointing(start, settings),
  };
}

/** The user's words, and what they were misheard as, in the server's words. */
export function hotWords({ "voice.words": words }: Pick<Settings, "voice.words">) {
  const misheard = words.filter(({ heardAs }) => heardAs.length > 0);
  return {
    hot_words: words.map(({ word }) => word),
    hot_words_heard_as: Object.fromEntries(misheard.map(({ word, heardAs }) => [word, heardAs])),
  };
}

/** When an utterance is over, in the server's words. */
export function endpointing(start: VoiceStart, settings: Settings) {
  const held = settingsOf(start, settings);
  return {
    endpointing_ms: held["voice.endpointingMs"],
    utterance_end_ms: held["voice.utteranceEndMs"],
    max_utterance_ms: held["voice.maxUtteranceMs"],
  };
}

/** The settings as they hold for a session: some it was started with. */
export function settingsOf(
  { endpointingMs, utteranceEndMs }: Pick<VoiceStart, "endpointingMs" | "utteranceEndMs">,
  settings: Settings,
): Settings {
  return {
    ...settings,
    ...(endpointingMs !== undefined && { "voice.endpointingMs": endpointingMs }),
    ...(utteranceEndMs !== undefined && { "voice.utteranceEndMs": utteranceEndMs }),
  };
}
