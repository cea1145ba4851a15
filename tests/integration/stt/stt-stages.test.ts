import { beforeAll, expect, it } from "vitest";
import type { RecogniserModel } from "../../../electron/stt-server/recognisers/recogniser.ts";
import type { Session } from "../../../electron/stt-server/session/session.ts";
import { finalsOf } from "./stt-client.ts";
import { clipPcm, hearAll, silence } from "./stt-in-process.ts";

let clip: Int16Array;
beforeAll(async () => {
  clip = await clipPcm("0870");
});

/** A recogniser that understands one word, whatever it is given, and keeps that. */
function oneWord() {
  const given: Int16Array[] = [];
  const words = [{ word: "something", startMs: 0, endMs: 100, confidence: 1 }];
  const model: RecogniserModel = {
    name: "one word",
    createRecogniser: () => ({
      accept: async (pcm) => {
        given.push(pcm);
        return "something";
      },
      finish: async () => ({ text: "something", words }),
      dispose: () => {},
    }),
    dispose: () => {},
  };
  return { model, given };
}

it("words that were being said when the device failed are an utterance, before the failure is told", async () => {
  const { model } = oneWord();
  const events = await hearAll(model, { source: "microphone" }, () => [
    clip.subarray(0, 16_000 * 2),
    () => {
      throw new Error("The device is gone.");
    },
  ]);
  expect(finalsOf(events)).toMatchObject([{ text: "something", reason: "session_stop" }]);
  expect(events.at(-1)).toMatchObject({ type: "error", fatal: true });
});

it("what was heard right before the mute is no part of what is said after it", async () => {
  const { model, given } = oneWord();
  // Too soft for speech, and told apart from what follows.
  const before = silence(500).fill(3);
  const mute = (muted: boolean) => (session: Session) => () => session.update({ muted });
  await hearAll(model, { source: "microphone" }, (session) => [
    before,
    mute(true)(session),
    silence(100),
    mute(false)(session),
    clip,
  ]);
  expect(given.length).toBeGreaterThan(0);
  expect(given.filter((pcm) => pcm.length > 0 && pcm.every((sample) => sample === 3))).toEqual([]);
  expect(given.some((pcm) => pcm.subarray(0, 512).every((sample) => sample === 3))).toBe(false);
});
