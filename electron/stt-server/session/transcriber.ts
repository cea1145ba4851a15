import {
  frameSamples,
  type RecognisedWord,
  sampleRateHz,
  sttInfo,
  type UtteranceEndReason,
} from "../../../shared/voice/stt.ts";
import type { Clock } from "../clock.ts";
import { doubtfulPiece, withAlternatives } from "../recognisers/alternatives.ts";
import type { Recognised, Recogniser } from "../recognisers/recogniser.ts";
import type { ShortCommands } from "../recognisers/short-commands.ts";
import { type Activity, VoiceActivity } from "../recognisers/voice-activity.ts";
import type { WakeGate } from "../recognisers/wake-recogniser.ts";
import {
  type EndpointAction,
  type EndpointSettings,
  type EndpointState,
  idleSince,
  stepEndpointer,
} from "./endpointer.ts";
import type { SttEventBody } from "./session-log.ts";

/** Audio before the onset of speech that is recognised with it: the detector notices speech late. */
const prerollMs = 600;
/**
 * After this much silence the recogniser is made to say all that it heard: its partial texts lag some words behind,
 * and the phrase rule has to see how the phrase ends. What comes then waits for speech to go on.
 */
const pauseMs = 256;
/** Longest that an utterance waits for what else its doubtful words may have been. */
const secondOpinionMs = 150;
/** Frames recognised at a time: a call to the recogniser's thread and a partial text for each would cost more. */
const feedFrames = 3;

export interface TranscriberOptions extends EndpointSettings {
  recogniser: Recogniser;
  clock: Clock;
  /** Where a wake phrase decides what is recognised. */
  wake?: WakeGate | undefined;
  /** What is compared with short utterances. */
  commands?: ShortCommands | null | undefined;
  /** Writes a finished utterance as people do. */
  punctuate?: ((text: string) => string) | undefined;
  newUtteranceId: () => string;
  emit: (event: SttEventBody) => void;
}

interface Utterance {
  id: string;
  startMs: number;
  /** Where the recogniser's clock has its zero; null while it was given nothing since the last pause. */
  feedStartMs: number | null;
  /** What was said up to the last pause, and the words of it. */
  settledText: string;
  words: RecognisedWord[];
  /** All of it, as far as it is recognised. */
  text: string;
  /** The sound since the last pause, for a second look at doubtful words. */
  fed: Int16Array[];
  /** The second looks that are still under way. */
  doubts: Promise<void>[];
}

/**
 * Turns 16 kHz frames into a session's speech events. Only what the voice detector flags is recognised, with a
 * little audio before and after; every sample is recognised at most once, so no word is in two utterances.
 */
export class Transcriber {
  readonly #options: TranscriberOptions;
  #settings: EndpointSettings;
  readonly #voice = new VoiceActivity();
  /** Frames that were not recognised yet: the audio before speech, or the later part of a pause. */
  #held: Int16Array[] = [];
  #endpoint: EndpointState = idleSince(0);
  #utterance: Utterance | null = null;
  #speechReported = false;
  #samples = 0;
  #lastSpeechMs = 0;

  constructor(options: TranscriberOptions) {
    this.#options = options;
    this.#settings = options;
  }

  /** Milliseconds of sound so far, lost and dropped sound included. */
  get nowMs(): number {
    return toMs(this.#samples);
  }

  /** The limits from the next frame on. */
  configure(settings: EndpointSettings): void {
    this.#settings = settings;
  }

  /** Time goes on without anything being heard, and what was heard before it is not part of what comes after. */
  skip(samples: number): void {
    this.#voice.skip(samples);
    this.#samples += samples;
    this.#held = [];
    this.#endpoint = idleSince(this.nowMs);
  }

  /** @param pcm the samples right after the last call's; calls must not overlap */
  async write(pcm: Int16Array): Promise<void> {
    const activity = this.#voice.accept(pcm);
    this.#samples += pcm.length;
    const { nowMs } = this;
    this.#options.wake?.tick(nowMs);
    this.#lastSpeechMs = activity.speaking ? nowMs : toMs(activity.speechEndSample);
    this.#held.push(pcm);
    if (activity.speaking || (this.#utterance && nowMs - this.#lastSpeechMs <= pauseMs)) {
      if (this.#utterance && this.#held.length >= feedFrames) await this.#feed(this.#utterance);
    } else {
      if (this.#utterance) {
        this.#reportSpeech(false);
        await this.#settle(this.#utterance);
      }
      this.#trimHeld();
    }
    if (this.#utterance && activity.speaking) this.#reportSpeech(true, toMs(activity.onsetSample));
    const { state, action } = stepEndpointer(this.#endpoint, this.#input(activity), this.#settings);
    this.#endpoint = state;
    if (action) await this.#act(action);
  }

  /** Ends what is being said at once, as its last utterance. */
  async flush(reason: UtteranceEndReason): Promise<void> {
    if (!this.#utterance) return;
    const endMs = Math.max(this.#utterance.startMs, this.#lastSpeechMs);
    await this.#end(this.#utterance, reason, endMs);
    this.#endpoint = idleSince(endMs);
  }

  /** The source ended: what was being said ends as it would have in silence. */
  async finish(): Promise<void> {
    await this.writeSilence(this.#settings.utteranceEndMs + prerollMs);
    await this.flush("session_stop");
  }

  /** Hears silence instead of audio that is not there. */
  async writeSilence(durationMs: number): Promise<void> {
    const frames = Math.ceil((durationMs * sampleRateHz) / 1000 / frameSamples);
    for (let i = 0; i < frames; i++) await this.write(new Int16Array(frameSamples));
  }

  dispose(): void {
    this.#voice.dispose();
    this.#options.commands?.dispose();
  }

  #input(activity: Activity) {
    return {
      nowMs: toMs(this.#samples),
      speaking: activity.speaking,
      onsetMs: toMs(activity.onsetSample),
      speechEndMs: toMs(activity.speechEndSample),
      text: this.#utterance?.text ?? "",
    };
  }

  async #act(action: EndpointAction): Promise<void> {
    if (action.type === "end") {
      if (this.#utterance) await this.#end(this.#utterance, action.reason, action.endMs);
      return;
    }
    this.#utterance = {
      id: this.#options.newUtteranceId(),
      startMs: action.startMs,
      feedStartMs: null,
      settledText: "",
      words: [],
      text: "",
      fed: [],
      doubts: [],
    };
    this.#reportSpeech(true, action.startMs);
    await this.#feed(this.#utterance);
  }

  async #feed(utterance: Utterance): Promise<void> {
    const pcm = joined(this.#held);
    this.#held = [];
    if (pcm.length === 0) return;
    utterance.feedStartMs ??= toMs(this.#samples - pcm.length);
    if (this.#options.recogniser.secondOpinion) utterance.fed.push(pcm);
    this.#options.commands?.keep(pcm);
    const text = await this.#options.recogniser.accept(pcm);
    this.#read(utterance, joinText(utterance.settledText, text));
  }

  /** Takes everything that the recogniser heard of the utterance, the last words included. */
  async #settle(utterance: Utterance): Promise<void> {
    if (utterance.feedStartMs === null) return;
    const recognised = await this.#options.recogniser.finish();
    utterance.settledText = joinText(utterance.settledText, recognised.text);
    const words = wordsOf(recognised, utterance.feedStartMs);
    this.#doubt(utterance, words, utterance.feedStartMs);
    utterance.words.push(...words);
    utterance.feedStartMs = null;
    this.#read(utterance, utterance.settledText);
  }

  /** Looks again at the doubtful words, beside what goes on. */
  #doubt(utterance: Utterance, words: RecognisedWord[], feedStartMs: number): void {
    const piece = doubtfulPiece(words);
    const sound = joined(utterance.fed.splice(0));
    const { recogniser } = this.#options;
    if (!piece || !recogniser.secondOpinion) return;
    const startMs = Math.max(piece.startMs, feedStartMs);
    const pcm = sound.slice(toSamples(startMs - feedStartMs), toSamples(piece.endMs - feedStartMs));
    const doubt = recogniser.secondOpinion(pcm).then(
      (opinions) => {
        utterance.words = withAlternatives(utterance.words, opinions, startMs);
      },
      (error: unknown) => console.error("No second opinion:", error),
    );
    utterance.doubts.push(doubt);
  }

  /** Waits for the second looks, but not for long: they are worth less than an answer without delay. */
  async #settleDoubts({ doubts }: Utterance): Promise<void> {
    if (doubts.length === 0) return;
    const waiting = new AbortController();
    const patience = this.#options.clock.sleep(secondOpinionMs, waiting.signal).catch(() => undefined);
    await Promise.race([Promise.all(doubts), patience]);
    waiting.abort();
  }

  #read(utterance: Utterance, text: string): void {
    if (text === utterance.text) return;
    utterance.text = text;
    if (text !== "") this.#options.emit({ type: "utterance_partial", utterance_id: utterance.id, text });
  }

  async #end(utterance: Utterance, reason: UtteranceEndReason, endMs: number): Promise<void> {
    this.#utterance = null;
    this.#lastSpeechMs = endMs;
    this.#reportSpeech(false);
    // After a silence what is held is silence too, and may be the audio before the next utterance.
    if (reason !== "endpoint" && reason !== "utterance_end") await this.#feed(utterance);
    await this.#settle(utterance);
    await this.#settleDoubts(utterance);
    this.#options.wake?.utteranceEnded(this.nowMs, utterance.settledText !== "");
    const startMs = Math.round(utterance.startMs);
    const head = { start_ms: startMs, end_ms: Math.round(endMs) };
    const command = await this.#command(utterance, endMs - startMs);
    const text = utterance.settledText || (command ?? "");
    if (text === "") {
      this.#options.emit({ type: "info", message: sttInfo.noWords, payload: { ...head, reason } });
      return;
    }
    this.#options.emit({
      type: "utterance_final",
      utterance_id: utterance.id,
      text: this.#options.punctuate?.(text) ?? text,
      reason,
      ...head,
      ...confidenceOf(utterance.words),
      words: utterance.words,
      ...(command !== null && { command }),
    });
  }

  async #command({ settledText, words }: Utterance, speechMs: number): Promise<string | null> {
    const heard = words.map(({ word, start_ms, end_ms, confidence }) => ({
      ...{ word, startMs: start_ms, endMs: end_ms, confidence },
    }));
    return (
      (await this.#options.commands?.utteranceEnded({ text: settledText, words: heard }, speechMs)) ?? null
    );
  }

  /** Says that speech began or ended, where that is news. */
  #reportSpeech(on: boolean, onsetMs = 0): void {
    if (this.#speechReported === on) return;
    this.#speechReported = on;
    const offset_ms = Math.round(on ? onsetMs : this.#lastSpeechMs);
    this.#options.emit({ type: on ? "speech_start" : "speech_end", offset_ms });
  }

  #trimHeld(): void {
    let kept = 0;
    let from = this.#held.length;
    while (from > 0 && toMs(kept) < prerollMs) kept += this.#held[--from]?.length ?? 0;
    this.#held.splice(0, from);
  }
}

function joined(frames: Int16Array[]): Int16Array {
  const pcm = new Int16Array(frames.reduce((sum, frame) => sum + frame.length, 0));
  let at = 0;
  for (const frame of frames) {
    pcm.set(frame, at);
    at += frame.length;
  }
  return pcm;
}

const toSamples = (ms: number) => Math.max(0, Math.round((ms * sampleRateHz) / 1000));
const toMs = (samples: number) => (samples * 1000) / sampleRateHz;

function joinText(before: string, after: string): string {
  return before === "" || after === "" ? before + after : `${before} ${after}`;
}

/** The words with their times on the session's clock. */
function wordsOf({ words }: Recognised, feedStartMs: number): RecognisedWord[] {
  return words.map(({ word, startMs, endMs, confidence }) => ({
    word,
    start_ms: Math.round(feedStartMs + startMs),
    end_ms: Math.round(feedStartMs + endMs),
    confidence,
  }));
}

/** The mean over the words; none where the recogniser told no words apart. */
function confidenceOf(words: RecognisedWord[]): { confidence?: number } {
  if (words.length === 0) return {};
  return { confidence: words.reduce((sum, word) => sum + word.confidence, 0) / words.length };
}
