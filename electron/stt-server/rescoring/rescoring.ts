import type { RecognisedWord, StartSessionArguments } from "../../../shared/voice/stt.ts";
import type { Recognised, RecogniserModel } from "../recognisers/recogniser.ts";
import { ClosedGrammars } from "./closed-grammars.ts";
import { OwnWords } from "./own-words.ts";

/** What is made better of what a recogniser heard, without a language model: by closed grammars, and by the user's words. */
export class Rescoring {
  readonly #grammars: ClosedGrammars | null;
  readonly #own: OwnWords;

  constructor(
    model: RecogniserModel,
    { grammar, wake_phrase, hot_words = [] }: Partial<StartSessionArguments>,
  ) {
    // Whoever knows all that may be said, or waits for a phrase, is told no more.
    const isClosed = grammar !== undefined || wake_phrase !== undefined;
    this.#grammars = isClosed || !model.createGrammarRecogniser ? null : new ClosedGrammars(model);
    this.#own = new OwnWords(grammar ? [] : hot_words);
  }

  /** Sound of what goes on. */
  keep(pcm: Int16Array): void {
    this.#grammars?.keep(pcm);
  }

  /** @param freely what was recognised of the sound since the last call */
  async pieceHeard(freely: Recognised): Promise<Recognised> {
    return (await this.#grammars?.heard(freely)) ?? freely;
  }

  /** @returns the words of an utterance with the user's own in place of what sounds like them */
  withOwnWords(words: readonly RecognisedWord[]): RecognisedWord[] {
    return this.#own.applied(words);
  }

  dispose(): void {
    this.#grammars?.dispose();
  }
}
