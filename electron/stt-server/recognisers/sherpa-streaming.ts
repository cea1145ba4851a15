import { setImmediate as breathe } from "node:timers/promises";
import sherpa from "sherpa-onnx-node";
import { sampleRateHz } from "../../../shared/voice/stt.ts";
import { toFloat } from "../audio/to-float.ts";
import type { Recognised, Recogniser } from "./recogniser.ts";
import { biasedRecognizer, type WordPieces, writableWords } from "./sherpa-hot-words.ts";
import { recognisedOf, sherpaResult } from "./sherpa-words.ts";

type Streaming = InstanceType<typeof sherpa.OnlineRecognizer>;

type Config = ConstructorParameters<typeof sherpa.OnlineRecognizer>[0];

/** A streaming model, loaded for the words that are expected now: what it was loaded for before goes with who uses it. */
export class StreamingRecognizers {
  readonly #config: Config;
  readonly #pieces: WordPieces | null;
  #current: { words: string; recognizer: Streaming };

  /** @param pieces null: the model takes no words */
  constructor(config: Config, pieces: WordPieces | null) {
    this.#config = config;
    this.#pieces = pieces;
    this.#current = { words: "", recognizer: new sherpa.OnlineRecognizer(config) };
  }

  /** Where words change, it takes as long as loading the model. @throws Error where the native code refuses them */
  expecting(hotWords: readonly string[]): Streaming {
    const list = writableWords(hotWords, this.#pieces ?? []);
    const words = list.join("\n");
    if (words === this.#current.words) return this.#current.recognizer;
    const create = (config: Config) => new sherpa.OnlineRecognizer(config);
    const recognizer =
      this.#pieces && list.length > 0
        ? biasedRecognizer(create, this.#config, list, this.#pieces)
        : create(this.#config);
    this.#current = { words, recognizer };
    return recognizer;
  }
}

/** A streaming model looks ahead: the last words come out only when something follows them. */
const tail = new Float32Array(sampleRateHz * 0.66);

/** Streaming models of sherpa-onnx: words while somebody speaks. */
export class SherpaStreamingRecogniser implements Recogniser {
  readonly #recognizers: StreamingRecognizers;
  readonly #language: string;
  #recognizer: Streaming;
  #stream: ReturnType<Streaming["createStream"]>;
  /** Given to the stream so far. */
  #samples = 0;
  #expected: readonly string[] | null = null;

  /** @param language ISO 639 code, for models of several; empty: the model tells by itself */
  constructor(recognizers: StreamingRecognizers, hotWords: readonly string[], language: string) {
    this.#recognizers = recognizers;
    this.#recognizer = recognizers.expecting(hotWords);
    this.#language = language;
    this.#stream = this.#newStream();
  }

  /** At once while nobody speaks, else at the next pause: it takes as long as loading the model. */
  expectWords(hotWords: readonly string[]): void {
    this.#expected = hotWords;
    if (this.#samples === 0) this.#stream = this.#newStream();
  }

  async accept(pcm: Int16Array): Promise<string> {
    this.#samples += pcm.length;
    this.#stream.acceptWaveform({ samples: toFloat(pcm), sampleRate: sampleRateHz });
    await this.#decode();
    return this.#result().text;
  }

  async finish(): Promise<Recognised> {
    this.#stream.acceptWaveform({ samples: tail, sampleRate: sampleRateHz });
    this.#stream.inputFinished();
    await this.#decode();
    const recognised = this.#result();
    this.#stream = this.#newStream();
    return recognised;
  }

  dispose(): void {
    // The stream goes with the garbage collector; the native code offers no other way.
  }

  /** A piece of a third of a second is decoded at a time, on this thread: others get their turn in between. */
  async #decode(): Promise<void> {
    while (this.#recognizer.isReady(this.#stream)) {
      this.#recognizer.decode(this.#stream);
      await breathe();
    }
  }

  #newStream(): ReturnType<Streaming["createStream"]> {
    this.#samples = 0;
    this.#expectNow();
    const stream = this.#recognizer.createStream();
    if (this.#language !== "") stream.setOption("language", this.#language);
    return stream;
  }

  #expectNow(): void {
    if (!this.#expected) return;
    try {
      this.#recognizer = this.#recognizers.expecting(this.#expected);
    } catch (error) {
      // It goes on with the words that it knows.
      console.error("No new words:", error);
    }
    this.#expected = null;
  }

  #result(): Recognised {
    const endMs = (this.#samples * 1000) / sampleRateHz;
    return recognisedOf(sherpaResult.parse(this.#recognizer.getResult(this.#stream)), { startMs: 0, endMs });
  }
}
