import { beforeAll, expect, test } from "vitest";
import type { RecogniserModel } from "../../../../electron/stt-server/recognisers/recogniser.ts";
import { type SttEvent, sttEvent } from "../../../../shared/voice/stt.ts";
import pauses from "../../../fixtures/audio/pauses.json" with { type: "json" };
import { clipPcm, embeddedModel, hearAll, type Step, silence } from "../stt-in-process.ts";

let model: RecogniserModel;
beforeAll(async () => {
  model = await embeddedModel();
});

/** What somebody reads, up to their first pause: a second or so. */
async function fewWords(): Promise<Int16Array> {
  const pcm = await clipPcm("0880");
  return pcm.subarray(0, pauses.librivox_0880[0]);
}

async function signsOf(steps: Step[]) {
  const events = await hearAll(model, {}, () => steps);
  return finals(events).map(({ text, speech_signs }) => ({ text, signs: speech_signs }));
}

const finals = (events: readonly SttEvent[]) =>
  events.map((event) => sttEvent.parse(event)).filter((event) => event.type === "utterance_final");

test("a few words have the signs of a voice; who goes on for longer needs none", async () => {
  const [short] = await signsOf([silence(800), await fewWords(), silence(1500)]);
  expect(short?.text).not.toBe("");
  expect(short?.signs?.voiced_share).toBeGreaterThan(0.5);
  expect(short?.signs?.voiced_ms).toBeGreaterThan(80);
  expect(short?.signs?.sure_share).toBeGreaterThan(0.5);
  const [long] = await signsOf([silence(800), await clipPcm("0870"), silence(1500)]);
  expect(long?.text.split(" ").length).toBeGreaterThan(5);
  expect(long?.signs).toBeUndefined();
});

test("who holds a key is asked for none", async () => {
  const sound = [silence(800), await fewWords(), silence(1500)];
  const events = await hearAll(model, { talking: true }, (session) => [
    ...sound,
    () => session.update({ talking: false }),
    silence(1000),
  ]);
  expect(finals(events).map(({ reason, speech_signs }) => [reason, speech_signs])).toEqual([
    ["released", undefined],
  ]);
});
