import { z } from "zod";
import { sampleRateHz } from "../../../shared/voice/stt.ts";
import type { Reading } from "./recogniser.ts";
import type { VoskLibrary } from "./vosk-library.ts";

/** Readings that are told of one piece of speech at most. */
export const maxReadings = 20;
/** Sound that may wait to be heard here, in samples. */
const maxWaitingSamples = sampleRateHz;
/** So many times as fast as it was said, sound is of a recording, and can wait. */
const minFileSpeed = 1.5;
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
export class VoskReadings {
  readonly #library: ReadingsLibrary;
  readonly #model: unknown;
  #recognizer: unknown;
  #busy: Promise<unknown> = Promise.resolve();
  #waitingSamples = 0;
  /** What is being said. */
  #piece: Piece = newPiece();
  /** Libvosk counts time over all that it heard. */
  #samplesBefore = 0;
  #samples = 0;

  constructor(library: ReadingsLibrary, model: unknown) {
    this.#library = library;
    this.#model = model;
  }

  /**
   * Resolves when more may be given: at once while somebody speaks. Where the computer is too slow to hear them twice there
   * are no readings; a recording waits.
   */
  async accept(pcm: Int16Array): Promise<void> {
    const piece = this.#piece;
    if (piece.isIncomplete) return;
    piece.begunAt ??= performance.now();
    piece.givenSamples += pcm.length;
    this.#waitingSamples += pcm.length;
    const heard = this.#queue(() => this.#hear(pcm, piece));
    if (this.#waitingSamples <= maxWaitingSamples) return;
    const tookMs = performance.now() - piece.begunAt;
    if (toMs(piece.givenSamples) > minFileSpeed * tookMs) await heard;
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
    this.#waitingSamples -= pcm.length;
    if (piece.isIncomplete) return;
    this.#samples += pcm.length;
    this.#recognizer ??= this.#create();
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
  /** When its first sound came, in milliseconds; null: none has. */
  begunAt: number | null;
  givenSamples: number;
  /** A part of it has no readings. */
  isIncomplete: boolean;
}

const newPiece = (): Piece => ({ begunAt: null, givenSamples: 0, isIncomplete: false });

const toMs = (samples: number) => (samples * 1000) / sampleRateHz;
