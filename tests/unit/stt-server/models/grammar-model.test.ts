import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../../../electron/stt-server/clock.ts";
import type { CatalogueModel } from "../../../../electron/stt-server/models/catalogue.ts";
import { locateGrammarModel, locateModel } from "../../../../electron/stt-server/models/model-location.ts";
import { ModelManager } from "../../../../electron/stt-server/models/model-manager.ts";
import { testFolders } from "../../../fixtures/folders.ts";

const folders = testFolders("grammar");

const entry = (id: string, kind: CatalogueModel["kind"], ...languages: string[]): CatalogueModel => ({
  ...{ id, name: id, kind, languages, licence: "MIT", page: "https://mirror.test/", bytes: 9 },
  files: [{ name: "a.zip", url: "https://mirror.test/a.zip", bytes: 9, sha256: "0".repeat(64) }],
});
const catalogue = [
  entry("whole", "moonshine", "en", "de"),
  entry("vosk-en", "vosk", "en"),
  entry("vosk-de", "vosk", "de"),
];

function voskFolder(folder: string): string {
  mkdirSync(join(folder, "conf"), { recursive: true });
  mkdirSync(join(folder, "am"));
  writeFileSync(join(folder, "conf", "model.conf"), "");
  writeFileSync(join(folder, "am", "final.mdl"), "");
  return folder;
}

/** Where these are downloaded, and nothing or something comes along. */
async function setUp(name: string, downloaded: readonly string[], bundled: string | null = null) {
  const folder = await folders.make(name, {});
  for (const id of downloaded) voskFolder(join(folder, id));
  const manager = new ModelManager({ folder, catalogue, fetch, clock: systemClock });
  const cache = join(folder, "cache");
  return {
    grammar: async (language: string) =>
      (await locateGrammarModel(language, {}, cache, manager, bundled))?.name ?? null,
    heard: async (language: string) => (await locateModel({ language }, {}, cache, manager, bundled)).name,
  };
}

test("words to stop are heard by a Vosk model of the language, wherever it is; others are no use", async () => {
  const bare = await setUp("bare", ["whole"]);
  expect(await bare.grammar("en")).toBeNull();
  const both = await setUp("both", ["whole", "vosk-en", "vosk-de"]);
  expect(await both.grammar("en")).toBe("vosk-en");
  expect(await both.grammar("de")).toBe("vosk-de");
  expect(await both.grammar("fr")).toBeNull();
  const along = await setUp(
    "along",
    ["vosk-de"],
    voskFolder(join(await folders.make("bundled", {}), "model")),
  );
  expect(await along.grammar("en")).toBe("vosk-en-us-small");
  expect(await along.grammar("de")).toBe("vosk-de");
});

test("where no recogniser comes along, a downloaded one hears English without being chosen", async () => {
  const { heard } = await setUp("downloaded", ["vosk-en"]);
  expect(await heard("en-GB")).toBe("vosk-en");
  const none = await setUp("none", []);
  await expect(none.heard("en")).rejects.toThrow("No speech model is installed.");
});
