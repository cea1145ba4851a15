import { z } from "zod";
import { voiceSource } from "../conversation/messages.ts";
import { offerKinds } from "./speech-offer.ts";
import { talkKey } from "./talk-key.ts";

/** Words of the user's that are kept at most. */
export const maxOwnWords = 500;
/** What a word was misheard as, so many ways at most. */
export const maxHeardAs = 8;
const ownWordChars = 60;
const fewWords = z.string().trim().min(1).max(ownWordChars);

/** A word of the user's. In the file it may be the word alone. */
export const ownWord = z.preprocess(
  (said) => (typeof said === "string" ? { word: said } : said),
  z.object({
    word: fewWords,
    /** What it was misheard as. */
    heardAs: z.array(fewWords).max(maxHeardAs).default([]),
    /** Only of words that were learned: the day of its last use. When the list is full, the oldest gives way. */
    usedOn: z.iso.date().optional(),
  }),
);
export type OwnWord = z.infer<typeof ownWord>;

const ms = (most: number) => z.number().int().min(0).max(most);

/** The settings of voice, in one place: the voice panel shows them all. */
export const voiceSettingsShape = {
  "voice.source": voiceSource.exclude(["file"]).default("microphone"),
  "voice.server": z.string().trim().min(1).default("built-in"),
  "voice.microphone": z.string().default(""),
  "voice.serverMicrophones": z.record(z.string(), z.string()).default({}),
  "voice.model": z.string().trim().default(""),
  "voice.language": z.string().trim().min(2).default("en"),
  "voice.endpointingMs": ms(10_000).min(100).default(500),
  "voice.utteranceEndMs": ms(20_000).min(100).default(1000),
  "voice.maxUtteranceMs": ms(600_000).min(1000).default(30_000),
  "voice.minConfidence": z.number().min(0).max(1).default(0.3),
  "voice.wakePhrase": z.string().trim().max(100).default(""),
  "voice.pushToTalk": z.enum(["off", "hold", "tap"]).default("off"),
  "voice.pushToTalkKey": talkKey.default("F9"),
  "voice.words": z.array(ownWord).max(maxOwnWords).default([]),
  "voice.learnWords": z.boolean().default(true),
  "voice.repair": z.enum(["auto", "on", "off"]).default("auto"),
  "voice.repairMs": ms(5000).min(100).default(600),
  "voice.whileBusy": z.enum(["queue", "steer", "interrupt"]).default("queue"),
  "voice.stopWords": z
    .array(z.string().trim().min(1).max(60))
    .max(50)
    .default(["stop", "wait", "cancel", "never mind"]),
  "voice.mergeWindowMs": ms(10_000).default(600),
  "voice.queueMax": z.number().int().min(1).max(1000).default(20),
  "voice.reviewMs": ms(60_000).default(0),
  "voice.speak": z.enum(["never", "spoken", "always"]).default("spoken"),
  "voice.spokenLength": z.enum(["short", "whole"]).default("short"),
  "voice.voice": z
    .string()
    .regex(/^(slt|rms|system(:.+)?|model:[a-z0-9.-]+|folder:.+)$/)
    .default("slt"),
  "voice.speaker": z.number().int().min(0).max(999).default(0),
  "voice.rate": z.number().min(0.5).max(2).default(1),
  "voice.volume": z.number().min(0).max(1).default(1),
  "voice.declined": z.array(z.enum(offerKinds)).default([]),
  "voice.chime": z.boolean().default(false),
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
