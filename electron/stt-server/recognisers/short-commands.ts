import { type StartSessionArguments, sampleRateHz } from "../../../shared/voice/stt.ts";
import { KeptSound } from "../signs/kept-sound.ts";
import { SttError } from "../stt-error.ts";
import { grammarRecogniser, plainPhrase } from "./grammar.ts";
import type { Recognised, Recogniser, RecogniserModel } from "./recogniser.ts";

/** What is said for longer is no command. Milliseconds of speech. */
const maxSpeechMs = 1500;
/** Longest sound that is kept for it: the audio around the speech is heard, too. */
const maxSoundSamples = 4 * sampleRateHz;
/** From this mean confidence on the words that were heard freely stand. */
const sureAbove = 0.8;
/** Below this the phrase was rather something alike. */
const minConfidence = 0.9;

/**
 * Hears a word such as "stop" that is said alone, which a recogniser of whole sentences mistakes for another one often:
 * a short utterance that it is not sure of is compared with a few phrases.
 */
export class ShortCommands {
  readonly #phrases: ReadonlySet<string>;
  readonly #grammar: Recogniser;
  readonly #sound = new KeptSound(maxSoundSamples);

  private constructor(phrases: readonly string[], grammar: Recogniser) {
    this.#phrases = new Set(phrases);
    this.#grammar = grammar;
  }

  /** @returns null where none are wanted or the model cannot tell them; phrases with words that it does not know are left out */
  static of(model: RecogniserModel, request: StartSessionArguments): ShortCommands | null {
    // Whoever waits for a phrase, or knows all that may be said, is told no more.
    if (request.grammar || request.wake_phrase !== undefined) return null;
    const plain = (request.commands ?? []).map(plainPhrase).filter((phrase) => phrase !== "");
    const known = plain.filter((phrase) => isKnown(model, phrase));
    return known.length === 0 ? null : new ShortCommands(known, grammarRecogniser(model, known));
  }

  /** Sound of the utterance that goes on. */
  keep(pcm: Int16Array): void {
    this.#sound.keep(pcm);
  }

  /** @returns the phrase that the utterance, which is over, most likely was; null for none */
  async utteranceEnded(freely: Recognised, speechMs: number): Promise<string | null> {
    const sound = this.#sound.take();
    const isSure = this.#phrases.has(plainPhrase(freely.text)) || confidenceOf(freely) >= sureAbove;
    if (isSure || sound.length === 0 || speechMs > maxSpeechMs) return null;
    for (const pcm of sound) await this.#grammar.accept(pcm);
    const heard = await this.#grammar.finish();
    return this.#phrases.has(heard.text) && confidenceOf(heard) >= minConfidence ? heard.text : null;
  }

  dispose(): void {
    this.#grammar.dispose();
  }
}

function isKnown(model: RecogniserModel, phrase: string): boolean {
  try {
    grammarRecogniser(model, [phrase]).dispose();
    return true;
  } catch (error) {
    if (error instanceof SttError) return false;
    throw error;
  }
}

/** The mean over the words; 0 without any, and of words of which nobody knows. */
const confidenceOf = ({ words }: Recognised) =>
  words.reduce((sum, { confidence = 0 }) => sum + confidence, 0) / Math.max(1, words.length);
