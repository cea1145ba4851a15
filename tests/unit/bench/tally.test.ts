import { describe, expect, it } from "vitest";
import { type PartTexts, type StageTexts, Tally } from "../../bench/stt/tally.ts";

const said = "mary had a little lamb";
const clip = { name: "nursery_1", source: "nursery", transcript: said, path: "" };
const heardBy = (texts: Partial<StageTexts>): StageTexts => ({
  ...{ recogniser: said, bestOf5: said, bestOf20: said, rescored: said, pipeline: said },
  ...texts,
});

async function lost(texts: Partial<StageTexts>, parts: Partial<PartTexts> = {}, utterances = 1) {
  const tally = new Tally();
  await tally.add(clip, heardBy(texts), utterances, async () => ({ louder: said, cut: said, ...parts }));
  return tally.report.lostByPipeline;
}

it("tells of each source and of all how many of 100 words each stage has wrong", async () => {
  const tally = new Tally();
  const parts = async () => ({ louder: said, cut: said });
  await tally.add(clip, heardBy({ recogniser: "mary had a little lamp", rescored: "mary had" }), 1, parts);
  const other = { ...clip, name: "song_1", source: "song" };
  await tally.add(other, heardBy({ pipeline: "mary had a lamb" }), 1, parts);
  expect(tally.report.werPercentBySource).toEqual({
    nursery: { words: 5, recogniser: 20, bestOf5: 0, bestOf20: 0, rescored: 60, pipeline: 0 },
    song: { words: 5, recogniser: 0, bestOf5: 0, bestOf20: 0, rescored: 0, pipeline: 20 },
    all: { words: 10, recogniser: 10, bestOf5: 0, bestOf20: 0, rescored: 30, pipeline: 10 },
  });
});

describe("a word that the recogniser heard and the pipeline did not", () => {
  const without = "mary had a lamb";
  const told = (cause: string) => [`nursery_1: word 4, “little”: ${cause}`];

  it.each<[string, Partial<StageTexts>, Partial<PartTexts>, number]>([
    ["no utterance was made of it", { recogniser: "little", pipeline: "" }, {}, 0],
    ["rescoring", { rescored: without, pipeline: without }, { louder: without }, 1],
    ["gain", { pipeline: without }, { louder: without }, 1],
    ["cutting off what is around speech", { pipeline: without }, { cut: without }, 1],
    ["cutting into 2 utterances", { pipeline: without }, { cut: without }, 2],
    [
      "gain, and cutting into 2 utterances: each by itself",
      { pipeline: without },
      { cut: without, louder: without },
      2,
    ],
    ["gain with cutting off what is around speech: neither by itself", { pipeline: without }, {}, 1],
  ])("was lost by %s", async (cause, texts, parts, utterances) => {
    expect(await lost(texts, parts, utterances)).toEqual(told(cause));
  });

  it("is not one that the recogniser did not hear either, and then nothing more is heard", async () => {
    const tally = new Tally();
    const more = () => Promise.reject(new Error("asked for"));
    await tally.add(clip, heardBy({ recogniser: without, pipeline: without }), 1, more);
    expect(tally.report.lostByPipeline).toEqual([]);
  });
});
