import { open, readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { readOnnxMetadata } from "../../files/onnx-metadata.ts";
import { SttError } from "../stt-error.ts";
import type { ModelKind } from "./catalogue.ts";
import { isModelFolder } from "./model-folder.ts";

export interface DetectedModel {
  kind: ModelKind;
  /** Whole paths by what the recogniser calls them: `encoder`, `decoder`, `joiner`, `tokens`, … ; none of Vosk. */
  files: Record<string, string>;
}

/**
 * What kind of model a folder holds, by its files' names and the metadata in them.
 * @throws SttError when it is none, or one whose files are damaged
 */
export async function detectModel(folder: string): Promise<DetectedModel> {
  if (await isModelFolder(folder)) return { kind: "vosk", files: {} };
  const names = await readdir(folder).catch(() => []);
  for (const { kind, parts } of layouts) {
    const files = findParts(folder, names, parts);
    if (!files) continue;
    const metadata = await checkFiles(folder, files);
    const detected = kind(metadata);
    if (detected) return { kind: detected, files };
    throw new SttError(
      "unknown_model",
      `${folder} holds a speech model of a kind that is not supported. Use a streaming zipformer, parakeet, whisper, moonshine or Vosk model.`,
    );
  }
  throw new SttError(
    "unknown_model",
    `${folder} is not the folder of a speech model: it has no conf/model.conf and am/final.mdl of an unpacked Vosk model, nor tokens.txt and .onnx files of a sherpa-onnx model.`,
  );
}

type Metadata = ReadonlyMap<string, string>;

interface Layout {
  /** Files by what their names look like; where several fit, the smaller (int8) one is taken. */
  parts: Record<string, RegExp>;
  kind: (metadata: Record<string, Metadata>) => ModelKind | null;
}

const tokens = /(^|-)tokens\.txt$/;

/** The native code ends the process where one is missing. */
const punctuationNumbers = ["COMMA", "PERIOD", "QUESTION", "UPPER", "CAP", "MIX_CASE"];

/** In order: the files of a later one are part of an earlier one's. */
const layouts: Layout[] = [
  {
    parts: {
      preprocessor: /^preprocess.*\.onnx$/,
      encoder: /^encode\b.*\.onnx$/,
      uncachedDecoder: /^uncached_decode.*\.onnx$/,
      cachedDecoder: /^cached_decode.*\.onnx$/,
      tokens,
    },
    kind: () => "moonshine",
  },
  {
    parts: {
      encoder: /encoder.*\.onnx$/,
      decoder: /decoder.*\.onnx$/,
      joiner: /joiner.*\.onnx$/,
      tokens,
    },
    kind: ({ encoder }) => transducerKind(encoder ?? new Map()),
  },
  {
    parts: {
      durationPredictor: /^duration_predictor.*\.onnx$/,
      textEncoder: /^text_encoder.*\.onnx$/,
      vectorEstimator: /^vector_estimator.*\.onnx$/,
      vocoder: /^vocoder.*\.onnx$/,
      settings: /^tts\.json$/,
      unicodeIndexer: /^unicode_indexer\.bin$/,
      voiceStyle: /^voice\.bin$/,
    },
    kind: () => "supertonic-voice",
  },
  {
    parts: { encoder: /-encoder.*\.onnx$/, decoder: /-decoder.*\.onnx$/, tokens },
    kind: ({ encoder }) => (encoder?.has("n_mels") ? "whisper" : null),
  },
  {
    parts: { model: /\.onnx$/, lexicon: /^lexicon\.txt$/, tokens },
    kind: ({ model }) => (model?.has("sample_rate") && model.has("n_speakers") ? "vits-voice" : null),
  },
  {
    parts: { model: /^model.*\.onnx$/, vocabulary: /^bpe\.vocab$/ },
    kind: ({ model }) => (punctuationNumbers.every((name) => model?.has(name)) ? "punctuation" : null),
  },
  {
    parts: { model: /^model.*\.onnx$/, tokens },
    kind: ({ model }) => (model?.has("vocab_size") && model.has("subsampling_factor") ? "nemo-ctc" : null),
  },
];

/** Streaming models say how much they look at in one go; whoever does not is for whole utterances. */
function transducerKind(encoder: Metadata): ModelKind | null {
  if (encoder.has("decode_chunk_len") || encoder.has("chunk_shift")) return "streaming-transducer";
  return encoder.has("vocab_size") && encoder.has("subsampling_factor") ? "nemo-transducer" : null;
}

function findParts(
  folder: string,
  names: string[],
  parts: Record<string, RegExp>,
): Record<string, string> | null {
  const files: Record<string, string> = {};
  for (const [part, pattern] of Object.entries(parts)) {
    const fitting = names.filter((name) => pattern.test(name));
    const name = fitting.find((one) => one.includes("int8")) ?? fitting[0];
    if (name === undefined) return null;
    files[part] = join(folder, name);
  }
  return files;
}

async function checkFiles(folder: string, files: Record<string, string>): Promise<Record<string, Metadata>> {
  const metadata: Record<string, Metadata> = {};
  for (const [part, path] of Object.entries(files)) {
    try {
      if (part === "tokens") await checkTokens(path);
      else if (!path.endsWith(".onnx")) await checkText(path);
      else metadata[part] = await readOnnxMetadata(path);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new SttError(
        "bad_model",
        `The speech model in ${folder} is damaged: ${basename(path)}: ${why}. Download it again, or use another.`,
        { cause: error },
      );
    }
  }
  return metadata;
}

/** A page that says "not found" is what is found most in place of a file. */
async function checkText(path: string): Promise<void> {
  const handle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(200), 0, 200).finally(() => handle.close());
  if (bytesRead === 0 || /^\s*<(!doctype|html|\?xml)/i.test(buffer.toString("utf8", 0, bytesRead)))
    throw new Error("it is not a list");
}

/** One token and its number a line; the native code ends the process over anything else. */
async function checkTokens(path: string): Promise<void> {
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  if (!lines.every((line) => /^(.* |\s*)\d+\s*$/.test(line))) throw new Error("it is not a list of tokens");
}
