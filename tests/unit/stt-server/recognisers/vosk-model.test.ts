import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { locateModel } from "../../../../electron/stt-server/models/model-location.ts";
import { tune, tunedModelFolder } from "../../../../electron/stt-server/recognisers/vosk-model.ts";

let folder: string;
let source: string;
let cache: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-model-"));
  source = join(folder, "source");
  cache = join(folder, "cache");
  for (const part of ["am", "conf", "graph"]) await mkdir(join(source, part), { recursive: true });
  await writeFile(join(source, "am", "final.mdl"), "acoustic");
  await writeFile(join(source, "graph", "words.txt"), "words");
  await writeFile(join(source, "README"), "read me");
  await writeFile(join(source, "conf", "mfcc.conf"), "--sample-frequency=16000\n");
  await writeFile(join(source, "conf", "model.conf"), "--beam=10.0\n--min-active=200\n");
});
afterEach(() => rm(folder, { recursive: true }));

describe("tuned model", () => {
  it("keeps the maker's settings but for ours", () => {
    const lines = tune("--beam=10.0\n--min-active=200\n--endpoint.rule2.min-trailing-silence=0.5\r\n")
      .trim()
      .split("\n");
    expect(lines).toContain("--min-active=200");
    expect(lines).toContain("--beam=12.0");
    expect(lines).toContain("--endpoint.rule2.min-trailing-silence=10");
    expect(lines.filter((line) => line.startsWith("--beam="))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("rule2"))).toHaveLength(1);
  });

  it("is the model with other settings, and leaves the original as it was", async () => {
    const tuned = await tunedModelFolder(source, cache);
    expect(await readFile(join(tuned, "am", "final.mdl"), "utf8")).toBe("acoustic");
    expect(await readFile(join(tuned, "README"), "utf8")).toBe("read me");
    expect(await readFile(join(tuned, "conf", "mfcc.conf"), "utf8")).toContain("16000");
    expect(await readFile(join(tuned, "conf", "model.conf"), "utf8")).toContain("--beam=12.0");
    expect(await readFile(join(source, "conf", "model.conf"), "utf8")).toBe(
      "--beam=10.0\n--min-active=200\n",
    );
  });

  it("is made once, whole, when many ask at the same time, and no draft is left", async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => tunedModelFolder(source, cache)));
    expect(new Set(made).size).toBe(1);
    expect(await readdir(join(cache, "models"))).toHaveLength(1);
    const [first = ""] = made;
    const { mtimeMs } = await stat(first);
    expect(await tunedModelFolder(source, cache)).toBe(first);
    expect((await stat(first)).mtimeMs).toBe(mtimeMs);
  });

  it("is made anew where the copy is broken", async () => {
    const tuned = await tunedModelFolder(source, cache);
    await rm(join(tuned, "am"));
    expect(await tunedModelFolder(source, cache)).toBe(tuned);
    expect(await readFile(join(tuned, "am", "final.mdl"), "utf8")).toBe("acoustic");
  });

  it("says which folder cannot be written", async () => {
    await writeFile(cache, "a file in the way");
    await expect(tunedModelFolder(source, cache)).rejects.toMatchObject({
      kind: "cache_not_writable",
      message: expect.stringContaining(cache),
    });
  });
});

describe("model location", () => {
  it("takes the given folder, else that of the environment, else the bundled one", async () => {
    const environment = { PARLEY_STT_MODEL: source };
    expect((await locateModel({ language: "en", model: source }, {}, cache)).folder).toBe(source);
    expect((await locateModel({ language: "de" }, environment, cache)).folder).toBe(source);
    expect((await locateModel({ language: "en-GB" }, {}, cache)).name).toBe("vosk-en-us-small");
  });

  it("finds a model that was unpacked into the cache for its language", async () => {
    await mkdir(cache);
    await cp(source, join(cache, "model-de"), { recursive: true });
    expect((await locateModel({ language: "de-DE" }, {}, cache)).folder).toBe(join(cache, "model-de"));
  });

  it("refuses what it does not have, and says how to get it", async () => {
    const ask = (request: { language: string; model?: string }, environment = {}) =>
      locateModel(request, environment, cache).catch((error: unknown) => String(error));
    expect(await ask({ language: "fr" })).toMatch(/“fr”.*alphacephei\.com.*model-fr.*PARLEY_STT_MODEL/);
    expect(await ask({ language: "en", model: "whisper" })).toMatch(/no speech model “whisper”.*folder/);
    expect(await ask({ language: "en", model: "/nowhere/model" })).toMatch(
      /\/nowhere\/model is not the folder/,
    );
    expect(await ask({ language: "en" }, { PARLEY_STT_MODEL: folder })).toMatch(
      /PARLEY_STT_MODEL=.*is not the folder/,
    );
  });
});
