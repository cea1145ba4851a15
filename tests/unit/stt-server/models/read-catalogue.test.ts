import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../electron/stt-server/clock.ts";
import { catalogue } from "../../../../electron/stt-server/models/catalogue.ts";
import { locateModel } from "../../../../electron/stt-server/models/model-location.ts";
import { ModelManager } from "../../../../electron/stt-server/models/model-manager.ts";
import {
  catalogueVariable,
  offeredModels,
  readCatalogue,
} from "../../../../electron/stt-server/models/read-catalogue.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-catalogue-"));
function read(content: unknown) {
  const path = join(folder, "models.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return readCatalogue({ [catalogueVariable]: path });
}

const file = { name: "a.onnx", url: "https://mirror.test/a.onnx", bytes: 9, sha256: "0".repeat(64) };
const model = {
  ...{ id: "ours", name: "Ours", kind: "whisper", languages: ["eo"], licence: "MIT" },
  ...{ page: "https://mirror.test/", bytes: 9, files: [file] },
};
const withFile = (change: object) => [{ ...model, files: [{ ...file, ...change }] }];

describe("the catalogue of speech models", () => {
  it("is the one that comes along, unless the environment names a file in its place", () => {
    expect(readCatalogue({})).toEqual({ models: catalogue, problem: null });
    expect(readCatalogue({ [catalogueVariable]: " " }).models).toBe(catalogue);
    expect(read([model])).toEqual({ models: [model], problem: null });
    const onlyHere = withFile({ url: "http://127.0.0.1:8080/a.onnx" });
    expect(read(onlyHere).models).toEqual(onlyHere);
  });

  it("shows nobody a model that cannot be told from anything else; of a list of the user's own it shows all", () => {
    const { models } = offeredModels({});
    const hidden = catalogue.filter(({ id }) => !models.some((shown) => shown.id === id));
    expect(hidden.map(({ id }) => id)).toContain("voice-ljs-en");
    expect(hidden.every(({ files }) => files.some(({ sha256 }) => sha256 === null))).toBe(true);
    expect(models.every(({ files }) => files.every(({ sha256 }) => sha256 !== null))).toBe(true);
    const path = join(folder, "own.json");
    writeFileSync(path, JSON.stringify(withFile({ sha256: null })));
    expect(offeredModels({ [catalogueVariable]: path }).models).toHaveLength(1);
  });

  it("recommends one model for English, one for many languages, and one voice, each of known files", () => {
    const recommended = offeredModels({}).models.flatMap((one) => (one.recommended ? [one] : []));
    const purposes = Object.fromEntries(recommended.map((one) => [one.recommended, one]));
    expect(recommended).toHaveLength(3);
    expect(purposes.english?.languages).toEqual(["en"]);
    expect(purposes.languages?.detectsLanguage).toBe(true);
    expect(purposes.voice?.kind).toBe("supertonic-voice");
    for (const { bytes, files } of recommended) {
      expect(files.reduce((sum, file) => sum + (file.bytes ?? 0), 0)).toBe(bytes);
    }
  });

  it.each<[what: string, content: unknown, words: RegExp]>([
    ["is no JSON", "[{", /models\.json cannot be used: .*JSON/],
    ["is no list", { models: [] }, /expected array/],
    ["names a checksum that is none", withFile({ sha256: "abc" }), /0\.files\.0\.sha256: 64 hexadecimal/],
    [
      "names none for what anybody on the way could change",
      withFile({ sha256: null, url: "http://mirror.test/a.onnx" }),
      /0\.files\.0\.sha256: needed where the address does not begin with https/,
    ],
    [
      "leads to a file of this computer",
      withFile({ url: "file:///etc/passwd" }),
      /files\.0\.url: an address/,
    ],
    ["names a file above its folder", withFile({ name: ".." }), /files\.0\.name: only letters/],
    ["names a model above the others' folder", [{ ...model, id: ".." }], /0\.id: only a–z/],
    ["names a model as a download", [{ ...model, id: "x.download" }], /0\.id: it must not end/],
    ["names two models alike", [model, model], /each id only once/],
  ])(
    "that %s is refused, with its place and what to do; nothing else is offered",
    (_what, content, words) => {
      const { models, problem } = read(content);
      expect(models).toEqual([]);
      expect(problem?.message).toMatch(words);
      expect(problem?.message).toMatch(/Correct it, or take PARLEY_SPEECH_CATALOGUE out of the environment/);
    },
  );

  it("is a whole path to a file that is there", () => {
    const reading = (path: string) => readCatalogue({ [catalogueVariable]: path }).problem?.message;
    expect(reading("models.json")).toContain("the whole path is needed");
    expect(reading(join(folder, "none.json"))).toContain("it is not there");
  });

  it("that is wrong costs what would come from it, not the model that is there without it", async () => {
    const { models, problem } = read("");
    const options = { catalogue: models, problem, fetch, clock: systemClock };
    const manager = new ModelManager({ folder, ...options });
    const locate = (request: { language: string; model?: string }) =>
      locateModel(request, {}, folder, manager);
    await expect(locate({ language: "de" })).rejects.toBe(problem);
    await expect(locate({ language: "en", model: "vosk-small-en-us-0.15" })).rejects.toBe(problem);
    await expect(manager.download("ours")).rejects.toBe(problem);
    expect(await locate({ language: "en" })).toMatchObject({ name: "vosk-en-us-small" });
    await expect(locate({ language: "en", model: folder })).rejects.toThrow(
      /not the folder of a speech model/,
    );
  });
});
