import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { readOnnxMetadata } from "../../files/onnx-metadata.ts";
import { speakersIn } from "./voice-style.ts";

/** A voice's kind, by its metadata, with the whole paths of what it needs. */
export type VoiceFiles =
  | ({ kind: "vits" } & Spoken)
  | ({ kind: "matcha"; vocoder: string } & Spoken)
  | ({ kind: "kokoro" | "kitten"; voices: string; version: number } & Spoken)
  | { kind: "supertonic"; speakers: string[]; files: Record<SupertonicFile, string> };

interface Spoken {
  model: string;
  tokens: string;
  /** Lists of words and how they are said; a voice may have one for each language. */
  lexicons: string[];
  /** The folder of espeak's data; empty where the voice needs none. */
  dataDir: string;
  /** By number. */
  speakers: string[];
}

type Metadata = ReadonlyMap<string, string>;

/**
 * What kind of voice a folder holds. The native code ends its process over whatever it cannot read, or misses: all that
 * it asks for is looked at first.
 * @throws Error in words that name the file, and what is wrong with it
 */
export async function readVoiceFiles(folder: string): Promise<VoiceFiles> {
  const names: string[] = (await readdir(folder).catch(() => [])).sort();
  const supertonic = supertonicFiles(folder, names);
  if (supertonic) return await readSupertonic(supertonic);
  const graphs = names.filter((name) => name.endsWith(".onnx")).sort(smallFirst);
  const isDataThere = names.includes("espeak-ng-data");
  const lexicons = names.filter((name) => /^lexicon.*\.txt$/.test(name)).map((name) => join(folder, name));
  if (graphs.length === 0 || !names.includes("tokens.txt") || (!isDataThere && lexicons.length === 0)) {
    throw new Error(
      `${folder} holds no voice: it needs an .onnx file, tokens.txt, and lexicon.txt or the folder espeak-ng-data of a sherpa-onnx voice.`,
    );
  }
  for (const graph of graphs) {
    const model = join(folder, graph);
    const metadata = await readOnnxMetadata(model).catch((error: unknown) => {
      throw new Error(`${graph} of the voice in ${folder} is damaged: ${wordsOf(error)}.`, { cause: error });
    });
    const kind = kinds.get(metadata.get("model_type") ?? "");
    if (!kind) continue;
    need(model, metadata, wanted[kind]);
    const spoken: Spoken = {
      model,
      tokens: join(folder, "tokens.txt"),
      lexicons,
      dataDir: isDataThere ? await espeakData(join(folder, "espeak-ng-data")) : "",
      speakers: speakerNames(metadata),
    };
    if (kind === "vits") return { kind, ...spoken };
    if (kind === "matcha") return { kind, ...spoken, vocoder: await vocoderOf(folder, graphs, graph) };
    return await withStyles(folder, kind, spoken, metadata);
  }
  const types = [...kinds.keys()].join(", ");
  throw new Error(
    `${folder} holds no voice that Parley can open: the metadata of its .onnx file name no model_type of ${types}.`,
  );
}

/** By `model_type` in the metadata. */
const kinds: ReadonlyMap<string, "vits" | "matcha" | "kokoro" | "kitten"> = new Map([
  ["vits", "vits"],
  ["melo-vits", "vits"],
  ["matcha-tts", "matcha"],
  ["kokoro", "kokoro"],
  ["kitten-tts", "kitten"],
]);

/** What the native code asks each kind's metadata for. */
const wanted = {
  vits: ["sample_rate", "n_speakers", "language", "comment"],
  matcha: ["sample_rate", "n_speakers", "use_eos_bos", "pad_id"],
  kokoro: ["sample_rate", "n_speakers", "has_espeak", "style_dim"],
  kitten: ["sample_rate", "n_speakers", "has_espeak", "style_dim"],
} as const;

function need(model: string, metadata: Metadata, keys: readonly string[]): void {
  const missing = keys.filter((key) => !metadata.has(key));
  if (missing.length === 0) return;
  throw new Error(`${basename(model)} is no voice for sherpa-onnx: its metadata lack ${missing.join(", ")}.`);
}

/** Kokoro and Kitten: a table of numbers for each speaker. */
async function withStyles(
  folder: string,
  kind: "kokoro" | "kitten",
  spoken: Spoken,
  metadata: Metadata,
): Promise<VoiceFiles> {
  const voices = join(folder, "voices.bin");
  const { size } = await stat(voices).catch(() => {
    throw new Error(`The voice in ${folder} lacks voices.bin.`);
  });
  const dims = (metadata.get("style_dim") ?? "").split(",").map(Number);
  const isShaped =
    kind === "kitten" ? dims.length === 2 && (dims[0] ?? 0) > 0 : dims.length === 3 && dims[1] === 1;
  const expected = dims.reduce((product, dim) => product * dim, 4) * Number(metadata.get("n_speakers"));
  if (!isShaped || size !== expected) {
    throw new Error(`voices.bin of the voice in ${folder} is damaged: ${size} bytes instead of ${expected}.`);
  }
  if (spoken.dataDir === "") throw new Error(`The voice in ${folder} lacks the folder espeak-ng-data.`);
  const version = Number(metadata.get("version") ?? 1);
  if (kind === "kitten" && metadata.get("has_espeak") !== "1") {
    throw new Error(`${basename(spoken.model)} is a Kitten voice of a kind that is not supported.`);
  }
  return { kind, ...spoken, voices, version };
}

/** What of espeak's data is asked for before anything is opened. */
const espeakFiles = ["phontab", "phonindex", "phondata", "intonations"];

async function espeakData(folder: string): Promise<string> {
  const names: string[] = await readdir(folder).catch(() => []);
  const missing = espeakFiles.filter((name) => !names.includes(name));
  if (missing.length === 0) return folder;
  throw new Error(`${folder} lacks ${missing.join(", ")}: download the voice again.`);
}

/** Makes sound of what a Matcha voice makes. */
async function vocoderOf(folder: string, graphs: readonly string[], acoustic: string): Promise<string> {
  for (const name of graphs) {
    if (name === acoustic) continue;
    const metadata = await readOnnxMetadata(join(folder, name)).catch(() => new Map<string, string>());
    if (vocoders.includes(metadata.get("model_type") ?? "")) return join(folder, name);
  }
  throw new Error(
    `The Matcha voice in ${folder} lacks its vocoder: a vocos or hifigan .onnx file beside it.`,
  );
}

const vocoders = ["hifigan", "vocos", "matcha-tts vocos"];

/** As many as there are; those without a name are numbered. */
function speakerNames(metadata: Metadata): string[] {
  const names = metadata.get("speaker_names")?.split(",") ?? [];
  const count = Math.max(1, Number(metadata.get("n_speakers")) || 1);
  return Array.from(
    { length: Math.min(count, mostSpeakers) },
    (_, at) => names[at]?.trim() || String(at + 1),
  );
}

const mostSpeakers = 1000;

const supertonicPatterns = {
  durationPredictor: /^duration_predictor.*\.onnx$/,
  textEncoder: /^text_encoder.*\.onnx$/,
  vectorEstimator: /^vector_estimator.*\.onnx$/,
  vocoder: /^vocoder.*\.onnx$/,
  ttsJson: /^tts\.json$/,
  unicodeIndexer: /^unicode_indexer\.bin$/,
  voiceStyle: /^voice\.bin$/,
} as const;
type SupertonicFile = keyof typeof supertonicPatterns;

/** Null where one is missing. */
function supertonicFiles(folder: string, names: readonly string[]): Record<SupertonicFile, string> | null {
  const sorted = [...names].sort(smallFirst);
  const found: Record<SupertonicFile, string> = {
    ...{ durationPredictor: "", textEncoder: "", vectorEstimator: "", vocoder: "" },
    ...{ ttsJson: "", unicodeIndexer: "", voiceStyle: "" },
  };
  for (const part of Object.keys(supertonicPatterns) as SupertonicFile[]) {
    const name = sorted.find((one) => supertonicPatterns[part].test(one));
    if (name === undefined) return null;
    found[part] = join(folder, name);
  }
  return found;
}

async function readSupertonic(files: Record<SupertonicFile, string>): Promise<VoiceFiles> {
  for (const path of Object.values(files)) {
    try {
      if (path.endsWith(".onnx")) await readOnnxMetadata(path);
    } catch (error) {
      throw new Error(`${path} is damaged: ${wordsOf(error)}.`, { cause: error });
    }
  }
  const settings: unknown = await readFile(files.ttsJson, "utf8").then(JSON.parse, () => null);
  const isSet = supertonicNumbers.every(([section, key]) => {
    const part: unknown = typeof settings === "object" && settings !== null && Reflect.get(settings, section);
    const value: unknown = typeof part === "object" && part !== null && Reflect.get(part, key);
    return typeof value === "number" && Number.isInteger(value) && value > 0;
  });
  if (!isSet) throw new Error(`${files.ttsJson} does not hold the settings of a Supertonic voice.`);
  const { size } = await stat(files.unicodeIndexer);
  if (size === 0 || size % 4 !== 0) throw new Error(`${files.unicodeIndexer} is damaged.`);
  return { kind: "supertonic", files, speakers: await speakersIn(files.voiceStyle) };
}

const supertonicNumbers = [
  ["ae", "sample_rate"],
  ["ae", "base_chunk_size"],
  ["ttl", "chunk_compress_factor"],
  ["ttl", "latent_dim"],
] as const;

/** Smaller (int8) files before larger ones. */
const smallFirst = (one: string, other: string): number =>
  Number(other.includes("int8")) - Number(one.includes("int8")) || one.localeCompare(other);

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
