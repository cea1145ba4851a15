/**
 * Runs on the audio thread: collects the 128-sample quanta of the context (16 kHz, mono) into frames of
 * `frameSamples`, as 16-bit PCM, and posts each with the index of its first sample.
 */
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
  constructor(options: { processorOptions: { frameSamples: number } });
}
declare function registerProcessor(name: string, processor: typeof CaptureProcessor): void;

class CaptureProcessor extends AudioWorkletProcessor {
  readonly #frameSamples: number;
  #frame: Int16Array;
  #filled = 0;
  #sampleIndex = 0;

  constructor(options: { processorOptions: { frameSamples: number } }) {
    super(options);
    this.#frameSamples = options.processorOptions.frameSamples;
    this.#frame = new Int16Array(this.#frameSamples);
  }

  /** @returns true: the node stays alive as long as its source does */
  process(inputs: Float32Array[][]): boolean {
    for (const sample of inputs[0]?.[0] ?? []) {
      this.#frame[this.#filled++] = Math.max(-1, Math.min(1, sample)) * 0x7fff;
      if (this.#filled === this.#frameSamples) this.#post();
    }
    return true;
  }

  #post(): void {
    this.port.postMessage({ sampleIndex: this.#sampleIndex, pcm: this.#frame }, [this.#frame.buffer]);
    this.#sampleIndex += this.#frameSamples;
    this.#frame = new Int16Array(this.#frameSamples);
    this.#filled = 0;
  }
}

registerProcessor("capture", CaptureProcessor);
