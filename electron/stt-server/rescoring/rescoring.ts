import type { RecognisedWord, StartSessionArguments } from "../../../shared/voice/stt.ts";
import type { Reading, Recognised, RecogniserModel } from "../recognisers/recogniser.ts";
import { ClosedGrammars } from "./closed-grammars.ts";
import { type OwnWord, OwnWords } from "./own-words.ts";

/** What is made better of what a recogniser heard, without a language model: by closed grammars, and by the user's words. */
export class Rescoring {
  readonly #grammars: ClosedGrammars | null;
  readonly #isClosed: boolean;
  #own: OwnWords;

  /** @param model that can be held to a grammar, if there is one */
  constructor(model: RecogniserModel, { grammar, wake_phrase, ...words }: Partial<StartSessionArguments>) {
    this.#isClosed = grammar !== undefined;
    // Whoever knows all that may be said, or waits for a phrase, is told no more.
    const isClosed = grammar !== undefined || wake_phrase !== undefined;
    this.#grammars = isClosed || !model.createGrammarRecogniser ? null : new ClosedGrammars(model);
    this.#own = new OwnWords([]);
    this.teach(ownWordsOf(words));
  }

  /** The user's words from now on. Who may say only some phrases is told no others. */
  teach(words: readonly OwnWord[]): void {
    if (!this.#isClosed) this.#own = new OwnWords(words);
  }

  /** Sound of what goes on. */
  keep(pcm: Int16Array): void {
    this.#grammars?.keep(pcm);
  }

  /** @param freely what was recognised of the sound since the last call */
  async pieceHeard(freely: Recognised): Promise<Recognised> {
    return (await this.#grammars?.heard(freely)) ?? freely;
  }

  /**
   * @param readings of these words, with times on the same clock
   * @returns the words with the user's own in place of what sounds like them
   */
  withOwnWords(words: readonly RecognisedWord[], readings: readonly Reading[]): RecognisedWord[] {
    return this.#own.applied(words, readings);
  }

  dispose(): void {
    this.#grammars?.dispose();
  }
}

/** The user's words as a session is told them. */
export function ownWordsOf({
  hot_words: words = [],
  hot_words_heard_as: heardAs = {},
}: Pick<Partial<StartSessionArguments>, "hot_words" | "hot_words_heard_as">): OwnWord[] {
  // "constructor" is a word like any other.
  const forms = new Map(Object.entries(heardAs));
  return words.map((word) => ({ word, heardAs: forms.get(word) ?? [] }));
}
