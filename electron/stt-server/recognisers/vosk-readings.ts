import { z } from "zod";
import { sampleRateHz } from "../../../shared/voice/stt.ts";
import type { Reading, ReadingsListener } from "./recogniser.ts";
import type { VoskLibrary } from "./vosk-library.ts";

/** Readings that are told of one piece of speech at most: names come out as words that only the later ones have. */
export const maxReadings = 100;
/** Sound that may wait to be heard here, in samples. */
const maxWaitingSamples = sampleRateHz;
const alternativesJson = z.object({
  alternatives: z
    .array(
      z.object({
        confidence: z.number().default(0),
        text: z.string(),
        result: z.array(z.object({ word: z.string(), start: z.number(), end: z.number() })).default([]),
      }),
    )
    .default([]),
});

/** What of the library is needed to hear. */
export type ReadingsLibrary = Pick<
  VoskLibrary,
  | "recognizerNew"
  | "recognizerFree"
  | "setMaxAlternatives"
  | "setWords"
  | "accept"
  | "finalResult"
  | "giveBackMemory"
>;

/**
 * Hears the same sound as a recogniser and beside it, and tells what else it may say: libvosk tells either that or how
 * sure it is of its words. Nobody waits for it before the end.
 */
export class VoskReadings implements ReadingsListener {
  readonly #library: ReadingsLibrary;
  readonly #model: unknown;
  readonly #canWait: boolean;
  #recognizer: unknown;
  #busy: Promise<unknown> = Promise.resolve();
  /** What is being said. */
  #piece: Piece = newPiece();
  /** Libvosk counts time over all that it heard. */
  #samplesBefore = 0;
  #samples = 0;

  /** @param canWait the sound is of a recording */
  constructor(library: ReadingsLibrary, model: unknown, canWait: boolean) {
    this.#library = library;
    this.#model = model;
    this.#canWait = canWait;
  }

  /** Makes what hears, which is made with the first sound otherwise. */
  prepare(): void {
    this.#recognizer ??= this.#create();
  }

  /**
   * Resolves when more may be given: at once while somebody speaks. Where the computer is too slow to hear them twice there
   * are no readings; a recording waits.
   */
  async accept(pcm: Int16Array): Promise<void> {
    const piece = this.#piece;
    if (piece.isIncomplete) return;
    piece.waitingSamples += pcm.length;
    const heard = this.#queue(() => this.#hear(pcm, piece));
    if (piece.waitingSamples <= maxWaitingSamples) return;
    if (this.#canWait) await heard;
    else piece.isIncomplete = true;
  }

  /** @returns the readings of what was heard since the last call, likeliest first; none where it is not all of it */
  finish(): Promise<Reading[]> {
    const piece = this.#piece;
    this.#piece = newPiece();
    return this.#queue(async () => {
      const beforeMs = toMs(this.#samplesBefore);
      this.#samplesBefore = this.#samples;
      if (!this.#recognizer) return [];
      const json = await this.#library.finalResult(this.#recognizer);
      const { alternatives } = alternativesJson.parse(JSON.parse(String(json)));
      if (piece.isIncomplete) return [];
      const best = alternatives[0]?.confidence ?? 0;
      return alternatives.map(({ confidence, text, result }) => ({
        text: text.trim(),
        cost: Math.max(0, best - confidence),
        words: result.map(({ word, start, end }) => ({
          ...{ word, startMs: start * 1000 - beforeMs, endMs: end * 1000 - beforeMs },
        })),
      }));
    });
  }

  free(): void {
    void this.#queue(async () => {
      if (!this.#recognizer) return;
      this.#library.recognizerFree(this.#recognizer);
      this.#recognizer = null;
      this.#library.giveBackMemory();
    });
  }

  async #hear(pcm: Int16Array, piece: Piece): Promise<void> {
    piece.waitingSamples -= pcm.length;
    if (piece.isIncomplete) return;
    this.#samples += pcm.length;
    this.prepare();
    // A segment that libvosk ends by itself, after 20 s, takes its readings with it.
    if ((await this.#library.accept(this.#recognizer, pcm)) === 1) piece.isIncomplete = true;
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#busy.then(work);
    this.#busy = done.catch((error: unknown) => console.error("No readings:", error));
    return done;
  }

  #create(): unknown {
    const recognizer = this.#library.recognizerNew(this.#model, sampleRateHz);
    this.#library.setMaxAlternatives(recognizer, maxReadings);
    this.#library.setWords(recognizer, 1);
    return recognizer;
  }
}

/** What was given between two calls of `finish`. */
interface Piece {
  /** Given, and not yet heard here. */
  waitingSamples: number;
  /** A part of it has no readings. */
  isIncomplete: boolean;
}

const newPiece = (): Piece => ({ waitingSamples: 0, isIncomplete: false });

const toMs = (samples: number) => (samples * 1000) / sampleRateHz;
