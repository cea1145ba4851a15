import { frameMs, type SpeechSigns, sampleRateHz } from "../../../shared/voice/stt.ts";
import { grammarRecogniser } from "../recognisers/grammar.ts";
import { type Recogniser, type RecogniserModel, unknownWord } from "../recognisers/recogniser.ts";
import { sureWindows } from "../recognisers/voice-activity.ts";
import { joined, KeptSound } from "./kept-sound.ts";
import { shortAnswers } from "./short-answers.ts";
import { voicingOf } from "./voicing.ts";

/** Longer speech is not a cough. Milliseconds. */
const maxSpeechMs = 2000;
/** The longest sound that is kept: it includes the audio around the speech. */
const maxSoundSamples = 4 * sampleRateHz;
/** Below these shares the sound is not clearly a voice, and a second look is worth its time. */
const clearFrom = { voicedShare: 0.6, sureShare: 0.75 };
/** A model of another language knows some of the short answers, but far from all. */
const minKnown = 0.9;

/** Measures how much a short utterance is like speech: the recogniser makes words of a cough, too. */
export class SpeechSignsListener {
  readonly #model: RecogniserModel;
  readonly #sound = new KeptSound(maxSoundSamples);
  /** Made when it is first needed; null: the model cannot be held to a grammar, or does not know the answers. */
  #grammar: Recogniser | null | undefined;

  /** @param model one that can be held to a grammar, if there is any */
  constructor(model: RecogniserModel) {
    this.#model = model;
  }

  /** Sound of the utterance that goes on. */
  keep(pcm: Int16Array): void {
    this.#sound.keep(pcm);
  }

  /** @returns the signs of the utterance, which is over; null if it was too long to be measured */
  async utteranceEnded(speechMs: number): Promise<SpeechSigns | null> {
    const sound = this.#sound.take();
    if (sound.length === 0 || speechMs <= 0 || speechMs > maxSpeechMs) return null;
    const pcm = joined(sound);
    const { soundMs, voicedShare, voicedMs } = voicingOf(pcm);
    const sureShare = Math.min(1, (sureWindows(pcm) * frameMs) / speechMs);
    const isClear = voicedShare >= clearFrom.voicedShare && sureShare >= clearFrom.sureShare;
    const closed = isClear ? undefined : await this.#closed(sound);
    return {
      ...{ sound_ms: soundMs, voiced_share: voicedShare, voiced_ms: voicedMs, sure_share: sureShare },
      ...(closed !== undefined && { closed }),
    };
  }

  dispose(): void {
    this.#grammar?.dispose();
    this.#grammar = null;
  }

  /** @returns the short answer that it was; null: none of them; undefined: no recogniser can tell */
  async #closed(sound: readonly Int16Array[]): Promise<string | null | undefined> {
    this.#grammar ??= this.#grammar === undefined ? this.#make() : null;
    if (!this.#grammar) return undefined;
    for (const pcm of sound) await this.#grammar.accept(pcm);
    const { text } = await this.#grammar.finish();
    return text === "" || text.includes(unknownWord) ? null : text;
  }

  #make(): Recogniser | null {
    const { knowsWord } = this.#model;
    if (!this.#model.createGrammarRecogniser || !knowsWord) return null;
    const known = shortAnswers.filter((answer) => answer.split(" ").every((word) => knowsWord(word)));
    return known.length < shortAnswers.length * minKnown ? null : grammarRecogniser(this.#model, known);
  }
}
