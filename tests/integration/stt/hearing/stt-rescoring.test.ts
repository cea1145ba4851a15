import { join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import type { RecogniserModel } from "../../../../electron/stt-server/recognisers/recogniser.ts";
import { openFlite } from "../../../../electron/voice/tts/flite.ts";
import { clipsOf, pcmOf } from "../../../bench/stt/clips.ts";
import { wordErrors } from "../../../bench/word-errors.ts";
import { heardOf, sentences, taughtBy } from "../../../bench/words/taught-names.ts";
import { finalsOf } from "../stt-client.ts";
import { clipPcm, embeddedModel, hearAll, joinPcm, silence } from "../stt-in-process.ts";

let model: RecogniserModel;
/** The same without anything that a closed grammar could tell. */
let free: RecogniserModel;
beforeAll(async () => {
  model = await embeddedModel();
  const { name, createRecogniser, dispose } = model;
  free = { name, createRecogniser, dispose };
});

/** What a session hears of a sentence. */
async function heard(by: RecogniserModel, pcm: Int16Array, request: Record<string, unknown> = {}) {
  const events = await hearAll(by, request, () => [joinPcm([silence(500), pcm, silence(1500)])]);
  return finalsOf(events)
    .map(({ text }) => text)
    .join(" ");
}

const readOut = [
  ["rms", "four two seven nine three"],
  ["slt", "eight one six zero five two"],
  ["rms", "nine nine four two eight"],
  ["slt", "two to the right"],
  ["rms", "six three one eight seven four"],
] as const;

it("hears digits that are read out better by a closed grammar, and nothing else worse", {
  timeout: 900_000,
}, async () => {
  const errors = { free: 0, rescored: 0 };
  for (const [voice, text] of readOut) {
    const { pcm } = await (await openFlite(voice)).synthesise(text, 0.9);
    const texts = { free: await heard(free, pcm), rescored: await heard(model, pcm) };
    for (const how of ["free", "rescored"] as const) errors[how] += wordErrors(text, texts[how]).errors;
  }
  expect(errors.rescored).toBeLessThan(errors.free);
  const plain = joinPcm([await clipPcm("0880"), silence(700), await clipPcm("0930")]);
  expect(await heard(model, plain)).toBe(await heard(free, plain));
});

const audio = resolve(import.meta.dirname, "../../../fixtures/audio");
const realSpeech = [
  ...clipsOf(audio, join(audio, "transcripts.txt")),
  ...["cards_005", "numbers"].map((name) => ({
    name,
    path: join(audio, `${name}.wav`),
    transcript: "",
  })),
];
const names = ["Tavora", "Mirelle", "Sundarvel", "Halloran"];

it("hears more names once another voice was corrected, and none that was not said", {
  timeout: 900_000,
}, async () => {
  const words = await taughtBy(model, "awb", names);
  expect(words.filter(({ heardAs }) => heardAs.length > 0).length).toBeGreaterThan(2);
  const right = { without: 0, taught: 0 };
  for (const name of names) {
    const said = sentences[1]?.replace("@", name) ?? "";
    const hasName = async (list: typeof words) =>
      (await heardOf(model, "slt", said, list)).text.includes(name);
    if (await hasName([])) right.without += 1;
    if (await hasName(words)) right.taught += 1;
  }
  expect(right.without).toBe(0);
  expect(right.taught).toBeGreaterThanOrEqual(3);
  const hot_words = words.map(({ word }) => word);
  const hot_words_heard_as = Object.fromEntries(words.map(({ word, heardAs }) => [word, heardAs]));
  for (const { name, path, transcript } of realSpeech) {
    const pcm = await pcmOf({ name, path, transcript, source: name });
    const text = await heard(model, pcm, { hot_words, hot_words_heard_as });
    expect(
      names.filter((one) => text.includes(one)),
      name,
    ).toEqual([]);
  }
});

it("takes over other words while it listens", { timeout: 120_000 }, async () => {
  const flite = await openFlite("slt");
  const { pcm } = await flite.synthesise("Please write a letter to Pelmarch about it.", 0.9);
  const events = await hearAll(model, {}, (session) => [
    joinPcm([silence(500), pcm, silence(1500)]),
    () => session.teach([{ word: "Pelmarch", heardAs: [] }]),
    joinPcm([pcm, silence(1500)]),
    () => session.teach([]),
    joinPcm([pcm, silence(1500)]),
  ]);
  expect(finalsOf(events).map(({ text }) => text.includes("Pelmarch"))).toEqual([false, true, false]);
});
