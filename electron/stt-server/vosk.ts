import { z } from "zod";
import { sampleRateHz } from "../../shared/stt.ts";
import type { Recognised, Recogniser, RecogniserModel } from "./recogniser.ts";
import { SttError } from "./stt-error.ts";
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
  return {
    name,
    createRecogniser: () => idle.pop() ?? new VoskRecogniser(library, model, idle),
    dispose: () => {
      for (const recogniser of idle.splice(0)) recogniser.free();
      library.modelFree(model);
    },
  };
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

/** Joins the segments that libvosk cuts by itself: only `finish` ends an utterance. */
class VoskRecogniser implements Recogniser {
  readonly #library: VoskLibrary;
  readonly #idle: VoskRecogniser[];
  #recognizer: unknown;
  #segments: Recognised[] = [];
  /** Libvosk counts time over all utterances: samples it was given before this one. */
  #samplesBefore = 0;
  #samples = 0;

  constructor(library: VoskLibrary, model: unknown, idle: VoskRecogniser[]) {
    this.#library = library;
    this.#idle = idle;
    this.#recognizer = library.recognizerNew(model, sampleRateHz);
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

  dispose(): void {
    const isClean = this.#samples === this.#samplesBefore;
    const isFresh = (this.#samples * 1000) / sampleRateHz < maxReusedMs;
    if (isClean && isFresh && this.#idle.length < maxIdle) this.#idle.push(this);
    else this.free();
  }

  free(): void {
    if (this.#recognizer) this.#library.recognizerFree(this.#recognizer);
    this.#recognizer = null;
  }

  #add(json: unknown): void {
    const { text, result } = parse(resultJson, json);
    const beforeMs = (this.#samplesBefore * 1000) / sampleRateHz;
    const words = result.map(({ word, start, end, conf }) => ({
      word,
      startMs: Math.round(start * 1000 - beforeMs),
      endMs: Math.round(end * 1000 - beforeMs),
      confidence: Math.max(0, Math.min(1, conf)),
    }));
    if (text !== "") this.#segments.push({ text, words });
  }
}

function joinText(segments: { text: string }[]): string {
  return segments.flatMap(({ text }) => (text === "" ? [] : [text])).join(" ");
}

function parse<T>(schema: z.ZodType<T>, json: unknown): T {
  return schema.parse(JSON.parse(String(json)));
}
