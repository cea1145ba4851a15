import { beforeAll, describe, expect, it } from "vitest";
import type { RecogniserModel } from "../../../electron/stt-server/recognisers/recogniser.ts";
import type { Session } from "../../../electron/stt-server/session/session.ts";
import { type SttEvent, sttInfo } from "../../../shared/voice/stt.ts";
import { finalsOf } from "./stt-client.ts";
import { clipPcm, embeddedModel, hearAll, joinPcm, type Step, silence } from "./stt-in-process.ts";

let model: RecogniserModel;
const clips = new Map<string, Int16Array>();
beforeAll(async () => {
  model = await embeddedModel();
  for (const name of ["0880", "0890", "0930"]) clips.set(name, await clipPcm(name));
});

const clip = (name: string) => clips.get(name) ?? new Int16Array(0);
const samplesOf = (ms: number) => Math.round(ms * 16);
const texts = (events: SttEvent[]) => finalsOf(events).map(({ text }) => text);
const messages = (events: SttEvent[]) =>
  events.flatMap((event) =>
    event.type === "utterance_final" ? [event.reason] : event.type === "info" ? infoOf(event.message) : [],
  );

/** The time of sample 0 is told again wherever it is better known. */
const infoOf = (message: string) => (message === sttInfo.audioStarted ? [] : [message]);

/** Where its words begin and end, by the same recogniser given all of it. Milliseconds. */
async function wordsOf(pcm: Int16Array) {
  const recogniser = model.createRecogniser();
  await recogniser.accept(pcm);
  const { words } = await recogniser.finish();
  recogniser.dispose();
  const [first] = words;
  const last = words.at(-1);
  if (!first || !last) throw new Error("The clip has no words.");
  return { startMs: first.startMs, endMs: last.endMs };
}

const press = (session: Session) => () => session.update({ talking: true });
const letGo = (session: Session) => () => session.update({ talking: false });

describe("push-to-talk", () => {
  it("hears nothing but what is said while the key is held", async () => {
    const events = await hearAll(model, { push_to_talk: true }, (session) => [
      joinPcm([clip("0880"), silence(1500)]),
      press(session),
      joinPcm([clip("0930"), silence(200)]),
      letGo(session),
      joinPcm([silence(1500), clip("0890"), silence(1500)]),
    ]);
    expect(texts(events)).toEqual([expect.stringMatching(/./)]);
    expect(messages(events)).toEqual([
      sttInfo.talkStarted,
      "released",
      sttInfo.talkEnded,
      sttInfo.sourceEnded,
    ]);
  });

  it("keeps the first word of who speaks before the key is down, and the last of who lets go too early", async () => {
    for (const name of clips.keys()) {
      const pcm = joinPcm([silence(800), clip(name), silence(800)]);
      const all = await wordsOf(pcm);
      const pressed = samplesOf(all.startMs + 250);
      const released = samplesOf(all.endMs - 100);
      const events = await hearAll(model, { push_to_talk: true }, (session): Step[] => [
        pcm.subarray(0, pressed),
        press(session),
        pcm.subarray(pressed, released),
        letGo(session),
        joinPcm([pcm.subarray(released), silence(1000)]),
      ]);
      const words = finalsOf(events).flatMap((final) => final.words ?? []);
      expect(Math.abs((words[0]?.start_ms ?? Number.NaN) - all.startMs)).toBeLessThan(150);
      expect(Math.abs((words.at(-1)?.end_ms ?? Number.NaN) - all.endMs)).toBeLessThan(150);
    }
  });

  it("lets no pause end what is said, however long, while the key is held", async () => {
    const events = await hearAll(model, { push_to_talk: true, endpointing_ms: 300 }, (session) => [
      press(session),
      joinPcm([clip("0930"), silence(4000), clip("0880"), silence(100)]),
      letGo(session),
      silence(1000),
    ]);
    expect(finalsOf(events)).toMatchObject([{ reason: "released" }]);
  });

  it("without it a session hears on, and says what was said with the key held", async () => {
    const events = await hearAll(model, {}, (session) => [
      joinPcm([clip("0880"), silence(1500)]),
      press(session),
      joinPcm([clip("0930"), silence(100)]),
      letGo(session),
      joinPcm([silence(1000), clip("0890"), silence(1500)]),
    ]);
    expect(texts(events)).toHaveLength(3);
    const order = messages(events).filter((message) => message !== sttInfo.noWords);
    expect(order.indexOf(sttInfo.talkStarted)).toBe(1);
    expect(order.slice(1, 4)).toEqual([sttInfo.talkStarted, "released", sttInfo.talkEnded]);
  });
});
