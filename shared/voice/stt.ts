import { z } from "zod";
import { speechSource } from "../conversation/messages.ts";

/**
 * Speech-to-text as session tools over MCP: what a client (`electron/voice`) and a server (`electron/stt-server`,
 * or anybody's) agree on. Audio is 16-bit mono PCM. Times are milliseconds on the session's sample clock:
 * arrival of sample 0 + index / sampleRateHz.
 */

export const sampleRateHz = 16_000;
/** One frame from the audio window: 512 samples, 32 ms. */
export const frameSamples = 512;
/** How long a frame lasts, in milliseconds. */
export const frameMs = (frameSamples * 1000) / sampleRateHz;

export const sttSessionStatus = z.enum(["starting", "running", "stopping", "stopped", "failed"]);
export type SttSessionStatus = z.infer<typeof sttSessionStatus>;

/** Tools are found by these endings, whatever a server's name puts before them. */
export const sttTool = {
  listDevices: "stt_list_devices",
  startSession: "stt_start_session",
  getUpdates: "stt_get_updates",
  getSession: "stt_get_session",
  stopSession: "stt_stop_session",
  updateSession: "stt_update_session",
  listModels: "stt_list_models",
  downloadModel: "stt_download_model",
  pauseDownload: "stt_pause_download",
  deleteModel: "stt_delete_model",
} as const;

/** What may be changed while a session listens: milliseconds of silence and of speech. */
const endpointing = {
  endpointing_ms: z.number().int().min(100).max(10_000),
  utterance_end_ms: z.number().int().min(100).max(20_000),
  max_utterance_ms: z.number().int().min(1000).max(600_000),
};

const fewWords = z.string().min(1).max(60);
const hotWords = {
  hot_words: z
    .array(fewWords)
    .max(500)
    .optional()
    .describe("Words and names of the user's: they are put in place of unclear words that sound like them."),
  hot_words_heard_as: z
    .record(fewWords, z.array(fewWords).max(8))
    .optional()
    .describe("Of words in `hot_words`, what they were misheard as before."),
};

export const startSessionArguments = z.object({
  source: speechSource.default("microphone").describe("Where to listen."),
  path: z.string().min(1).optional().describe("The WAV file to play; source `file` only."),
  pace: z
    .enum(["realtime", "fast"])
    .default("realtime")
    .describe("Source `file`: play at real-time pace, or as fast as it can be recognised."),
  mic_device_id: z.string().optional().describe("Exact id from stt_list_devices."),
  mic_device_name: z
    .string()
    .optional()
    .describe("Part of a device's name, any case; the first that matches. mic_device_id wins."),
  language: z.string().default("en"),
  model: z.string().optional(),
  sample_rate: z
    .number()
    .int()
    .min(8000)
    .max(192_000)
    .default(sampleRateHz)
    .describe("Hz at which a recorder captures; recognised at 16 kHz whatever it is."),
  endpointing_ms: endpointing.endpointing_ms.default(500).describe("Silence that ends an utterance."),
  utterance_end_ms: endpointing.utterance_end_ms
    .default(1000)
    .describe("Silence that ends an utterance whatever the phrase rules say."),
  max_utterance_ms: endpointing.max_utterance_ms.default(30_000),
  muted: z.boolean().default(false).describe("Begin muted; stt_update_session unmutes."),
  push_to_talk: z
    .boolean()
    .default(false)
    .describe(
      "Hear only while `talking`: from a moment before it is set to a moment after it is taken back.",
    ),
  talking: z.boolean().default(false).describe("Begin with the key held; stt_update_session lets it go."),
  grammar: z
    .array(z.string().min(1))
    .min(1)
    .max(500)
    .optional()
    .describe("Only these phrases are recognised; anything else that is said is dropped."),
  wake_phrase: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("Nothing is transcribed until this phrase is heard, nor again after a while of silence."),
  commands: z
    .array(z.string().min(1))
    .max(50)
    .optional()
    .describe(
      "Short phrases that matter when they are said alone: an unclear short utterance is compared with them.",
    ),
  ...hotWords,
  record_to: z
    .string()
    .min(1)
    .optional()
    .describe("A folder: the session's sound is kept there as a WAV file. Without it, never."),
  record_keep_days: z
    .number()
    .min(0)
    .max(3650)
    .default(7)
    .describe("Recordings in `record_to` that are older are deleted; 0 keeps them all."),
  chunk_seconds: z.number().optional().describe("Accepted for older clients; unused."),
  diarize: z.boolean().default(false).describe("Accepted; speakers are not told apart."),
});
export type StartSessionArguments = z.infer<typeof startSessionArguments>;

export const startSessionResult = z.object({
  session_id: z.string(),
  status: sttSessionStatus,
  created_utc: z.string(),
  source: speechSource,
  mic_device_id: z.string().nullable(),
  mic_device_name: z.string().nullable(),
});
export type StartSessionResult = z.infer<typeof startSessionResult>;

export const getUpdatesArguments = z.object({
  session_id: z.string(),
  since_seq: z.number().int().min(0).default(0).describe("Exclusive: only events after this one."),
  limit: z.number().int().min(1).max(500).default(100),
  wait_ms: z
    .number()
    .int()
    .min(0)
    .max(10_000)
    .default(0)
    .describe("Long poll: answer at the next event, or empty after this long."),
});

export const getUpdatesResult = z.object({
  session_id: z.string(),
  status: sttSessionStatus,
  /** Parsed one by one with `sttEvent`, so that one event of an unknown kind spoils nothing. */
  events: z.array(z.unknown()),
  /** The last seq returned, else `since_seq`. */
  next_seq: z.number().int().min(0),
  /** The oldest seq still held; servers of the older kind do not say. */
  first_seq: z.number().int().min(0).optional(),
});
export type GetUpdatesResult = z.infer<typeof getUpdatesResult>;

export const updateSessionArguments = z.object({
  session_id: z.string(),
  endpointing_ms: endpointing.endpointing_ms.optional(),
  utterance_end_ms: endpointing.utterance_end_ms.optional(),
  max_utterance_ms: endpointing.max_utterance_ms.optional(),
  muted: z.boolean().optional().describe("Drop what is heard; what was being said becomes an utterance."),
  talking: z
    .boolean()
    .optional()
    .describe("The user holds a key to talk: no pause ends what they say. Letting go does, at once."),
  ...hotWords,
});
export type UpdateSessionArguments = z.infer<typeof updateSessionArguments>;

/** How the session stands after the change. */
export const updateSessionResult = z.object({
  session_id: z.string(),
  status: sttSessionStatus,
  endpointing_ms: z.number(),
  utterance_end_ms: z.number(),
  max_utterance_ms: z.number(),
  muted: z.boolean(),
  talking: z.boolean().optional(),
});
export type UpdateSessionResult = z.infer<typeof updateSessionResult>;

/** Of all models one is recommended for English, one for many languages, and one as a voice. */
export const recommendedFor = z.enum(["english", "languages", "voice"]);
export type RecommendedFor = z.infer<typeof recommendedFor>;

/** What `npm run try-models -- --speech` found with a model. */
export const triedModel = z.object({
  /** The day: 2026-11-23. */
  date: z.string(),
  /** Of recorded English; null for what hears none of it. 0.1: one word in ten is wrong. */
  word_error_rate: z.number().nullable(),
  /** Seconds of work for a second of sound; null where it did not come to that. */
  real_time_factor: z.number().nullable(),
  /** Why it cannot be used, where it cannot. */
  problem: z.string().nullable(),
});

/** A model that can be downloaded. Bytes of the whole download; null where that is not known before. */
export const sttModel = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  languages: z.array(z.string()),
  licence: z.string(),
  page: z.string(),
  bytes: z.number().nullable(),
  state: z.enum(["available", "paused", "downloading", "failed", "installed"]),
  /** What is on the disk of a download that is not finished. */
  done_bytes: z.number().optional(),
  /** Why it failed, and what to do. */
  message: z.string().optional(),
  folder: z.string().optional(),
  recommended: recommendedFor.optional(),
  /** Null where nobody has tried it; a server that does not say leaves it out. */
  tried: triedModel.nullish(),
  /** How many a voice has; one, where it does not say. */
  speakers: z.number().int().positive().optional(),
});
export type SttModel = z.infer<typeof sttModel>;
export const listModelsResult = z.object({ models: z.array(sttModel) });
export const modelArguments = z.object({ model: z.string().min(1).describe("An id from stt_list_models.") });
export const modelResult = z.object({ model: sttModel });

export const sessionArguments = z.object({ session_id: z.string() });

export const getSessionResult = z.object({
  session_id: z.string(),
  status: sttSessionStatus,
  source: speechSource,
  language: z.string(),
  model: z.string(),
  /** The seq that the next event will get: not the same as in `stt_get_updates`. */
  next_seq: z.number().int().min(1),
  stable_chunk_count: z.number().int().min(0),
  latest_transcript: z.string(),
  error_count: z.number().int().min(0),
});
export type GetSessionResult = z.infer<typeof getSessionResult>;

export const stopSessionResult = z.object({
  session_id: z.string(),
  status: sttSessionStatus,
  stable_chunk_count: z.number().int().min(0),
  error_count: z.number().int().min(0),
});
export type StopSessionResult = z.infer<typeof stopSessionResult>;

export const sttDevice = z.object({ id: z.string(), name: z.string(), is_default: z.boolean() });
export type SttDevice = z.infer<typeof sttDevice>;

export const listDevicesResult = z.object({
  sources: z.array(z.object({ id: speechSource, label: z.string() })),
  capture: z.array(sttDevice).optional(),
  render: z.array(sttDevice).optional(),
  warning: z.string().optional(),
});
export type ListDevicesResult = z.infer<typeof listDevicesResult>;

const eventHead = { seq: z.number().int().positive(), timestamp_utc: z.string() };

export const recognisedWord = z.object({
  word: z.string(),
  start_ms: z.number(),
  end_ms: z.number(),
  /** Left out where the recogniser does not say. */
  confidence: z.number().min(0).max(1).optional(),
  /** What else it may have been, likeliest first; only of doubtful words, and where the recogniser can tell. */
  alternatives: z.array(z.string()).optional(),
});
export type RecognisedWord = z.infer<typeof recognisedWord>;

/** What ended an utterance: which rule of the endpointer fired. */
export const utteranceEndReason = z.enum([
  "endpoint",
  "utterance_end",
  "max_length",
  "session_stop",
  "muted",
  "released",
]);
export type UtteranceEndReason = z.infer<typeof utteranceEndReason>;

/** Whether whoever spoke has finished: `unlikely` where the words so far want more. */
export const turnEnd = z.enum(["likely", "unlikely"]);
export type TurnEnd = z.infer<typeof turnEnd>;

/** How much a short utterance is like speech; what the server cannot tell is left out. Shares are 0–1. */
export const speechSigns = z.object({
  /** Milliseconds of sound that is no silence. */
  sound_ms: z.number().min(0),
  /** The share of the sound that has the pitch of a voice. */
  voiced_share: z.number().min(0).max(1),
  /** The longest time in one piece that has it, in milliseconds. */
  voiced_ms: z.number().min(0),
  /** The share of its speech of which the voice detector is nearly sure. */
  sure_share: z.number().min(0).max(1).optional(),
  /** What a recogniser of nothing but short answers hears; null: none of them. Only where the sound is no clear voice. */
  closed: z.string().nullable().optional(),
});
export type SpeechSigns = z.infer<typeof speechSigns>;

export const sttEvent = z.discriminatedUnion("type", [
  z.object({ ...eventHead, type: z.literal("speech_start"), offset_ms: z.number() }),
  z.object({ ...eventHead, type: z.literal("speech_end"), offset_ms: z.number() }),
  z.object({
    ...eventHead,
    type: z.literal("utterance_partial"),
    /** Older servers number nothing but events. */
    utterance_id: z.string().optional(),
    text: z.string(),
  }),
  z.object({
    ...eventHead,
    type: z.literal("utterance_final"),
    /** Older servers number nothing but events. */
    utterance_id: z.string().optional(),
    text: z.string().min(1),
    /** One of `utteranceEndReason` from our server; anybody's word from another. */
    reason: z.string().optional(),
    start_ms: z.number().optional(),
    end_ms: z.number().optional(),
    confidence: z.number().min(0).max(1).optional(),
    words: z.array(recognisedWord).optional(),
    /**
     * What else all of it may say, likeliest first, `text` not among them; only of utterances that the recogniser is not
     * sure of, and where it can tell.
     */
    alternatives: z.array(z.string()).optional(),
    /** Which of the session's `commands` it most likely was, where its words are not clear. */
    command: z.string().optional(),
    /** Whether the speaker has finished, or may go on; only where the server can tell. */
    turn_end: turnEnd.optional(),
    /** Only of short ones, and only where the server can tell; not of what was said with a key held. */
    speech_signs: speechSigns.optional(),
  }),
  z.object({ ...eventHead, type: z.literal("info"), message: z.string(), payload: z.unknown().optional() }),
  z.object({
    ...eventHead,
    type: z.literal("warning"),
    message: z.string(),
    payload: z.unknown().optional(),
  }),
  z.object({
    ...eventHead,
    type: z.literal("error"),
    message: z.string(),
    kind: z.string().optional(),
    fatal: z.boolean().optional(),
  }),
]);
export type SttEvent = z.infer<typeof sttEvent>;

/** `info` messages of our own server that a client acts on. */
export const sttInfo = {
  /**
   * The first frame arrived. Payload `{epoch_ms}`: when sample 0 was heard, which maps offsets to wall time. Comes
   * again when it is known better, and after the computer slept: the latest counts.
   */
  audioStarted: "audio_started",
  /** Speech was heard, but no words came of it: nothing is being transcribed any more. */
  noWords: "no_words",
  /** A `file` source was played to its end. */
  sourceEnded: "source_ended",
  /** What is heard from `{offset_ms}` on is dropped. */
  muted: "muted",
  /** Payload `{offset_ms, gap_ms}`: so much was dropped until then. */
  unmuted: "unmuted",
  /** The key to talk is held, from `{offset_ms}` on; everything up to `talk_ended` was said with it. */
  talkStarted: "talk_started",
  talkEnded: "talk_ended",
  /** One of `commands` was said over what Parley says: payload `{phrase, heard_in, confidence}`. */
  stopWord: "stop_word",
  /**
   * Which of `commands` are listened for over what Parley says: payload `{listened, unknown, model}`. `model`: the one that
   * hears them, null where there is none; `unknown`: those that it does not know.
   */
  stopWords: "stop_words",
  /** The wake phrase was heard, at `{offset_ms}`: what follows is transcribed. */
  wakePhrase: "wake_phrase",
  /** Nothing was said for a while: the wake phrase is waited for again. */
  asleep: "asleep",
  /** The session listens to another device now: `{device_id, device_name, fallback}`. Comes as a `warning`, too. */
  deviceChanged: "device_changed",
  /** No frame came for a moment, though the source is open; and they come again. */
  audioStalled: "audio_stalled",
  audioFlows: "audio_flows",
  /**
   * Nothing comes from the microphone, though it is open: payload `{system_muted}`, true where the system says that it has
   * muted it. `sound` ends that, and so does `device_changed`.
   */
  noSound: "no_sound",
  sound: "sound",
  /** The session's sound is kept, as was asked: payload `{path}`. */
  recording: "recording",
} as const;

/**
 * The audio port: one MessagePort between the STT process and the audio window, for every microphone session.
 * The STT process asks; the audio window answers and sends frames.
 */
export const audioRequest = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("open"),
    stream: z.string(),
    /** Loopback is what the computer plays; it has no devices to choose from. */
    source: z.enum(["microphone", "loopback"]).default("microphone"),
    deviceId: z.string().optional(),
    deviceName: z.string().optional(),
    constraints: z
      .object({
        echoCancellation: z.boolean(),
        noiseSuppression: z.boolean(),
        autoGainControl: z.boolean(),
      })
      .optional(),
  }),
  z.object({ type: z.literal("close"), stream: z.string() }),
  z.object({ type: z.literal("list"), request: z.number().int() }),
]);
export type AudioRequest = z.infer<typeof audioRequest>;

/** How the microphone is heard while Parley speaks: behind echo cancellation, or without the echo that we take out; and what is played. */
export const spokenOver = z.enum(["cancelled", "cleaned", "played"]);
export type SpokenOver = z.infer<typeof spokenOver>;

export const audioReply = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("opened"),
    stream: z.string(),
    deviceId: z.string(),
    deviceName: z.string(),
  }),
  /** `kind` is the DOMException's name (`NotFoundError`, `NotAllowedError`, …) or `device_lost`. */
  z.object({ type: z.literal("failed"), stream: z.string(), kind: z.string(), message: z.string() }),
  z.object({ type: z.literal("closed"), stream: z.string() }),
  /** A device came or went; `list` tells which there are. */
  z.object({ type: z.literal("devices_changed") }),
  z.object({ type: z.literal("devices"), request: z.number().int(), capture: z.array(sttDevice) }),
  /** `sampleIndex` counts samples since the stream opened; a jump means lost audio. */
  z.object({
    type: z.literal("frame"),
    stream: z.string(),
    sampleIndex: z.number().int().min(0),
    pcm: z.instanceof(Int16Array),
    /** Whether the microphone, as it sounds before anything is suppressed, gives less than its own noise; left out where nobody knows. */
    isSilent: z.boolean().optional(),
  }),
  /** The system has muted the device, or no more. */
  z.object({ type: z.literal("muted"), stream: z.string(), isMuted: z.boolean() }),
  /**
   * A frame beside those, while Parley speaks: who says "stop" is heard in it. `isFirst`: of a reply, of its kind; `isNear`: it
   * holds more than what is left of an echo.
   */
  z.object({
    type: z.literal("over"),
    stream: z.string(),
    of: spokenOver,
    pcm: z.instanceof(Int16Array),
    isFirst: z.boolean(),
    isNear: z.boolean(),
  }),
]);
export type AudioReply = z.infer<typeof audioReply>;

/** What the STT process tells the app beside MCP: how loud a session is (RMS, 0–1), for the level meter. */
export const sttLevel = z.object({ type: z.literal("level"), sessionId: z.string(), level: z.number() });
export type SttLevel = z.infer<typeof sttLevel>;

/** The server's answer to the app's question whether it may end: nobody listens, and nothing is downloaded. */
export const sttRest = z.object({ type: z.literal("rest"), mayRest: z.boolean() });
export type SttRest = z.infer<typeof sttRest>;
