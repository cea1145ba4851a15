import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type sherpa from "sherpa-onnx-node";
import { readOnnxMetadata } from "../../files/onnx-metadata.ts";

/** Encoders whose decoding sherpa-onnx can bias towards given words; it ends the process where NeMo's are to do that. */
const biasedTypes = ["conformer", "ebranchformer", "lstm", "zipformer", "zipformer2"];
/** What each piece of such a word is worth, as the logarithm of a likelihood: sherpa-onnx's own default. */
const hotWordScore = 1.5;
/** Ways to read an utterance that are followed at a time. */
const activePaths = 4;

type Config = ConstructorParameters<typeof sherpa.OnlineRecognizer>[0];
type Streaming = InstanceType<typeof sherpa.OnlineRecognizer>;

/** The pieces of words that a model writes, likeliest first. */
export type WordPieces = readonly string[];

/**
 * @param files of a streaming transducer
 * @returns null where sherpa-onnx takes no hot words for it
 */
export async function wordPiecesOf(files: Readonly<Record<string, string>>): Promise<WordPieces | null> {
  const [encoder, decoder] = await Promise.all([
    readOnnxMetadata(files.encoder ?? ""),
    readOnnxMetadata(files.decoder ?? ""),
  ]);
  if (!biasedTypes.includes(encoder.get("model_type") ?? "") || !decoder.has("context_size")) return null;
  const lines = (await readFile(files.tokens ?? "", "utf8")).trimEnd().split("\n");
  const pieces = lines.map((line) => line.trimEnd().replace(/ \d+$/, ""));
  return pieces.filter((piece) => piece.trim() !== "" && !/^(<.*>|#\d+)$/.test(piece));
}

/** The words as the model writes them, without those that it has no letters for. */
export function writableWords(words: readonly string[], pieces: WordPieces): string[] {
  const all = pieces.join("");
  const letters = new Set(all);
  const written = (word: string) => {
    const plain = word
      .normalize("NFC")
      .replace(/[^\p{L}\p{N}' ]+/gu, " ")
      .replace(/ +/g, " ")
      .trim();
    if (!/\p{Ll}/u.test(all)) return plain.toUpperCase();
    return /\p{Lu}/u.test(all) ? plain : plain.toLowerCase();
  };
  return words
    .map(written)
    .filter((word) => word !== "" && [...word.replaceAll(" ", "")].every((letter) => letters.has(letter)));
}

/**
 * A recogniser that expects these words. Loads the model again: sherpa-onnx for Node takes words for streaming models only
 * then, and only from files.
 * @throws Error where the native code refuses them
 */
export function biasedRecognizer(
  create: (config: Config) => Streaming,
  config: Config,
  words: readonly string[],
  pieces: WordPieces,
): Streaming {
  const folder = mkdtempSync(join(tmpdir(), "parley-hot-words-"));
  try {
    const [hotwordsFile, bpeVocab] = [join(folder, "words.txt"), join(folder, "bpe.vocab")];
    writeFileSync(hotwordsFile, `${words.join("\n")}\n`);
    // Pieces are joined by which is likelier: their order tells as much as their likelihood.
    writeFileSync(bpeVocab, pieces.map((piece, index) => `${piece}\t${-index}\n`).join(""));
    return create({
      ...config,
      modelConfig: { ...config.modelConfig, modelingUnit: "bpe", bpeVocab },
      decodingMethod: "modified_beam_search",
      maxActivePaths: activePaths,
      hotwordsFile,
      hotwordsScore: hotWordScore,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
