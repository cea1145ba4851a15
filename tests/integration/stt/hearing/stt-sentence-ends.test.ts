import { copyFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cacheFolder } from "../../../../electron/stt-server/models/cache-folder.ts";
import { locateModel } from "../../../../electron/stt-server/models/model-location.ts";
import { SentenceEnds } from "../../../../electron/stt-server/recognisers/sentence-ends.ts";
import { embeddedModel } from "../stt-in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-sentence-ends-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function languageModel(): Promise<string> {
  const cache = cacheFolder(process.env, process.platform);
  return join((await locateModel({ language: "en" }, process.env, cache)).folder, "graph", "Gr.fst");
}

describe("the language model inside the recogniser's", () => {
  test("knows what sentences end with", async () => {
    const model = await embeddedModel();
    const cost = (text: string) => model.endCost?.(text) ?? Number.NaN;
    for (const whole of ["turn on the lamp in the kitchen", "his power to do for them", "part of the week"]) {
      expect(cost(whole), whole).toBeLessThan(2);
    }
    for (const open of ["how much there might", "that gives us a", "apostle of", "we are glad to"]) {
      expect(cost(open), open).toBeGreaterThan(4);
    }
    // As a model writes that hears beside it.
    expect(cost("How much there might.")).toBe(cost("how much there might"));
    // A word that it does not know says nothing.
    expect(model.endCost?.("how much there xyzzyplugh")).toBeNull();
    expect(model.endCost?.("")).toBeNull();
    model.dispose();
  });

  test("is done without where its file is missing, cut off, or of another kind", async () => {
    const cut = join(folder, "cut.fst");
    copyFileSync(await languageModel(), cut);
    truncateSync(cut, 10_000_000);
    const other = join(folder, "other.fst");
    writeFileSync(other, Buffer.alloc(4096, 7));
    for (const path of [cut, other, join(folder, "missing.fst")]) {
      expect(await SentenceEnds.read(path), path).toBeNull();
    }
  });
});
