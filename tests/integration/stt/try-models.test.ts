import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CatalogueModel } from "../../../electron/stt-server/models/catalogue.ts";
import { isChecked, triedLines, withTried } from "../../../electron/stt-server/models/tried-models.ts";
import { createFileServer, type FileServer, whole } from "../../fakes/net/file-server.ts";
import { testFolders } from "../../fixtures/folders.ts";
import { emptyOnnx, loudnessCtcOnnx, loudnessTokens } from "../../fixtures/onnx.ts";
import { plainSentenceOnnx, punctuationVocabulary } from "../../fixtures/onnx-speech.ts";
import { supertonicVoice } from "../../fixtures/onnx-voices.ts";

const folders = testFolders("try-models");
const root = resolve(import.meta.dirname, "../../..");
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

let server: FileServer;
let catalogue: string;
let results: string;
let models: CatalogueModel[];
beforeAll(async () => {
  server = await createFileServer();
  const folder = await folders.make("catalogue", {});
  catalogue = join(folder, "models.json");
  results = join(folder, "tried.json");
  models = [
    modelOf("hears", "nemo-ctc", { "model.onnx": loudnessCtcOnnx(-9), "tokens.txt": loudnessTokens }),
    modelOf("deaf", "nemo-ctc", { "model.onnx": loudnessCtcOnnx(1000), "tokens.txt": loudnessTokens }),
    modelOf("speaks", "supertonic-voice", supertonicVoice([0.3])),
    modelOf("silent", "supertonic-voice", supertonicVoice([0])),
    modelOf("writes", "punctuation", {
      "model.onnx": plainSentenceOnnx(),
      "bpe.vocab": punctuationVocabulary,
    }),
    modelOf("forged", "nemo-ctc", { "model.onnx": loudnessCtcOnnx(-9), "tokens.txt": loudnessTokens }),
    modelOf("moved", "nemo-ctc", { "model.onnx": loudnessCtcOnnx(-9), "tokens.txt": loudnessTokens }),
    modelOf("other", "nemo-ctc", {
      "model.onnx": emptyOnnx({ vocab_size: "2" }),
      "tokens.txt": loudnessTokens,
    }),
    // Its metadata are as they should be; the graph is not.
    modelOf("deadly", "nemo-ctc", {
      "model.onnx": emptyOnnx({ vocab_size: "2", subsampling_factor: "1", normalize_type: "" }),
      "tokens.txt": loudnessTokens,
    }),
    modelOf("unpublished", "nemo-ctc", { "model.onnx": loudnessCtcOnnx(-9), "tokens.txt": loudnessTokens }),
  ];
  server.answers.set("/forged/model.onnx", [whole(Buffer.from("something else"))]);
  server.answers.delete("/moved/model.onnx");
  await writeFile(catalogue, JSON.stringify(models));
});
afterAll(() => server.close());

function modelOf(
  id: string,
  kind: CatalogueModel["kind"],
  files: Record<string, string | Buffer>,
): CatalogueModel {
  const entries = Object.entries(files).map(([name, content]) => {
    const bytes = Buffer.from(content);
    server.answers.set(`/${id}/${name}`, [whole(bytes)]);
    return { name, url: server.urlOf(`/${id}/${name}`), bytes: bytes.length, sha256: sha256(bytes) };
  });
  const head = { id, kind, name: id, languages: ["en"], licence: "MIT", page: "https://mirror.test/" };
  return { ...head, bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0), files: entries };
}

function tryModels(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const program = ["--import", "tsx", "scripts/try-models/main.ts", ...args];
  const env = { ...process.env, PARLEY_SPEECH_CATALOGUE: catalogue, XDG_CACHE_HOME: folders.root };
  return new Promise((done) => {
    execFile(process.execPath, program, { cwd: root, env }, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

const linesOf = async () => triedLines.parse(JSON.parse(await readFile(results, "utf8")));

it("writes a line for each model: what was downloaded, how well and fast it works, or why it cannot be used", async () => {
  const { code, stdout } = await tryModels("--speech", "--results", results);
  expect(code).toBe(1);
  const lines = await linesOf();
  expect(lines.map(({ id }) => id)).toEqual(models.map(({ id }) => id));
  const problems = Object.fromEntries(lines.map(({ id, problem }) => [id, problem]));
  expect(problems).toEqual({
    ...{ hears: null, speaks: null, writes: null, unpublished: null },
    deaf: "it hears nothing of what is said",
    silent: "it makes no sound",
    forged: expect.stringMatching(/model\.onnx arrived damaged \(its checksum is wrong\)/),
    moved: expect.stringMatching(/answers 404: the model has moved/),
    other: expect.stringMatching(/of a kind that is not supported/),
    deadly: expect.stringMatching(/crashed twice|cannot be loaded/),
  });
  const [hears] = lines;
  expect(hears).toMatchObject({
    sha256: "ok",
    bytes: models[0]?.bytes,
    date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  expect(hears?.word_error_rate).toBeGreaterThan(0.5);
  expect(hears?.real_time_factor).toBeGreaterThan(0);
  expect(Object.fromEntries(lines.map((line) => [line.id, line.sha256]))).toMatchObject({
    ...{ forged: "wrong", moved: "unknown", other: "ok", deadly: "ok" },
  });
  expect(stdout).toContain("10 of 10 tried, 6 cannot be used.");
  expect(stdout).toMatch(/^deaf: cannot be used: it hears nothing/m);
});

it("a model is shown with its line only where that is about these very files", async () => {
  const [hears, , , , , , , , , unpublished] = models;
  const lines = await linesOf();
  if (!hears || !unpublished) throw new Error("There is no such model.");
  expect(withTried(hears, lines).tried?.id).toBe("hears");
  const [file] = hears.files;
  const changed = { ...hears, files: file ? [{ ...file, sha256: "0".repeat(64) }] : [] };
  expect(withTried(changed, lines).tried).toBeNull();
  // What nobody publishes is known from then on; before, nobody was shown the model.
  const unknown = {
    ...unpublished,
    files: unpublished.files.map((one) => ({ ...one, sha256: null, bytes: null })),
  };
  expect(isChecked(unknown)).toBe(false);
  const known = withTried(unknown, lines);
  expect(isChecked(known)).toBe(true);
  expect(known.files).toEqual(unpublished.files);
});

it("one model can be tried again; a server that is not there says nothing of it, and its line stays", async () => {
  const before = await linesOf();
  server.answers.set("/moved/model.onnx", [whole(loudnessCtcOnnx(-9))]);
  const { code, stdout } = await tryModels("--speech", "--results", results, "moved");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^moved: 1 MB, \d+ % of words wrong, [\d.]+ of real time$/m);
  const after = await linesOf();
  expect(after.find(({ id }) => id === "moved")?.problem).toBeNull();
  expect(after.filter(({ id }) => id !== "moved")).toEqual(before.filter(({ id }) => id !== "moved"));
  server.answers.set("/hears/model.onnx", [(request) => request.socket.destroy()]);
  const away = await tryModels("--speech", "--results", results, "hears");
  expect(away.code).toBe(2);
  expect(away.stdout).toContain("hears: not tried: model.onnx could not be downloaded from 127.0.0.1");
  expect(await linesOf()).toEqual(after);
});

it.each([[[]], [["--speech", "nobody"]]])("asked for %j it says how it is used", async (args) => {
  const { code, stderr } = await tryModels(...args);
  expect(code).toBe(2);
  expect(stderr).toMatch(/Usage: npm run try-models -- --speech .* The models are hears, deaf/);
});
