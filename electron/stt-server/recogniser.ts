/** Turns speech into words, one utterance after the other. One call at a time; `dispose` ends it. */
export interface Recogniser {
  /** @param pcm 16 kHz mono @returns the text of the utterance so far, which may still change */
  accept(pcm: Int16Array): Promise<string>;
  /** Ends the utterance: the next `accept` begins a new one. */
  finish(): Promise<Recognised>;
  dispose(): void;
}

export interface Recognised {
  text: string;
  /** Milliseconds since the first sample of the utterance. */
  words: { word: string; startMs: number; endMs: number; confidence: number }[];
}

/** A loaded model: makes recognisers, any number at a time. */
export interface RecogniserModel {
  readonly name: string;
  createRecogniser(): Recogniser;
  /** Frees the model as soon as the last recogniser made of it is disposed of. */
  dispose(): void;
}
