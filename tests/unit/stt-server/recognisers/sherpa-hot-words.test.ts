import { join } from "node:path";
import { expect, test } from "vitest";
import { wordPiecesOf, writableWords } from "../../../../electron/stt-server/recognisers/sherpa-hot-words.ts";
import { testFolders } from "../../../fixtures/folders.ts";
import { emptyOnnx } from "../../../fixtures/onnx.ts";

const folders = testFolders("hot-words");

async function pieces(encoder: Record<string, string>, decoder: Record<string, string>) {
  const folder = await folders.make(
    `model-${JSON.stringify(encoder).length}-${JSON.stringify(decoder).length}`,
    {
      "encoder.onnx": emptyOnnx(encoder),
      "decoder.onnx": emptyOnnx(decoder),
      "tokens.txt": "<blk> 0\n<sos/eos> 1\n<unk> 2\n▁THE 3\nA 4\n' 5\n#0 6\n",
    },
  );
  const path = (name: string) => join(folder, name);
  return wordPiecesOf({
    ...{ encoder: path("encoder.onnx"), decoder: path("decoder.onnx"), tokens: path("tokens.txt") },
  });
}

test("a model that can be biased has its pieces in their order, without its signs", async () => {
  expect(await pieces({ model_type: "zipformer2" }, { context_size: "2" })).toEqual(["▁THE", "A", "'"]);
});

test("NeMo's models have none: the native code ends the process where they are given words", async () => {
  expect(await pieces({ chunk_shift: "8" }, {})).toBeNull();
  expect(await pieces({ model_type: "zipformer2" }, {})).toBeNull();
});

test("words are written as the model writes, and those that it cannot write are left out", () => {
  const words = ["Tavora", "Zoltan  Farkas", "C3PO", "://#@", "Žofie"];
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ'"];
  expect(writableWords(words, ["▁THE", ...letters])).toEqual(["TAVORA", "ZOLTAN FARKAS"]);
  const small = letters.map((letter) => letter.toLowerCase());
  expect(writableWords(words, small)).toEqual(["tavora", "zoltan farkas"]);
  expect(writableWords(words, [...letters, ...small])).toEqual(["Tavora", "Zoltan Farkas"]);
  expect(writableWords(words, [])).toEqual([]);
});
