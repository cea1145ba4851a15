import { z } from "zod";
import { sampleRateHz } from "../../../shared/voice/stt.ts";
import type { Reading } from "./recogniser.ts";
import type { VoskLibrary } from "./vosk-library.ts";

/** Readings that are told of one piece of speech at most. */
export const maxReadings = 20;
/** Sound that may wait to be heard here, in samples: who gives more waits, too. */
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

/**
 * Hears the same sound as a recogniser and beside it, and tells what else it may say: libvosk tells either that or how
 * sure it is of its words. Nobody waits for it before the end.
 */
export class VoskReadings {
  readonly #library: VoskLibrary;
  readonly #model: unknown;
  #recognizer: unknown;
  #busy: Promise<unknown> = Promise.resolve();
  #waitingSamples = 0;
  /** Of what is being said a part has no readings. */
  #isIncomplete = false;
  /** Libvosk counts time over all that it heard. */
  #samplesBefore = 0;
  #samples = 0;

  constructor(library: VoskLibrary, model: unknown) {
    this.#library = library;
    this.#model = model;
  }

  /** Resolves when more may be given: at once, unless it is given faster than it hears. */
  async accept(pcm: Int16Array): Promise<void> {
    if (this.#isIncomplete) return;
    this.#waitingSamples += pcm.length;
    const heard = this.#queue(() => this.#hear(pcm));
    if (this.#waitingSamples > maxWaitingSamples) await heard;
  }

  /** @returns the readings of what was heard since the last call, likeliest first; none where it is not all of it */
  finish(): Promise<Reading[]> {
    return this.#queue(async () => {
      const beforeMs = toMs(this.#samplesBefore);
      this.#samplesBefore = this.#samples;
      const isIncomplete = this.#isIncomplete;
      this.#isIncomplete = false;
      if (!this.#recognizer) return [];
      const json = await this.#library.finalResult(this.#recognizer);
      const { alternatives } = alternativesJson.parse(JSON.parse(String(json)));
      if (isIncomplete) return [];
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

  async #hear(pcm: Int16Array): Promise<void> {
    this.#waitingSamples -= pcm.length;
    if (this.#isIncomplete) return;
    this.#samples += pcm.length;
    this.#recognizer ??= this.#create();
    // A segment that libvosk ends by itself, after 20 s, takes its readings with it.
    if ((await this.#library.accept(this.#recognizer, pcm)) === 1) this.#isIncomplete = true;
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

const toMs = (samples: number) => (samples * 1000) / sampleRateHz;
