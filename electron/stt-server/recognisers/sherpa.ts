import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import sherpa from "sherpa-onnx-node";
import { sampleRateHz } from "../../../shared/voice/stt.ts";
import type { DetectedModel } from "../models/detect.ts";
import { detectedLanguage, languageCode } from "../models/model-location.ts";
import { SttError } from "../stt-error.ts";
import type { RecogniserModel } from "./recogniser.ts";
import { wordPiecesOf } from "./sherpa-hot-words.ts";
import { SherpaStreamingRecogniser, StreamingRecognizers } from "./sherpa-streaming.ts";
import { DecodeQueue, SherpaWholeRecogniser } from "./sherpa-whole.ts";

/** Threads of one decode: half the machine is left to everything else, the window above all. */
const threads = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));

/**
 * Loads a model of sherpa-onnx that `detectModel` found whole.
 * @param language ISO 639 code, for models that speak several
 * @throws SttError when the native code refuses it
 */
export async function loadSherpaModel(
  model: DetectedModel,
  name: string,
  language: string,
): Promise<RecogniserModel> {
  const config = sherpaConfig(model, language);
  try {
    if (model.kind === "streaming-transducer") {
      const recognizers = new StreamingRecognizers(config, await wordPiecesOf(model.files));
      // Models of one language take no notice of it.
      const spoken = codeOf(language);
      return {
        name,
        writesPlainWords: !(await hasPunctuation(model.files.tokens ?? "")),
        createRecogniser: ({ hotWords = [] } = {}) =>
          new SherpaStreamingRecogniser(recognizers, hotWords, spoken),
        dispose,
      };
    }
    const queue = new DecodeQueue(await sherpa.OfflineRecognizer.createAsync(config));
    return { name, createRecogniser: () => new SherpaWholeRecogniser(queue), dispose };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SttError(
      "bad_model",
      `The speech model ${name} cannot be loaded (${why}). Download it again, or use another.`,
      { cause: error },
    );
  }
}

/** Native objects go with the garbage collector; the module offers no other way. */
const dispose = () => undefined;

/** Without region; empty where the model is to tell by itself. */
function codeOf(language: string): string {
  const code = languageCode(language);
  return code === detectedLanguage ? "" : code;
}

/** Whether a model writes commas by itself. */
async function hasPunctuation(tokens: string): Promise<boolean> {
  return /^\u2581?, \d+\s*$/m.test(await readFile(tokens, "utf8"));
}

/** @returns what sherpa-onnx is to load, and how */
export function sherpaConfig(
  { kind, files }: DetectedModel,
  language: string,
): ConstructorParameters<typeof sherpa.OnlineRecognizer>[0] {
  const { tokens = "", ...parts } = files;
  return {
    featConfig: { sampleRate: sampleRateHz, featureDim: 80 },
    modelConfig: {
      tokens,
      numThreads: kind === "streaming-transducer" ? 1 : threads,
      debug: false,
      provider: "cpu",
      ...architecture(kind, parts, codeOf(language)),
    },
    decodingMethod: "greedy_search",
    // Our endpointer alone ends utterances.
    enableEndpoint: false,
  };
}

function architecture(
  kind: DetectedModel["kind"],
  parts: Record<string, string>,
  language: string,
): Record<string, unknown> {
  switch (kind) {
    case "streaming-transducer":
      return { transducer: parts };
    case "nemo-transducer":
      return { transducer: parts, modelType: "nemo_transducer" };
    case "nemo-ctc":
      return { nemoCtc: parts };
    case "whisper":
      return { whisper: { ...parts, language, task: "transcribe", tailPaddings: -1 } };
    case "moonshine":
      return { moonshine: parts };
    default:
      throw new Error(`A ${kind} model is loaded elsewhere.`);
  }
}
