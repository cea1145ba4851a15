import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright/test";
import { createFileServer, type FileServer, whole } from "../../fakes/net/file-server.ts";
import { loudnessCtcOnnx, loudnessTokens, padded } from "../../fixtures/onnx.ts";
import { hummingVoiceOnnx, voiceLexicon, voiceTokens } from "../../fixtures/onnx-speech.ts";
import type { LaunchOptions } from "./launch.ts";
import { test as sound } from "./machine/sound.ts";
import { expect } from "./test.ts";

// What is on the mirror are real models, small enough to make here: one that hears the word “loud” wherever somebody
// speaks, where the one that comes along hears what was said; and a voice that hums one note.

export const weights = padded(loudnessCtcOnnx(-9), 4_000_000);
export const tokens = Buffer.from(loudnessTokens);

/** A company's mirror of speech models with a catalogue of its own, which the environment names. */
export interface Mirror extends FileServer {
  /** How Parley is started to know of it. */
  options: LaunchOptions & { env: Record<string, string> };
  /** The catalogue file. */
  catalogue: string;
  /** The folder of what is downloaded. */
  models: string;
}

export const test = sound.extend<{ mirror: Mirror }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  mirror: async ({}, use) => {
    const server = await createFileServer();
    const cache = mkdtempSync(join(tmpdir(), "parley-mirror-"));
    const catalogue = join(cache, "models.json");
    writeFileSync(catalogue, JSON.stringify(modelsOn(server)));
    await use({
      ...server,
      catalogue,
      models: join(cache, "parley", "speech-models"),
      options: {
        env: { XDG_CACHE_HOME: cache, PARLEY_SPEECH_CATALOGUE: catalogue },
        settings: { "voice.speak": "never" },
      },
    });
    await server.close();
  },
});

const recommended: ReadonlyMap<string, string> = new Map([
  ["loud", "english"],
  ["hum", "voice"],
]);

/** Puts them on the server. @returns what the catalogue says of them */
function modelsOn(server: FileServer) {
  const put = (path: string, bytes: Buffer) => {
    server.answers.set(path, [whole(bytes)]);
    return fileOf(path, bytes);
  };
  const fileOf = (path: string, bytes: Buffer) => ({
    ...{ name: path.replace(/^.*\//, ""), url: server.urlOf(path), bytes: bytes.length },
    sha256: createHash("sha256").update(bytes).digest("hex"),
  });
  const modelOf = (id: string, name: string, kind: string, ...files: ReturnType<typeof fileOf>[]) => ({
    ...{ id, name, kind, files, languages: ["en", "de"], licence: "CC-BY-4.0", page: "https://mirror.test/" },
    ...(recommended.has(id) && { recommended: recommended.get(id) }),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  });
  const hears = [put("/loud/model.onnx", weights), put("/loud/tokens.txt", tokens)];
  const speaks = [
    put("/hum/model.onnx", hummingVoiceOnnx()),
    put("/hum/tokens.txt", Buffer.from(voiceTokens)),
    put("/hum/lexicon.txt", Buffer.from(voiceLexicon)),
  ];
  return [
    modelOf("loud", "Loudness", "nemo-ctc", ...hears),
    modelOf("hum", "Hum", "vits-voice", ...speaks),
    modelOf("moved", "Moved", "nemo-ctc", fileOf("/gone/model.onnx", weights)),
    modelOf("vast", "Vast", "nemo-ctc", { ...fileOf("/loud/model.onnx", weights), bytes: 8e15 }),
  ];
}

export const panel = (page: Page) => page.getByTestId("voice-panel");
export const row = (page: Page, name: string) => page.getByTestId("model-row").filter({ hasText: name });
export const button = (page: Page, name: string) => panel(page).getByRole("button", { name, exact: true });
export const inState = (page: Page, name: string, state: string) =>
  expect(row(page, name)).toHaveAttribute("data-state", state, { timeout: 60_000 });

export async function openModels(page: Page): Promise<void> {
  await page.keyboard.press("ControlOrMeta+Shift+KeyL");
  await panel(page).getByText("Speech models").click();
}
