import { join } from "node:path";
import { z } from "zod";
import { sampleRateHz } from "../../../shared/voice/stt.ts";
import { plainText } from "../rescoring/plain-word.ts";
import { SttError } from "../stt-error.ts";
import {
  type Reading,
  type Recognised,
  type Recogniser,
  type RecogniserModel,
  unknownWord,
} from "./recogniser.ts";
import { SentenceEnds } from "./sentence-ends.ts";
import { type VoskLibrary, voskLibrary } from "./vosk-library.ts";
import { VoskReadings } from "./vosk-readings.ts";

/**
 * Loads an unpacked Vosk model; takes about half a second, off the event loop.
 * @param folder as `tunedModelFolder` makes it
 * @throws SttError when it is no usable model
 */
export async function loadVoskModel(folder: string, name: string): Promise<RecogniserModel> {
  const library = voskLibrary();
  const [model, ends] = await Promise.all([
    library.modelNew(folder),
    SentenceEnds.read(join(folder, "graph", "Gr.fst")),
  ]);
  if (!model) {
    throw new SttError(
      "bad_model",
      `The speech model ${name} cannot be loaded. Unpack it again, or use another.`,
    );
  }
  const idle: VoskRecogniser[] = [];
  const numberOf = (word: string) => Number(library.findWord(model, word));
  const knowsWord = (word: string) => numberOf(word) >= 0;
  const create = () =>
    new VoskRecogniser(library, library.recognizerNew(model, sampleRateHz), {
      idle,
      newReadings: (canWait) => new VoskReadings(library, model, canWait),
    });
  return {
    name,
    writesPlainWords: true,
    createRecogniser: ({ canWait = false } = {}) => {
      const recogniser = idle.pop() ?? create();
      recogniser.canWait = canWait;
      return recogniser;
    },
    knowsWord,
    endCost: (text) => {
      const latest = latestWords(text).map(numberOf);
      return (latest[0] ?? -1) < 0 ? null : (ends?.cost(latest) ?? null);
    },
    createGrammarRecogniser: (phrases) => {
      refuseUnknownWords(phrases, knowsWord);
      const grammar = JSON.stringify([...phrases, unknownWord]);
      return new VoskRecogniser(library, library.recognizerNewGrammar(model, sampleRateHz, grammar), {});
    },
    createReadings: (canWait) => {
      const readings = new VoskReadings(library, model, canWait);
      // The model may be gone when somebody begins to speak.
      readings.prepare();
      return readings;
    },
    dispose: () => {
      for (const recogniser of idle.splice(0)) recogniser.free();
      library.modelFree(model);
      library.giveBackMemory();
    },
  };
}

/** More words than this back no language model looks. */
const longestContext = 4;

/** The last one first. */
const latestWords = (text: string) =>
  // Its own texts are plain; those of the model that it hears beside are not.
  plainText(text).split(" ").slice(-longestContext).reverse();

/** Libvosk leaves words out that it does not know: a phrase would be shorter, or never heard, without a word said. */
function refuseUnknownWords(phrases: readonly string[], isKnown: (word: string) => boolean): void {
  const unknown = new Set(phrases.flatMap((phrase) => phrase.split(" ")).filter((word) => !isKnown(word)));
  if (unknown.size === 0) return;
  const named = [...unknown].map((word) => `“${word}”`).join(", ");
  throw new SttError(
    "unknown_word",
    `The speech model does not know ${named}. Use other words, or the spelling by their sound.`,
  );
}

/** Recognisers kept for the next session: making one takes 80 ms, and a used one knows the ways it went before. */
const maxIdle = 2;
/** What a recogniser remembers grows with what it heard: after so much it is not used again. */
const maxReusedMs = 10 * 60_000;

const partialJson = z.object({ partial: z.string() });
const resultJson = z.object({
  text: z.string(),
  result: z
    .array(z.object({ word: z.string(), start: z.number(), end: z.number(), conf: z.number() }))
    .default([]),
});

interface VoskRecogniserOptions {
  /** Where it waits to be used again. */
  idle?: VoskRecogniser[];
  /** Where others than the first choice are wanted. */
  newReadings?(canWait: boolean): VoskReadings;
}

/** Joins the segments that libvosk cuts by itself: only `finish` ends an utterance. */
class VoskRecogniser implements Recogniser {
  readonly #library: VoskLibrary;
  readonly #shared: VoskRecogniserOptions;
  #recognizer: unknown;
  #readings: VoskReadings | undefined;
  #latest: Promise<Reading[]> = Promise.resolve([]);
  #segments: Recognised[] = [];
  /** Libvosk counts time over all utterances: samples it was given before this one. */
  #samplesBefore = 0;
  #samples = 0;
  /** What it is given is of a recording. */
  canWait = false;

  constructor(library: VoskLibrary, recognizer: unknown, shared: VoskRecogniserOptions) {
    this.#library = library;
    this.#shared = shared;
    this.#recognizer = recognizer;
    if (!this.#recognizer)
      throw new SttError("bad_model", "The speech model makes no recogniser. Use another.");
    library.setWords(this.#recognizer, 1);
  }

  async accept(pcm: Int16Array): Promise<string> {
    this.#readings ??= this.#shared.newReadings?.(this.canWait);
    const [ended] = await Promise.all([
      this.#library.accept(this.#recognizer, pcm),
      this.#readings?.accept(pcm),
    ]);
    this.#samples += pcm.length;
    if (ended === 1) {
      this.#add(this.#library.result(this.#recognizer));
      return joinText(this.#segments);
    }
    const { partial } = parse(partialJson, this.#library.partialResult(this.#recognizer));
    return joinText([...this.#segments, { text: partial }]);
  }

  async finish(): Promise<Recognised> {
    this.#latest = this.#readings?.finish() ?? Promise.resolve([]);
    this.#add(await this.#library.finalResult(this.#recognizer));
    const recognised = {
      text: joinText(this.#segments),
      words: this.#segments.flatMap((segment) => segment.words),
    };
    this.#segments = [];
    this.#samplesBefore = this.#samples;
    return recognised;
  }

  readings(): Promise<Reading[]> {
    return this.#latest;
  }

  dispose(): void {
    // Twenty megabytes that nobody needs between two sessions.
    this.#readings?.free();
    this.#readings = undefined;
    const idle = this.#shared.idle;
    const isClean = this.#samples === this.#samplesBefore;
    const isFresh = toMs(this.#samples) < maxReusedMs;
    if (idle && isClean && isFresh && idle.length < maxIdle) idle.push(this);
    else this.free();
  }

  free(): void {
    if (this.#recognizer) this.#library.recognizerFree(this.#recognizer);
    this.#recognizer = null;
  }

  #add(json: unknown): void {
    const { text, result } = parse(resultJson, json);
    const beforeMs = toMs(this.#samplesBefore);
    const words = result.map(({ word, start, end, conf }) => ({
      word,
      startMs: Math.round(start * 1000 - beforeMs),
      endMs: Math.round(end * 1000 - beforeMs),
      confidence: Math.max(0, Math.min(1, conf)),
    }));
    if (text !== "") this.#segments.push({ text, words });
  }
}

const toMs = (samples: number) => (samples * 1000) / sampleRateHz;

function joinText(segments: { text: string }[]): string {
  return segments.flatMap(({ text }) => (text === "" ? [] : [text])).join(" ");
}

function parse<T>(schema: z.ZodType<T>, json: unknown): T {
  return schema.parse(JSON.parse(String(json)));
}
