import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import type { RecogniserModel } from "../../../../electron/stt-server/recognisers/recogniser.ts";
import { wordErrors } from "../../../bench/word-errors.ts";
import { finalsOf } from "../stt-client.ts";
import { clipPcm, embeddedModel, hearAll, joinPcm, silence } from "../stt-in-process.ts";

let model: RecogniserModel;
beforeAll(async () => {
  model = await embeddedModel();
});

const transcripts = readFileSync(join(import.meta.dirname, "../../../fixtures/audio/transcripts.txt"), "utf8")
  .split("\n")
  .flatMap((line) => {
    const [name = "", said = ""] = line.replace("librivox_", "").split("|");
    return name === "" ? [] : [{ name, said }];
  })
  .filter(({ name }) => ["0880", "0890", "0930"].includes(name));

/** Words that were heard wrongly in the shortest clips together, made softer by so many decibels. */
async function errorsAt(softerDb: number): Promise<number> {
  let errors = 0;
  for (const { name, said } of transcripts) {
    const pcm = (await clipPcm(name)).map((sample) => Math.round(sample * 10 ** (-softerDb / 20)));
    const finals = finalsOf(await hearAll(model, {}, () => [joinPcm([silence(500), pcm, silence(1500)])]));
    errors += wordErrors(said, finals.map(({ text }) => text).join(" ")).errors;
  }
  return errors;
}

it("hears speech that is 20 dB softer nearly as well", { timeout: 180_000 }, async () => {
  const usual = await errorsAt(0);
  expect(usual).toBeLessThanOrEqual(14);
  expect(await errorsAt(20)).toBeLessThanOrEqual(usual + 2);
});
