/** The part of sherpa-onnx-node (which ships no types) that we use. */
declare module "sherpa-onnx-node" {
  export class Vad {
    constructor(
      config: {
        sileroVad: {
          model: string;
          threshold: number;
          minSilenceDuration: number;
          minSpeechDuration: number;
          maxSpeechDuration: number;
          windowSize: number;
        };
        sampleRate: number;
        numThreads: number;
        debug: boolean;
      },
      bufferSizeInSeconds: number,
    );
    acceptWaveform(samples: Float32Array): void;
    isDetected(): boolean;
    isEmpty(): boolean;
    pop(): void;
    reset(): void;
  }

  export class LinearResampler {
    constructor(inputSampleRate: number, outputSampleRate: number);
    resample(samples: Float32Array): Float32Array;
    flush(samples: Float32Array): Float32Array;
  }

  interface Waveform {
    samples: Float32Array;
    sampleRate: number;
  }

  interface ModelFiles {
    tokens: string;
    numThreads: number;
    debug: boolean;
    provider: string;
    modelType?: string;
    /** How words are cut into pieces: needed for hot words. */
    modelingUnit?: "bpe";
    bpeVocab?: string;
    [architecture: string]: unknown;
  }

  interface RecognizerConfig {
    featConfig: { sampleRate: number; featureDim: number };
    modelConfig: ModelFiles;
    decodingMethod?: string;
    enableEndpoint?: boolean;
    maxActivePaths?: number;
    /** One word or phrase a line; with `modified_beam_search` alone. */
    hotwordsFile?: string;
    hotwordsScore?: number;
  }

  export class OnlineStream {
    acceptWaveform(waveform: Waveform): void;
    inputFinished(): void;
    setOption(key: "language", value: string): void;
  }

  export class OnlineRecognizer {
    constructor(config: RecognizerConfig);
    createStream(): OnlineStream;
    isReady(stream: OnlineStream): boolean;
    decode(stream: OnlineStream): void;
    /** What was parsed from JSON. */
    getResult(stream: OnlineStream): unknown;
  }

  export interface TtsConfig {
    model: {
      vits?: TtsFiles;
      matcha?: Omit<TtsFiles, "model"> & { acousticModel: string; vocoder: string };
      kokoro?: TtsFiles & { voices: string; lang: string };
      kitten?: Omit<TtsFiles, "lexicon"> & { voices: string };
      supertonic?: SupertonicFiles;
      numThreads: number;
      debug: boolean;
      provider: string;
    };
    maxNumSentences: number;
  }

  interface TtsFiles {
    model: string;
    tokens: string;
    lexicon: string;
    dataDir: string;
  }

  interface SupertonicFiles {
    durationPredictor: string;
    textEncoder: string;
    vectorEstimator: string;
    vocoder: string;
    ttsJson: string;
    unicodeIndexer: string;
    voiceStyle: string;
  }

  export class OfflineTts {
    static createAsync(config: TtsConfig): Promise<OfflineTts>;
    /** Without `enableExternalBuffer` the samples are copied, as Electron wants it. */
    generateAsync(request: {
      text: string;
      sid: number;
      speed: number;
      enableExternalBuffer: boolean;
      /** Taken in place of `sid` and `speed` by the voices that know it. */
      generationConfig?: { sid: number; speed: number; numSteps: number; extra: Record<string, string> };
    }): Promise<Waveform>;
  }

  export class OnlinePunctuation {
    constructor(config: {
      model: { cnnBilstm: string; bpeVocab: string; numThreads: number; debug: boolean; provider: string };
    });
    addPunct(text: string): string;
  }

  export class OfflineStream {
    acceptWaveform(waveform: Waveform): void;
  }

  export class OfflineRecognizer {
    static createAsync(config: RecognizerConfig): Promise<OfflineRecognizer>;
    createStream(): OfflineStream;
    decodeAsync(stream: OfflineStream): Promise<unknown>;
  }
}
