import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../electron/stt-server/clock.ts";
import type { CatalogueModel } from "../../../electron/stt-server/models/catalogue.ts";
import { catalogue, isRecogniser } from "../../../electron/stt-server/models/catalogue.ts";
import { detectModel } from "../../../electron/stt-server/models/detect.ts";
import { ModelManager } from "../../../electron/stt-server/models/model-manager.ts";
import { ModelStore } from "../../../electron/stt-server/models/model-store.ts";
import { openVoice } from "../../../electron/voice/tts/open-voice.ts";
import { SpeechGenerator } from "../../../electron/voice/tts/speech-generator.ts";
import type { SpeechSamples } from "../../../shared/voice/speech.ts";
import { testFolders } from "../../fixtures/folders.ts";
import {
  hummingVoiceOnnx,
  letterSamples,
  plainSentenceOnnx,
  punctuationVocabulary,
  voiceLexicon,
  voiceTokens,
} from "../../fixtures/onnx-speech.ts";
import { finalsOf } from "../stt/stt-client.ts";
import { clipPcm, hearAll, silence } from "../stt/stt-in-process.ts";

const folders = testFolders("speech-models");

const voiceFiles = {
  "voice.onnx": hummingVoiceOnnx(),
  "lexicon.txt": voiceLexicon,
  "tokens.txt": voiceTokens,
};
const punctuationFiles = { "model.int8.onnx": plainSentenceOnnx(), "bpe.vocab": punctuationVocabulary };

const loudness = (pcm: Int16Array) => Math.sqrt(pcm.reduce((sum, one) => sum + one ** 2, 0) / pcm.length);

describe("a voice that was downloaded", () => {
  it("speaks through the native code, by its name in the catalogue or its folder, at the pace asked for", async () => {
    const folder = await folders.make("voice-hum", voiceFiles);
    expect((await detectModel(folder)).kind).toBe("vits-voice");
    for (const name of ["model:voice-hum", `folder:${folder}`]) {
      const voice = await openVoice(name, folders.root, "en");
      const short = await voice.synthesise("bad", 1);
      const long = await voice.synthesise("hello there", 1);
      expect(short.sampleRateHz).toBe(16_000);
      expect(long.pcm.length - short.pcm.length).toBeGreaterThanOrEqual(5 * letterSamples);
      const slow = await voice.synthesise("bad", 0.5);
      expect(loudness(slow.pcm)).toBeGreaterThan(1.5 * loudness(short.pcm));
    }
  });

  it("that is not there is replaced by the embedded one, which says so once", async () => {
    const sent: SpeechSamples[] = [];
    const told: string[] = [];
    let wake = () => {};
    const maker = new SpeechGenerator({
      open: (voice, language) => openVoice(voice, folders.root, language),
      fallback: "slt",
      send: (samples) => {
        sent.push(samples);
        wake();
      },
      fail: (_order, error) => {
        throw error;
      },
      onFallback: (_order, error) => told.push(String(error)),
    });
    for (const id of [1, 2])
      maker.make({
        ...{ type: "make", turn: 1, id, text: "Hello.", rate: 1, voice: "model:none" },
        ...{ speaker: 0, language: "en" },
      });
    while (sent.length < 2)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    expect(sent.every(({ pcm }) => loudness(pcm) > 100)).toBe(true);
    expect(told).toEqual([expect.stringContaining("holds no voice: it needs an .onnx file")]);
  });
});

const managerOf = (models: CatalogueModel[]) =>
  new ModelManager({ folder: folders.root, catalogue: models, fetch, clock: systemClock });
const entry = (id: string, kind: CatalogueModel["kind"]): CatalogueModel => ({
  id,
  kind,
  name: id,
  languages: ["en"],
  licence: "MIT",
  page: "https://example.com/",
  bytes: null,
  files: [{ name: "model.onnx", url: "https://example.com/model.onnx", bytes: null, sha256: null }],
});

describe("a punctuation model that was downloaded", () => {
  it("writes finished utterances, not partials nor words; without it they are as they were", async () => {
    await folders.make("punctuation-en", punctuationFiles);
    const pcm = await clipPcm("0880");
    const say = async (models: CatalogueModel[], request: object) => {
      const model = await new ModelStore({}, folders.root, managerOf(models)).get({ language: "en-US" });
      return await hearAll(model, { ...request }, () => [silence(500), pcm, silence(1500)]);
    };
    const plain = finalsOf(await say([], {}))[0]?.text ?? "";
    const events = await say([entry("punctuation-en", "punctuation")], {});
    const [final] = finalsOf(events);
    expect(final?.text).toBe(`${plain[0]?.toUpperCase()}${plain.slice(1)}.`);
    expect(final?.words?.map(({ word }) => word).join(" ")).toBe(plain);
    const partials = events.flatMap((event) => (event.type === "utterance_partial" ? [event.text] : []));
    expect(partials.every((text) => /^[a-z' ]+$/.test(text))).toBe(true);
  });

  it("that is damaged costs the punctuation alone", async () => {
    await folders.make("punctuation-bad", {
      "model.onnx": "<!doctype html>",
      "bpe.vocab": punctuationVocabulary,
    });
    const manager = managerOf([entry("punctuation-bad", "punctuation")]);
    const model = await new ModelStore({}, folders.root, manager).get({ language: "en" });
    expect(model.punctuate).toBeUndefined();
  });
});

it("voices and punctuation are no recognisers: no language is served by one, and none can be chosen as model", async () => {
  await folders.make("voice-hum", voiceFiles);
  const models = [{ ...entry("voice-hum", "vits-voice" as const), languages: ["xx"] }];
  const store = new ModelStore({}, folders.root, managerOf(models));
  await expect(store.get({ language: "xx" })).rejects.toThrow(
    /no speech model for the language “xx”: (?!.*voice-hum)/,
  );
  await expect(store.get({ language: "xx", model: "voice-hum" })).rejects.toThrow(
    /no speech model “voice-hum”/,
  );
  await expect(store.get({ language: "en", model: join(folders.root, "voice-hum") })).rejects.toThrow(
    /no model that recognises speech/,
  );
  expect(catalogue.filter(({ kind }) => !isRecogniser(kind))).toHaveLength(3);
});

it("another language without a model is refused with the models to download for it; English comes along", async () => {
  const manager = new ModelManager({
    folder: join(folders.root, "none"),
    catalogue,
    fetch,
    clock: systemClock,
  });
  const store = new ModelStore({}, join(folders.root, "empty-cache"), manager);
  await expect(store.get({ language: "de-AT" })).rejects.toThrow(
    /no speech model for the language “de-AT”: only US English comes along\. Download one in the voice panel, or with stt_download_model: .*vosk-small-de-0\.15 \(\d+ MB\)/,
  );
  expect((await store.get({ language: "en-GB" })).name).toBe("vosk-en-us-small");
});
