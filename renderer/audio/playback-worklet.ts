/**
 * Runs on the audio thread: plays parts one after the other and tells how far each is, and every sample it played. A
 * pause keeps the place to the sample; what is stopped fades out within 4 ms, without a click.
 */
declare const sampleRate: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: typeof PlaybackProcessor): void;

type Order =
  | { type: "part"; id: number; samples: Float32Array }
  | { type: "pause" }
  | { type: "resume" }
  | { type: "clear" };

/** What is played is told by so much at a time, 32 ms, so that its echo is known. */
const toldSamples = Math.round(sampleRate * 0.032);
/** Between two reports of the position, in samples. */
const reportEvery = sampleRate / 20;

class PlaybackProcessor extends AudioWorkletProcessor {
  #parts: { id: number; samples: Float32Array }[] = [];
  #at = 0;
  #reportedAt = 0;
  #isPaused = false;
  /** Follows the pause, 0–1. */
  #level = 1;
  /** What still sounds of a part that was cleared away. */
  #tail: Float32Array = new Float32Array(0);
  #told = new Float32Array(toldSamples);
  #toldAt = 0;
  readonly #step = 1 / (sampleRate * 0.004);

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<Order>) => this.#obey(data);
  }

  process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const output = outputs[0]?.[0];
    if (!output) return true;
    for (let index = 0; index < output.length; index++) {
      const sample = this.#next();
      output[index] = sample;
      this.#told[this.#toldAt++] = sample;
      if (this.#toldAt === toldSamples) this.#tell();
    }
    const [part] = this.#parts;
    if (part && this.#at - this.#reportedAt >= reportEvery) this.#report(part);
    return true;
  }

  #tell(): void {
    this.port.postMessage({ type: "played", samples: this.#told }, [this.#told.buffer]);
    this.#told = new Float32Array(toldSamples);
    this.#toldAt = 0;
  }

  #next(): number {
    if (this.#tail.length > 0) {
      const [sample = 0] = this.#tail;
      this.#tail = this.#tail.subarray(1);
      return sample;
    }
    const target = this.#isPaused ? 0 : 1;
    this.#level += Math.max(-this.#step, Math.min(this.#step, target - this.#level));
    const [part] = this.#parts;
    if (!part || this.#level === 0) return 0;
    if (this.#at === 0) this.port.postMessage({ type: "started", id: part.id });
    const sample = (part.samples[this.#at++] ?? 0) * this.#level;
    if (this.#at >= part.samples.length) {
      this.#parts.shift();
      this.#at = 0;
      this.#reportedAt = 0;
      this.port.postMessage({ type: "ended", id: part.id });
    }
    return sample;
  }

  #obey(order: Order): void {
    if (order.type === "part") this.#parts.push(order);
    else if (order.type === "clear") this.#clear();
    else {
      this.#isPaused = order.type === "pause";
      const [part] = this.#parts;
      if (this.#isPaused && part) this.#report(part);
    }
  }

  #clear(): void {
    const [part] = this.#parts;
    const level = this.#level;
    const fading = part?.samples.slice(this.#at, this.#at + Math.ceil(level / this.#step));
    this.#tail =
      fading?.map((sample, index) => sample * Math.max(0, level - index * this.#step)) ?? this.#tail;
    this.#parts = [];
    this.#at = 0;
    this.#reportedAt = 0;
    this.#isPaused = false;
    this.#level = 1;
  }

  #report(part: { id: number; samples: Float32Array }): void {
    this.#reportedAt = this.#at;
    this.port.postMessage({ type: "position", id: part.id, frames: this.#at, total: part.samples.length });
  }
}

registerProcessor("playback", PlaybackProcessor);

export {};
