import { setImmediate as breathe } from "node:timers/promises";
import type sherpa from "sherpa-onnx-node";
import { sampleRateHz } from "../../../shared/voice/stt.ts";
import { toFloat } from "../audio/to-float.ts";
import type { Recognised, Recogniser } from "./recogniser.ts";
import { recognisedOf, sherpaResult } from "./sherpa-words.ts";

type Streaming = InstanceType<typeof sherpa.OnlineRecognizer>;

/** A streaming model looks ahead: the last words come out only when something follows them. */
const tail = new Float32Array(sampleRateHz * 0.66);

/** Streaming models of sherpa-onnx: words while somebody speaks. */
export class SherpaStreamingRecogniser implements Recogniser {
  readonly #recognizer: Streaming;
  readonly #language: string;
  #stream: ReturnType<Streaming["createStream"]>;

  /** @param language ISO 639 code, for models of several; empty: the model tells by itself */
  constructor(recognizer: Streaming, language: string) {
    this.#recognizer = recognizer;
    this.#language = language;
    this.#stream = this.#newStream();
  }

  async accept(pcm: Int16Array): Promise<string> {
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
    const stream = this.#recognizer.createStream();
    if (this.#language !== "") stream.setOption("language", this.#language);
    return stream;
  }

  #result(): Recognised {
    return recognisedOf(sherpaResult.parse(this.#recognizer.getResult(this.#stream)));
  }
}
