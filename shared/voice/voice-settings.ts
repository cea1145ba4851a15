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
  /** What `/voice start` listens to. */
  "voice.source": voiceSource.exclude(["file"]).default("microphone"),
  /** Who hears: a configured MCP server, or `built-in` for Parley's own: then nothing that is said leaves this computer. */
  "voice.server": z.string().trim().min(1).default("built-in"),
  /** The id of a microphone; empty: the default one of the system. */
  "voice.microphone": z.string().default(""),
  /** The same for other speech servers, each by its name: a microphone's id means something only to the server that gave it. */
  "voice.serverMicrophones": z.record(z.string(), z.string()).default({}),
  /** A speech model: an id of the catalogue, the folder of one, or empty for the one that comes with Parley. */
  "voice.model": z.string().trim().default(""),
  /** The language that is spoken: a code such as `en`, or `auto` where the speech model can tell. */
  "voice.language": z.string().trim().min(2).default("en"),
  /** The silence that ends an utterance. */
  "voice.endpointingMs": ms(10_000).min(100).default(500),
  /** The upper bound of that silence, where the utterance sounds unfinished. */
  "voice.utteranceEndMs": ms(20_000).min(100).default(1000),
  /** The longest utterance. */
  "voice.maxUtteranceMs": ms(600_000).min(1000).default(30_000),
  /** Words below this confidence are shown, but not sent. */
  "voice.minConfidence": z.number().min(0).max(1).default(0.3),
  /** Nothing is written down until this is heard, nor again after 8 s of silence; empty: everything is. */
  "voice.wakePhrase": z.string().trim().max(100).default(""),
  /** `hold` or `tap` a key to talk: otherwise nothing is heard. Where a key cannot be held, it is tapped. */
  "voice.pushToTalk": z.enum(["off", "hold", "tap"]).default("off"),
  /** Such as `F9`, `ScrollLock`, `CtrlRight`, `Ctrl+Alt+Space`. */
  "voice.pushToTalkKey": talkKey.default("F9"),
  /** Names and words of yours: they take the place of unclear words that sound like them. Each is the word alone, or `{ word, heardAs }` with what it was misheard as. */
  "voice.words": z.array(ownWord).max(maxOwnWords).default([]),
  /** Whether a word that you correct in what was heard is put on that list. */
  "voice.learnWords": z.boolean().default(true),
  /** Whether a model mends what was heard unclearly before it is sent, by one small request with the readings, the end of the conversation, your words and, in a folder that you trust, the names of its files. `auto`: only a model on this computer, which costs nothing; `on`: one in the cloud, too, for about 600 tokens each time. */
  "voice.repair": z.enum(["auto", "on", "off"]).default("auto"),
  /** How long an unclear prompt waits for that; then it is sent as it was heard. */
  "voice.repairMs": ms(5000).min(100).default(600),
  /** What a spoken prompt does during a run: wait its turn, go into the running turn, or stop it. What the computer plays always waits. */
  "voice.whileBusy": z.enum(["queue", "steer", "interrupt"]).default("queue"),
  /** Said into the microphone and nothing else, they end the run and the reply that is being spoken. */
  "voice.stopWords": z.array(z.string().trim().min(1)).default(["stop", "cancel", "never mind"]),
  /** If you go on within this time after the end of an utterance, you go on with the same prompt; 0 = never. */
  "voice.mergeWindowMs": ms(10_000).default(600),
  /** Prompts that wait; further ones are held until there is room. */
  "voice.queueMax": z.number().int().min(1).max(1000).default(20),
  /** How long a spoken prompt can be corrected before it is sent; 0 = at once. */
  "voice.reviewMs": ms(60_000).default(0),
  /** Which replies are spoken: those to `spoken` prompts, all, or none. */
  "voice.speak": z.enum(["never", "spoken", "always"]).default("spoken"),
  /** Embedded (`slt`, `rms`), downloaded (`model:ID`), in a folder (`folder:PATH`), or of the system (`system`, `system:NAME`). */
  "voice.voice": z
    .string()
    .regex(/^(slt|rms|system(:.+)?|model:[a-z0-9.-]+|folder:.+)$/)
    .default("slt"),
  /** Which speaker of a voice that has several, from 0. */
  "voice.speaker": z.number().int().min(0).max(999).default(0),
  /** The pace of the voice; 1 is its own. */
  "voice.rate": z.number().min(0.5).max(2).default(1),
  /** How loud the voice is. */
  "voice.volume": z.number().min(0).max(1).default(1),
  /** Offers of better speech that you do not want to see again: `recogniser`, `voice`. */
  "voice.declined": z.array(z.enum(offerKinds)).default([]),
  /** A short sound when listening begins, and another one when it ends. */
  "voice.chime": z.boolean().default(false),
  /** Whether what is heard is kept as sound files in the user-data folder. */
  "voice.record": z.boolean().default(false),
  /** Days that recordings are kept; 0 = until you delete them. */
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
