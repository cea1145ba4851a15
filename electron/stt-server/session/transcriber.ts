import type { GainControl } from "../../../shared/voice/gain-control.ts";
import {
  frameSamples,
  sampleRateHz,
  type TurnEnd,
  type UtteranceEndReason,
} from "../../../shared/voice/stt.ts";
import { type Activity, VoiceActivity } from "../recognisers/voice-activity.ts";
import { joined } from "../signs/kept-sound.ts";
import {
  type EndpointAction,
  type EndpointSettings,
  type EndpointState,
  idleSince,
  stepEndpointer,
} from "./endpointer.ts";
import type { Phrase } from "./phrase-rule.ts";
import type { SoundPiece } from "./sound-piece.ts";
import { UtteranceAssembler, type UtteranceAssemblerOptions } from "./utterance-assembler.ts";

/** Audio before the onset of speech that is recognised with it: the detector notices speech late. */
const prerollMs = 600;
/**
 * After this much silence the recogniser is made to say all that it heard: its partial texts lag some words behind,
 * and the phrase rule has to see how the phrase ends. What comes then waits for speech to go on.
 */
const pauseMs = 256;
/** Frames recognised at a time: a call to the recogniser's thread and a partial text for each would cost more. */
const feedFrames = 3;
/** Whoever holds a key says when they are done: no pause does. Its length is bounded all the same. */
const whileTalking = { endpointingMs: 300_000, utteranceEndMs: 300_000, maxUtteranceMs: 300_000 };

export interface TranscriberOptions extends UtteranceAssemblerOptions {
  /** Asked before each frame. */
  limits(): EndpointSettings;
  /** Whether an utterance that reads so, so far, wants more. */
  phraseOf(text: string): Phrase;
  /** Of sound whose loudness nobody set before. */
  gain?: GainControl | undefined;
}

/**
 * Decides what of a session's sound is speech, and when an utterance of it begins and ends. Only what the voice detector
 * flags is recognised, with a little audio before and after; every sample is recognised at most once, so no word is in
 * two utterances.
 */
export class Transcriber {
  readonly #options: TranscriberOptions;
  readonly #utterance: UtteranceAssembler;
  readonly #voice = new VoiceActivity();
  /** Frames that were not recognised yet: the audio before speech, or the later part of a pause. */
  #held: Int16Array[] = [];
  /** The gain that what was recognised last ended with; undefined where an utterance begins. */
  #fedGain: number | undefined;
  #endpoint: EndpointState = idleSince(0);
  #isTalking = false;
  #isSpeaking = false;
  #speechReported = false;
  #samples = 0;
  #lastSpeechMs = 0;

  constructor(options: TranscriberOptions) {
    this.#options = options;
    this.#utterance = new UtteranceAssembler(options);
  }

  /** Milliseconds of sound so far, lost and dropped sound included. */
  get nowMs(): number {
    return toMs(this.#samples);
  }

  /** Hears it to the end. What was being said then goes on until `flush` or `finish`. */
  async hear(pieces: AsyncIterable<SoundPiece>): Promise<void> {
    for await (const piece of pieces) {
      if (piece.type === "sound") await this.#hear(piece.pcm);
      else if (piece.type === "silence") await this.#writeSilence(piece.ms);
      else if (piece.type === "skip") this.#skip(piece.samples);
      else if (piece.type === "end") await this.flush(piece.reason);
      else this.#isTalking = piece.isTalking;
    }
  }

  /** Ends what is being said at once, as its last utterance. */
  async flush(reason: UtteranceEndReason): Promise<void> {
    if (!this.#utterance.isOpen) return;
    const endMs = Math.max(this.#utterance.startMs, this.#lastSpeechMs);
    await this.#end(reason, endMs);
    this.#endpoint = idleSince(endMs);
  }

  /** The source ended: what was being said ends as it would have in silence. */
  async finish(): Promise<void> {
    await this.#writeSilence(this.#limits.utteranceEndMs + prerollMs);
    await this.flush("session_stop");
  }

  dispose(): void {
    this.#voice.dispose();
    this.#options.commands?.dispose();
    this.#options.signs?.dispose();
    this.#options.rescoring?.dispose();
  }

  get #limits(): EndpointSettings {
    return this.#isTalking ? whileTalking : this.#options.limits();
  }

  #skip(samples: number): void {
    this.#voice.skip(samples);
    this.#samples += samples;
    this.#held = [];
    this.#endpoint = idleSince(this.nowMs);
  }

  #hear(pcm: Int16Array): Promise<void> {
    const { gain } = this.#options;
    return this.#write(pcm, gain?.apply(pcm, this.#isSpeaking), gain?.gain);
  }

  /** @param louder the same sound for the voice detector, so many times as loud */
  async #write(pcm: Int16Array, louder = pcm, gain = 1): Promise<void> {
    const activity = this.#voice.accept(louder, gain);
    this.#isSpeaking = activity.speaking;
    this.#samples += pcm.length;
    const { nowMs } = this;
    this.#options.wake?.tick(nowMs);
    this.#lastSpeechMs = activity.speaking ? nowMs : toMs(activity.speechEndSample);
    this.#held.push(pcm);
    const { isOpen } = this.#utterance;
    if (activity.speaking || (isOpen && nowMs - this.#lastSpeechMs <= pauseMs)) {
      if (isOpen && this.#held.length >= feedFrames) await this.#feed();
    } else {
      if (isOpen) {
        this.#reportSpeech(false);
        await this.#utterance.settle();
      }
      this.#trimHeld();
    }
    if (isOpen && activity.speaking) this.#reportSpeech(true, toMs(activity.onsetSample));
    const { state, action } = stepEndpointer(this.#endpoint, this.#input(activity), this.#limits);
    this.#endpoint = state;
    if (action) await this.#act(action);
  }

  /** Hears silence instead of audio that is not there. */
  async #writeSilence(durationMs: number): Promise<void> {
    const frames = Math.ceil((durationMs * sampleRateHz) / 1000 / frameSamples);
    for (let i = 0; i < frames; i++) await this.#write(new Int16Array(frameSamples));
  }

  #input(activity: Activity) {
    return {
      nowMs: toMs(this.#samples),
      speaking: activity.speaking,
      onsetMs: toMs(activity.onsetSample),
      speechEndMs: toMs(activity.speechEndSample),
      phrase: this.#phrase,
    };
  }

  get #phrase(): Phrase {
    return this.#options.phraseOf(this.#utterance.text);
  }

  async #act(action: EndpointAction): Promise<void> {
    if (action.type === "end") {
      if (this.#utterance.isOpen) await this.#end(action.reason, action.endMs);
      return;
    }
    this.#utterance.begin(action.startMs);
    this.#fedGain = undefined;
    this.#reportSpeech(true, action.startMs);
    await this.#feed();
  }

  async #feed(): Promise<void> {
    const pcm = joined(this.#held);
    this.#held = [];
    if (pcm.length === 0) return;
    // What was held is as loud as its loudest part allows: the gain has fallen already when a soft onset is recognised.
    const { gain } = this.#options;
    const louder = gain?.amplified(pcm, this.#fedGain) ?? pcm;
    this.#fedGain = gain?.gain;
    await this.#utterance.feed(louder, toMs(this.#samples - pcm.length));
  }

  async #end(reason: UtteranceEndReason, endMs: number): Promise<void> {
    this.#lastSpeechMs = endMs;
    this.#reportSpeech(false);
    // After a silence what is held is silence too, and may be the audio before the next utterance.
    if (reason !== "endpoint" && reason !== "utterance_end") await this.#feed();
    await this.#utterance.end(reason, { endMs, nowMs: this.nowMs, turnEnd: turnEnds[this.#phrase] });
  }

  /** Says that speech began or ended, where that is news. */
  #reportSpeech(on: boolean, onsetMs = 0): void {
    if (this.#speechReported === on) return;
    this.#speechReported = on;
    const offset_ms = Math.round(on ? onsetMs : this.#lastSpeechMs);
    this.#options.log.append({ type: on ? "speech_start" : "speech_end", offset_ms });
  }

  #trimHeld(): void {
    let kept = 0;
    let from = this.#held.length;
    while (from > 0 && toMs(kept) < prerollMs) kept += this.#held[--from]?.length ?? 0;
    this.#held.splice(0, from);
  }
}

/** Whether whoever spoke so has finished; where it does not show, nothing is said. */
const turnEnds: Readonly<Record<Phrase, TurnEnd | undefined>> = {
  open: "unlikely",
  complete: "likely",
  plain: undefined,
};

const toMs = (samples: number) => (samples * 1000) / sampleRateHz;
