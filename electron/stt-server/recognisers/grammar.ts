import { SttError } from "../stt-error.ts";
import type { Recognised, Recogniser, RecogniserModel } from "./recogniser.ts";

/** A phrase as the recogniser writes it: lower case, one space between words. */
export function plainPhrase(phrase: string): string {
  return phrase
    .toLowerCase()
    .replace(/[^\p{L}\p{N}' ]+/gu, " ")
    .replace(/ +/g, " ")
    .trim();
}

/** @throws SttError where the model cannot be held to a grammar, or a phrase has no words */
export function grammarRecogniser(model: RecogniserModel, phrases: readonly string[]): Recogniser {
  const plain = phrases.map(plainPhrase);
  if (plain.includes("")) {
    throw new SttError("invalid_argument", "A phrase of the grammar has no words. Leave it out.");
  }
  if (!model.createGrammarRecogniser) {
    throw new SttError(
      "no_grammar",
      `The speech model ${model.name} cannot be held to given phrases. Use a Vosk model for wake phrase and commands.`,
    );
  }
  return model.createGrammarRecogniser(plain);
}

/** Lets through what is one of the phrases, word by word; all else was not said to us. */
export class PhraseRecogniser implements Recogniser {
  readonly #phrases: ReadonlySet<string>;
  readonly #inner: Recogniser;

  constructor(phrases: readonly string[], inner: Recogniser) {
    this.#phrases = new Set(phrases.map(plainPhrase));
    this.#inner = inner;
  }

  async accept(pcm: Int16Array): Promise<string> {
    const text = await this.#inner.accept(pcm);
    return this.#phrases.has(text) ? text : "";
  }

  async finish(): Promise<Recognised> {
    const recognised = await this.#inner.finish();
    return this.#phrases.has(recognised.text) ? recognised : { text: "", words: [] };
  }

  dispose(): void {
    this.#inner.dispose();
  }
}
