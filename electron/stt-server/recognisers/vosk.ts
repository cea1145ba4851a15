import { z } from "zod";
import { sampleRateHz } from "../../../shared/voice/stt.ts";
import { SttError } from "../stt-error.ts";
import { type Recognised, type Recogniser, type RecogniserModel, unknownWord } from "./recogniser.ts";
import { type VoskLibrary, voskLibrary } from "./vosk-library.ts";

/**
 * Loads an unpacked Vosk model; takes about half a second, off the event loop.
 * @param folder as `tunedModelFolder` makes it
 * @throws SttError when it is no usable model
 */
export async function loadVoskModel(folder: string, name: string): Promise<RecogniserModel> {
  const library = voskLibrary();
  const model = await library.modelNew(folder);
  if (!model) {
    throw new SttError(
      "bad_model",
      `The speech model ${name} cannot be loaded. Unpack it again, or use another.`,
    );
  }
  const idle: VoskRecogniser[] = [];
  const opinions = new SecondOpinions(library, model);
  const create = () =>
    new VoskRecogniser(library, library.recognizerNew(model, sampleRateHz), { idle, opinions });
  return {
    name,
    writesPlainWords: true,
    createRecogniser: () => idle.pop() ?? create(),
    createGrammarRecogniser: (phrases) => {
      refuseUnknownWords(phrases, (word) => Number(library.findWord(model, word)) >= 0);
      const grammar = JSON.stringify([...phrases, unknownWord]);
      return new VoskRecogniser(library, library.recognizerNewGrammar(model, sampleRateHz, grammar), {});
    },
    dispose: () => {
      for (const recogniser of idle.splice(0)) recogniser.free();
      opinions.dispose();
      library.modelFree(model);
    },
  };
}

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

const alternativesJson = z.object({
  alternatives: z
    .array(
      z.object({
        text: z.string(),
        result: z.array(z.object({ word: z.string(), start: z.number(), end: z.number() })).default([]),
      }),
    )
    .default([]),
});

/** Texts that a second opinion has at most. */
const maxOpinions = 5;

/** One more recogniser for all sessions of a model, asked about one short piece of sound after the other. */
class SecondOpinions {
  readonly #library: VoskLibrary;
  readonly #model: unknown;
  #recognizer: unknown;
  #busy: Promise<unknown> = Promise.resolve();
  /** Libvosk counts time over all that it heard. */
  #samplesBefore = 0;
  #disposed = false;

  constructor(library: VoskLibrary, model: unknown) {
    this.#library = library;
    this.#model = model;
  }

  ask(pcm: Int16Array): Promise<Recognised[]> {
    const answer = this.#busy.then(() => this.#recognise(pcm));
    this.#busy = answer.catch(() => undefined);
    return answer;
  }

  dispose(): void {
    this.#disposed = true;
    void this.#busy.then(() => this.#free());
  }

  async #recognise(pcm: Int16Array): Promise<Recognised[]> {
    if (this.#disposed) return [];
    if (toMs(this.#samplesBefore) > maxReusedMs) this.#free();
    this.#recognizer ??= this.#create();
    await this.#library.accept(this.#recognizer, pcm);
    const { alternatives } = parse(alternativesJson, await this.#library.finalResult(this.#recognizer));
    const beforeMs = toMs(this.#samplesBefore);
    this.#samplesBefore += pcm.length;
    return alternatives.map(({ text, result }) => ({
      text: text.trim(),
      words: result.map(({ word, start, end }) => ({
        word,
        startMs: start * 1000 - beforeMs,
        endMs: end * 1000 - beforeMs,
        confidence: 0,
      })),
    }));
  }

  #free(): void {
    if (this.#recognizer) this.#library.recognizerFree(this.#recognizer);
    this.#recognizer = null;
    this.#samplesBefore = 0;
  }

  #create(): unknown {
    const recognizer = this.#library.recognizerNew(this.#model, sampleRateHz);
    this.#library.setMaxAlternatives(recognizer, maxOpinions);
    this.#library.setWords(recognizer, 1);
    return recognizer;
  }
}

/** Joins the segments that libvosk cuts by itself: only `finish` ends an utterance. */
class VoskRecogniser implements Recogniser {
  readonly #library: VoskLibrary;
  readonly #shared: { idle?: VoskRecogniser[]; opinions?: SecondOpinions };
  #recognizer: unknown;
  #segments: Recognised[] = [];
  /** Libvosk counts time over all utterances: samples it was given before this one. */
  #samplesBefore = 0;
  #samples = 0;

  constructor(
    library: VoskLibrary,
    recognizer: unknown,
    shared: { idle?: VoskRecogniser[]; opinions?: SecondOpinions },
  ) {
    this.#library = library;
    this.#shared = shared;
    this.#recognizer = recognizer;
    if (!this.#recognizer)
      throw new SttError("bad_model", "The speech model makes no recogniser. Use another.");
    library.setWords(this.#recognizer, 1);
  }

  async accept(pcm: Int16Array): Promise<string> {
    const ended = await this.#library.accept(this.#recognizer, pcm);
    this.#samples += pcm.length;
    if (ended === 1) {
      this.#add(this.#library.result(this.#recognizer));
      return joinText(this.#segments);
    }
    const { partial } = parse(partialJson, this.#library.partialResult(this.#recognizer));
    return joinText([...this.#segments, { text: partial }]);
  }

  async finish(): Promise<Recognised> {
    this.#add(await this.#library.finalResult(this.#recognizer));
    const recognised = {
      text: joinText(this.#segments),
      words: this.#segments.flatMap((segment) => segment.words),
    };
    this.#segments = [];
    this.#samplesBefore = this.#samples;
    return recognised;
  }

  async secondOpinion(pcm: Int16Array): Promise<Recognised[]> {
    return (await this.#shared.opinions?.ask(pcm)) ?? [];
  }

  dispose(): void {
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
