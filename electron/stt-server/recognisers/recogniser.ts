/** Turns speech into words, one utterance after the other. One call at a time; `dispose` ends it. */
export interface Recogniser {
  /** @param pcm 16 kHz mono @returns the text of the utterance so far, which may still change */
  accept(pcm: Int16Array): Promise<string>;
  /** Ends the utterance: the next `accept` begins a new one. */
  finish(): Promise<Recognised>;
  /**
   * What the utterance that `finish` ended may say, likeliest first; it may come later than what `finish` returns, and
   * may be waited for while other calls run. Only where the recogniser can tell.
   */
  readings?(): Promise<Reading[]>;
  /** Words and names to expect from the next utterance on, in place of those before; only where it can be told any. */
  expectWords?(hotWords: readonly string[]): void;
  dispose(): void;
}

export interface Recognised {
  text: string;
  /** All of the text. */
  words: RecognisedPart[];
  /** What a second listener heard of the same sound. */
  secondChoice?: Recognised;
}

/** A word of an utterance: milliseconds since its first sample. */
export interface RecognisedPart {
  word: string;
  startMs: number;
  endMs: number;
  /** 0–1; undefined: nobody knows. */
  confidence?: number | undefined;
}

/** What an utterance may say. */
export interface Reading {
  text: string;
  /** How much less likely than the likeliest one, 0 and up, as the logarithm of a likelihood. */
  cost: number;
  /** Milliseconds since the first sample of the utterance. */
  words: { word: string; startMs: number; endMs: number }[];
}

/** Hears the same sound as a recogniser and beside it, and tells nothing but readings. */
export interface ReadingsListener {
  /** Resolves when more may be given. */
  accept(pcm: Int16Array): Promise<void>;
  /** @returns the readings of what was heard since the last call, likeliest first; none where it could not follow */
  finish(): Promise<Reading[]>;
  free(): void;
}

export interface RecogniserOptions {
  /** Words and names to expect, where the model can be told any. */
  hotWords?: readonly string[] | undefined;
  /** The sound is of a recording: it waits where the computer is slow, and no reading is left out. */
  canWait?: boolean | undefined;
}

/** A loaded model: makes recognisers, any number at a time. */
export interface RecogniserModel {
  readonly name: string;
  /** Its texts have neither punctuation nor capital letters. */
  readonly writesPlainWords?: boolean;
  createRecogniser(options?: RecogniserOptions): Recogniser;
  /**
   * A recogniser that knows nothing but these phrases; where something else was said its text is empty, or has
   * `unknownWord` in it. Only where the model can be held to a grammar.
   * @throws SttError naming the words that the model does not know
   */
  createGrammarRecogniser?(phrases: readonly string[]): Recogniser;
  /**
   * Listens beside a recogniser of another model. Only where the model has readings.
   * @param canWait the sound is of a recording: it waits where the computer is slow
   */
  createReadings?(canWait: boolean): ReadingsListener;
  /** Whether the word may be in a grammar; only where there are grammars. */
  knowsWord?(word: string): boolean;
  /**
   * How unlikely it is that a sentence ends with these words, in the model's own language: −ln of the likelihood. null: it
   * cannot tell.
   */
  endCost?(text: string): number | null;
  /** Writes a finished utterance as people write: with punctuation and capital letters. Not that of a grammar. */
  punctuate?(text: string): string;
  /** Frees the model as soon as the last recogniser made of it is disposed of. */
  dispose(): void;
}

/** Stands in a text for what is outside the grammar. */
export const unknownWord = "[unk]";
