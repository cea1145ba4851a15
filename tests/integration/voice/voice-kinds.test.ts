import { describe, expect, it } from "vitest";
import { detectModel } from "../../../electron/stt-server/models/detect.ts";
import { openSherpaVoice, voiceConfig } from "../../../electron/voice/tts/sherpa-voice.ts";
import { readVoiceFiles } from "../../../electron/voice/tts/voice-files.ts";
import { testFolders } from "../../fixtures/folders.ts";
import { emptyOnnx } from "../../fixtures/onnx.ts";
import { hummingVoiceOnnx, voiceLexicon, voiceTokens } from "../../fixtures/onnx-speech.ts";
import { matchaVoice, styledVoice, supertonicVoice } from "../../fixtures/onnx-voices.ts";

const folders = testFolders("voice-kinds");
const loudness = (pcm: Int16Array) => Math.sqrt(pcm.reduce((sum, one) => sum + one ** 2, 0) / pcm.length);

describe("a Supertonic voice", () => {
  it("speaks through the native code, each speaker in their own way, at the pace asked for", async () => {
    const folder = await folders.make("supertonic", supertonicVoice([0.1, 0.4]));
    expect((await detectModel(folder)).kind).toBe("supertonic-voice");
    const voice = await openSherpaVoice(folder, "de-DE");
    const first = await voice.synthesise("guten Tag", 1, 0);
    const second = await voice.synthesise("guten Tag", 1, 1);
    const fast = await voice.synthesise("guten Tag", 2, 1);
    expect(first.sampleRateHz).toBe(16_000);
    expect(loudness(second.pcm) / loudness(first.pcm)).toBeCloseTo(4, 1);
    expect(second.pcm.length / fast.pcm.length).toBeCloseTo(2, 1);
    // A speaker that there is not is the first one.
    const unknown = await voice.synthesise("guten Tag", 1, 7);
    expect(loudness(unknown.pcm)).toBeCloseTo(loudness(first.pcm), -1);
  });

  it.each([
    ["tts.json", "{}", /tts\.json does not hold the settings/],
    ["voice.bin", Buffer.alloc(60), /voice\.bin is damaged/],
    ["unicode_indexer.bin", "abc", /unicode_indexer\.bin is damaged/],
    ["vocoder.onnx", "<!doctype html>", /vocoder\.onnx is damaged: it is not an ONNX model/],
  ])("of which %s is damaged is refused before the native code sees it", async (name, content, words) => {
    const folder = await folders.make(`bad-${name}`, { ...supertonicVoice([0.1]), [name]: content });
    await expect(openSherpaVoice(folder, "en")).rejects.toThrow(words);
  });
});

describe("what kind of voice a folder holds", () => {
  const read = async (name: string, files: Record<string, string | Buffer>, language = "en") => {
    const files_ = await readVoiceFiles(await folders.make(name, files));
    return { files: files_, model: voiceConfig(files_, language).model };
  };
  const lists = { "lexicon-us-en.txt": "a a\n", "lexicon-gb-en.txt": "a a\n", "lexicon-zh.txt": "a a\n" };

  it("is told by the metadata: a folder in Kitten's layout is no Kokoro voice", async () => {
    const kitten = await read("kitten", styledVoice("kitten-tts"));
    expect(Object.keys(kitten.model)).toContain("kitten");
    expect(kitten.model.kokoro).toBeUndefined();
    const kokoro = await read("kokoro", styledVoice("kokoro"));
    expect(kokoro.model.kokoro).toMatchObject({ lexicon: "", lang: "" });
    expect(kokoro.files).toMatchObject({ speakers: ["af_alloy", "am_adam", "bf_emma"] });
    const vits = { "v.onnx": hummingVoiceOnnx(), "lexicon.txt": voiceLexicon, "tokens.txt": voiceTokens };
    expect((await read("vits", vits)).files).toMatchObject({ kind: "vits", speakers: ["1"] });
    const matcha = await read("matcha", matchaVoice);
    expect(matcha.model.matcha).toMatchObject({
      acousticModel: expect.stringContaining("model-steps-3.onnx"),
      vocoder: expect.stringContaining("vocos-22khz-univ.onnx"),
    });
  });

  it("Kokoro from 1.0 on gets the lists of words of its language, or espeak's name for it", async () => {
    const files = { ...styledVoice("kokoro", { version: "2" }), ...lists };
    const chosen = async (language: string) => {
      const { lexicon = "", lang } = (await read("kokoro-2", files, language)).model.kokoro ?? {};
      return { lists: lexicon.split(",").map((path) => path.replace(/^.*lexicon-/, "")), lang };
    };
    const american = ["us-en.txt", "zh.txt"];
    expect(await chosen("en")).toEqual({ lists: american, lang: "" });
    expect(await chosen("auto")).toEqual({ lists: american, lang: "" });
    expect(await chosen("en-GB")).toEqual({ lists: ["gb-en.txt", "zh.txt"], lang: "" });
    expect(await chosen("pt")).toEqual({ lists: american, lang: "pt-br" });
    expect(await chosen("fr-CA")).toEqual({ lists: american, lang: "fr" });
    const plain = await read("kokoro-3", styledVoice("kokoro", { version: "2" }));
    expect(plain.model.kokoro).toMatchObject({ lexicon: "", lang: "en-us" });
  });

  it.each<[string, Record<string, string | Buffer>, RegExp]>([
    ["of another kind", { ...styledVoice("kokoro", { model_type: "zipvoice" }) }, /no model_type of vits/],
    [
      "without a table of styles",
      { ...styledVoice("kitten-tts"), "voices.bin": "" },
      /0 bytes instead of 96/,
    ],
    [
      "without espeak's data",
      { ...styledVoice("kitten-tts"), "espeak-ng-data/phontab": "", "lexicon.txt": "a a\n" },
      /./,
    ],
    [
      "with metadata that say too little",
      { ...styledVoice("kokoro"), "model.onnx": emptyOnnx({ model_type: "kokoro" }) },
      /lack sample_rate, n_speakers/,
    ],
    ["without a vocoder", { ...matchaVoice, "vocos-22khz-univ.onnx": emptyOnnx({}) }, /lacks its vocoder/],
    [
      "that is cut off",
      { ...matchaVoice, "model-steps-3.onnx": hummingVoiceOnnx().subarray(0, 900) },
      /model-steps-3\.onnx of the voice in .* is damaged: it is cut off/,
    ],
  ])("%s is refused in words", async (name, files, words) => {
    if (name === "without espeak's data") delete files["espeak-ng-data/phontab"];
    const folder = await folders.make(name.replaceAll(/\W/g, "-"), files);
    await expect(readVoiceFiles(folder)).rejects.toThrow(words);
  });
});
