import type sherpa from "sherpa-onnx-node";
import { sampleRateHz } from "../../../shared/voice/stt.ts";
import { toFloat } from "../audio/to-float.ts";
import type { Recognised, Recogniser } from "./recogniser.ts";
import { recognisedOf, type SherpaResult, sherpaResult } from "./sherpa-words.ts";
import { speechSpan } from "./speech-span.ts";

type Whole = InstanceType<typeof sherpa.OfflineRecognizer>;

/** New sound after which what was said so far is recognised again, for a partial text. */
const partialSamples = sampleRateHz / 2;
/** Longest piece that is recognised in one go: whisper hears 30 s at most. */
const maxPieceSamples = 28 * sampleRateHz;

/** Decodes of one model run one after the other, whoever asks: each takes every thread it may. */
export class DecodeQueue {
  readonly #recognizer: Whole;
  #busy: Promise<unknown> = Promise.resolve();

  constructor(recognizer: Whole) {
    this.#recognizer = recognizer;
  }

  decode(samples: Float32Array): Promise<SherpaResult> {
    const decoded = this.#busy.then(async () => {
      const stream = this.#recognizer.createStream();
      stream.acceptWaveform({ samples, sampleRate: sampleRateHz });
      return sherpaResult.parse(await this.#recognizer.decodeAsync(stream));
    });
    this.#busy = decoded.catch(() => undefined);
    return decoded;
  }
}

/**
 * Models that hear a whole utterance at once (whisper, parakeet, moonshine). While somebody speaks, what was said so
 * far is decoded again and again beside it; a machine that is too slow for that has fewer partial texts.
 */
export class SherpaWholeRecogniser implements Recogniser {
  readonly #queue: DecodeQueue;
  #pieces: Int16Array[] = [];
  #samples = 0;
  /** What was recognised of the pieces that are full, and where the present one begins. */
  #settled: Recognised[] = [];
  #settledSamples = 0;
  #partial = "";
  #partialAt = 0;
  #decoding: Promise<void> | null = null;
  #utterance = 0;

  constructor(queue: DecodeQueue) {
    this.#queue = queue;
  }

  async accept(pcm: Int16Array): Promise<string> {
    this.#pieces.push(pcm);
    this.#samples += pcm.length;
    if (this.#samples >= maxPieceSamples) await this.#settle();
    else if (!this.#decoding && this.#samples - this.#partialAt >= partialSamples) this.#decodePartial();
    return joinText([...this.#settled, { text: this.#partial }]);
  }

  async finish(): Promise<Recognised> {
    await this.#settle();
    const recognised = {
      text: joinText(this.#settled),
      words: this.#settled.flatMap(({ words }) => words),
    };
    this.#settled = [];
    this.#settledSamples = 0;
    return recognised;
  }

  dispose(): void {
    this.#pieces = [];
  }

  async #settle(): Promise<void> {
    this.#utterance++;
    const samples = this.#take();
    await this.#decoding;
    const length = samples.length;
    if (length > 0) {
      const result = await this.#queue.decode(samples);
      const offsetMs = (this.#settledSamples * 1000) / sampleRateHz;
      this.#settled.push(recognisedOf(result, speechSpan(samples, offsetMs), offsetMs));
    }
    this.#settledSamples += length;
  }

  #take(): Float32Array {
    const samples = joined(this.#pieces);
    this.#pieces = [];
    this.#samples = 0;
    this.#partial = "";
    this.#partialAt = 0;
    return samples;
  }

  /** Runs beside the session; its text counts while the utterance is the same. */
  #decodePartial(): void {
    const utterance = this.#utterance;
    this.#partialAt = this.#samples;
    this.#decoding = this.#queue
      .decode(joined(this.#pieces))
      .then(
        (result) => {
          if (utterance === this.#utterance) this.#partial = recognisedOf(result).text;
        },
        (error: unknown) => console.error("No partial text:", error),
      )
      .finally(() => {
        this.#decoding = null;
      });
  }
}

function joined(pieces: Int16Array[]): Float32Array {
  const samples = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    samples.set(toFloat(piece), at);
    at += piece.length;
  }
  return samples;
}

function joinText(parts: { text: string }[]): string {
  return parts.flatMap(({ text }) => (text === "" ? [] : [text])).join(" ");
}
