import { z } from "zod";
import { voiceSource } from "../conversation/messages.ts";
import { talkKey } from "./talk-key.ts";

const ms = (most: number) => z.number().int().min(0).max(most);

/** The settings of voice, in one place: the voice panel shows them all. */
export const voiceSettingsShape = {
  "voice.source": voiceSource.exclude(["file"]).default("microphone"),
  /** A configured MCP server, or `built-in` for Parley's own: then nothing that is said leaves this computer. */
  "voice.server": z.string().trim().min(1).default("built-in"),
  /** The id of a microphone, blank for the system's default one. */
  "voice.microphone": z.string().default(""),
  /** A speech model: an id of the catalogue, the folder of one, or blank for the one that comes along. */
  "voice.model": z.string().trim().default(""),
  "voice.language": z.string().trim().min(2).default("en"),
  "voice.endpointingMs": ms(10_000).min(100).default(500),
  "voice.utteranceEndMs": ms(20_000).min(100).default(1000),
  "voice.maxUtteranceMs": ms(600_000).min(1000).default(30_000),
  "voice.minConfidence": z.number().min(0).max(1).default(0.3),
  /** Nothing is written down until this is heard, nor again after a while of silence; blank: everything is. */
  "voice.wakePhrase": z.string().trim().max(100).default(""),
  /** Nothing is heard but while a key is held, or between two taps of it; a key is also tapped where none can be held. */
  "voice.pushToTalk": z.enum(["off", "hold", "tap"]).default("off"),
  "voice.pushToTalkKey": talkKey.default("F9"),
  /** What a spoken prompt does while a run is going on. What the computer plays always waits. */
  "voice.whileBusy": z.enum(["queue", "steer", "interrupt"]).default("queue"),
  /** Said into the microphone and nothing else, they end the run and the reply that is being spoken. */
  "voice.stopWords": z.array(z.string().trim().min(1)).default(["stop", "cancel", "never mind"]),
  /** Who goes on within this long after the end of an utterance goes on with the same prompt; 0 = never. */
  "voice.mergeWindowMs": ms(10_000).default(600),
  /** Prompts that wait; further ones are held until there is room. */
  "voice.queueMax": z.number().int().min(1).max(1000).default(20),
  /** How long a spoken prompt can be corrected before it is sent; 0 = at once. */
  "voice.reviewMs": ms(60_000).default(0),
  /** Which replies are said aloud: those to spoken prompts, all, or none. */
  "voice.speak": z.enum(["never", "spoken", "always"]).default("spoken"),
  /** Embedded (`slt`, `rms`), downloaded (`model:ID`), in a folder (`folder:PATH`), or the system's (`system`, `system:NAME`). */
  "voice.voice": z
    .string()
    .regex(/^(slt|rms|system(:.+)?|model:[a-z0-9.-]+|folder:.+)$/)
    .default("slt"),
  /** 1 is the voice's own pace. */
  "voice.rate": z.number().min(0.5).max(2).default(1),
  "voice.volume": z.number().min(0).max(1).default(1),
  /** A short sound when listening begins, and another one when it ends. */
  "voice.chime": z.boolean().default(false),
  /** Whether what is heard is kept as sound files, and for how many days; 0 = until they are deleted by hand. */
  "voice.record": z.boolean().default(false),
  "voice.recordKeepDays": z.number().int().min(0).max(3650).default(7),
} as const;

const voiceSettings = z.object(voiceSettingsShape);
export type VoiceSettings = z.infer<typeof voiceSettings>;
export type VoiceSettingKey = keyof VoiceSettings;

const isVoiceKey = (key: string): key is VoiceSettingKey => key in voiceSettingsShape;
const voiceSettingKeys = Object.keys(voiceSettingsShape).filter(isVoiceKey);

/** One of them, to be changed: its value is checked by its own rule. */
export const voiceSettingChange = z.object({ key: z.enum(voiceSettingKeys), value: z.unknown() });

/** @throws ZodError where the value breaks the setting's rule */
export function parseVoiceSetting({
  key,
  value,
}: z.infer<typeof voiceSettingChange>): Partial<VoiceSettings> {
  return { [key]: voiceSettingsShape[key].parse(value) };
}

/** Of all settings those of voice. */
export const voiceSettingsOf = (all: VoiceSettings): VoiceSettings => voiceSettings.parse(all);
