import { z } from "zod";
import type { MessagePortLike } from "../port-transport.ts";

/**
 * Speech that Parley makes itself. Main says what is to be spoken; the speech process makes the samples and sends them
 * over a port of its own straight to the audio window, which plays them and tells main how far it is. A `turn` is
 * everything between two silences: what comes late of one that was cancelled is not played.
 */

/** Rate 1 is the voice's own pace, 2 twice as fast. */
const part = { turn: z.number().int(), id: z.number().int(), text: z.string(), rate: z.number() };

/** Those that come along: they know English, and no letters but Latin ones. */
export const embeddedVoices = ["slt", "rms"] as const;

/** The voice that is always there. */
export const embeddedVoice = embeddedVoices[0];

/** @param voice by its name in the settings */
export const isEmbedded = (voice: string): boolean => embeddedVoices.some((one) => one === voice);

/** In the speech process's environment: the folder of the models that were downloaded. */
export const modelsVariable = "PARLEY_MODELS";

/** Main to the speech process. `voice`: `slt`, `rms`, `model:ID` of one that was downloaded, or `folder:PATH`. */
export const speechRequest = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("make"),
    ...part,
    voice: z.string(),
    /** Which of the voice's speakers, from 0. */
    speaker: z.number().int().min(0),
    /** Of what is said, as `voice.language` has it. */
    language: z.string(),
  }),
  /** Nothing of this turn and those before it is wanted any more. */
  z.object({ type: z.literal("cancel"), turn: z.number().int() }),
  /** Comes with the audio window's port. */
  z.object({ type: z.literal("audio") }),
  z.object({ type: z.literal("quit") }),
]);
export type SpeechRequest = z.infer<typeof speechRequest>;

const spokenPart = { turn: z.number().int(), id: z.number().int() };
const failed = z.object({ type: z.literal("failed"), ...spokenPart, message: z.string() });
/** The voice that was asked for cannot be had, as `message` says: this part and what follows is in another one. */
const otherVoice = z.object({ type: z.literal("other_voice"), ...spokenPart, message: z.string() });

/** The speech process to main. */
export const speechFailure = z.discriminatedUnion("type", [failed, otherVoice]);

/** The speech process to the audio window: 16-bit mono PCM. */
export const speechSamples = z.object({
  type: z.literal("samples"),
  turn: z.number().int(),
  id: z.number().int(),
  sampleRateHz: z.number().int(),
  pcm: z.instanceof(Int16Array),
});
export type SpeechSamples = z.infer<typeof speechSamples>;

/** Listening begins, or ends; something waits for the user's answer. */
const chimeName = z.enum(["start", "stop", "waiting"]);
export type ChimeName = z.infer<typeof chimeName>;

/** Main to the audio window. */
export const playbackRequest = z.discriminatedUnion("type", [
  z.object({ type: z.literal("turn"), turn: z.number().int() }),
  z.object({ type: z.literal("open") }),
  z.object({ type: z.literal("pause") }),
  z.object({ type: z.literal("resume") }),
  z.object({ type: z.literal("volume"), volume: z.number().min(0).max(1) }),
  /** Spoken by a voice of the system, whose samples nobody sees. `voice`: its name, empty for the default one. */
  z.object({ type: z.literal("system"), ...part, voice: z.string() }),
  z.object({ type: z.literal("chime"), of: chimeName }),
  /** Comes with the speech process's port. */
  z.object({ type: z.literal("source") }),
]);
export type PlaybackRequest = z.infer<typeof playbackRequest>;

/** The audio window to main. `playedMs`: how much of the part has been audible, of `totalMs`. */
export const playbackEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("started"), turn: z.number().int(), id: z.number().int(), at: z.number() }),
  z.object({
    type: z.literal("position"),
    turn: z.number().int(),
    id: z.number().int(),
    playedMs: z.number(),
    totalMs: z.number(),
  }),
  z.object({ type: z.literal("ended"), turn: z.number().int(), id: z.number().int() }),
  failed,
  otherVoice,
  /** It is loud beside the microphone, which does not hear what is played: somebody may be speaking. */
  z.object({ type: z.literal("near_speech"), ...spokenPart }),
]);
export type PlaybackEvent = z.infer<typeof playbackEvent>;

/** A port that samples are sent through. */
export type SamplePort = Pick<MessagePortLike, "postMessage" | "start" | "close">;
