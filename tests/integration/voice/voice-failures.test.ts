import { afterEach, expect, test } from "vitest";
import type { Speaker, SpeechPart } from "../../../electron/voice/speaking/speaker.ts";
import { SpeechOutput } from "../../../electron/voice/speaking/speech-output.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { createRig, eventsOf, ofType, type Rig } from "../agent/agent-rig.ts";

let rig: Rig;
afterEach(async () => await rig.close());

/** What is said aloud when the model's API refuses a prompt. */
async function saidOf(origin: "voice" | "typed") {
  rig = await createRig({ settings: { retryMax: 0 } });
  const said: string[] = [];
  const speaker: Speaker = {
    ...{ onEvent: () => {}, prepare: () => {}, open: () => {}, begin: () => {} },
    ...{ pause: () => {}, resume: () => {}, setVolume: () => {}, chime: () => {} },
    say: ({ text }: SpeechPart) => said.push(text),
  };
  const conversation = rig.conversations.create();
  const speech = new SpeechOutput({
    ...{ speaker, clock: { now: Date.now, sleep: async () => {}, after: () => () => {} } },
    settings: () => defaultSettings,
    target: () => ({ emit: (body) => conversation.emit(body), note: () => {} }),
    onAudible: () => {},
  });
  conversation.subscribe((event) => speech.hear(event));
  const source = origin === "voice" ? ("microphone" as const) : null;
  const text =
    'Hello [[script:status {"code":401,"type":"authentication_error","message":"invalid x-api-key"}]]';
  const events = await eventsOf(conversation.submit({ text, origin, source }));
  const [ended] = ofType(events, "run.ended");
  return { said, error: ended?.error };
}

test("a spoken prompt that the model's API refuses: its error is said in a sentence or two, without addresses", async () => {
  const { said, error } = await saidOf("voice");
  expect(error).toBeDefined();
  expect(said).toHaveLength(1);
  expect(said[0]?.length).toBeLessThanOrEqual(160);
  expect(said[0]).not.toMatch(/[{}]|\d{3}\.\d|https?:|_KEY/);
  expect(said[0]).toMatch(/^The server /);
});

test("one that was typed is not said", async () => {
  const { said, error } = await saidOf("typed");
  expect(error).toBeDefined();
  expect(said).toEqual([]);
});
