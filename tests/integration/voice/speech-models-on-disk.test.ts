import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { composeSpeechModels } from "../../../electron/compose/speech-models.ts";
import { modelsFolder } from "../../../electron/stt-server/models/cache-folder.ts";
import { betterRecogniser } from "../../../electron/voice/offers/recommended.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { testFolders } from "../../fixtures/folders.ts";

const folders = testFolders("speech-models");
const environment = () => ({ XDG_CACHE_HOME: folders.root });
const install = (id: string) => mkdir(join(modelsFolder(environment(), "linux"), id), { recursive: true });

let models: ReturnType<typeof composeSpeechModels>;
beforeEach(() => {
  models = composeSpeechModels(environment());
});

const offered = (language: string) =>
  betterRecogniser({ ...defaultSettings, "voice.language": language }, models)?.id;

// Bug: whoever had the small model of their language was never offered a better one, and whoever spoke another language than
// English never got the small one beside the better.
it("the small model of a language hears it, but a better one is offered until that is there", async () => {
  expect(models.isHeard("de")).toBe(false);
  expect(models.companion("de")?.id).toBe("vosk-small-de-0.15");
  const better = offered("de");
  expect(better).toBe(models.recommended.languages?.id);
  await install("vosk-small-de-0.15");
  expect(models.isHeard("de")).toBe(true);
  expect(models.companion("de")).toBeNull();
  expect(offered("de")).toBe(better);
  await install(better ?? "");
  expect(offered("de")).toBeUndefined();
  expect(offered("auto")).toBeUndefined();
});

it("English is heard by what comes along, which also hears words to stop where a language has no small model", () => {
  expect(models.isHeard("en")).toBe(true);
  expect(models.companion("en")).toBeNull();
  expect(models.companion("et")).toBeNull();
});
