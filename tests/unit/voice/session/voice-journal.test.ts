import { expect, test } from "vitest";
import { keptEntries, VoiceJournal } from "../../../../electron/voice/session/voice-journal.ts";
import type { AgentEventBody } from "../../../../shared/conversation/events.ts";
import { FakeClock } from "../../../fakes/clock.ts";

const timing = { audioStartedAt: null, speechEndMs: null, finalAt: null };
const utterance = (text: string, more: object = {}): AgentEventBody => ({
  type: "voice.utterance",
  utteranceId: "u",
  text,
  reason: "endpoint",
  confidence: 0.9,
  timing,
  ...more,
});

function setUp() {
  let changes = 0;
  const journal = new VoiceJournal(new FakeClock(), () => {
    changes += 1;
  });
  return { journal, texts: () => journal.entries.map(({ text }) => text), changes: () => changes };
}

test("whatever rule of the gate fired stands there with the words", () => {
  const { journal } = setUp();
  journal.event(utterance("hello"), "microphone");
  journal.event(
    utterance("my own words", { rule: "own_voice", dropped: "own voice", droppedId: "d1" }),
    "microphone",
  );
  expect(journal.entries).toMatchObject([
    { id: 1, kind: "utterance", text: "hello", source: "microphone", confidence: 0.9 },
    {
      id: 2,
      kind: "utterance",
      text: "my own words",
      rule: "own_voice",
      dropped: "own voice",
      droppedId: "d1",
    },
  ]);
});

test("a state is told when it is another one, not after each utterance", () => {
  const { journal, texts } = setUp();
  for (const state of ["starting", "listening", "hearing", "transcribing", "listening"] as const) {
    journal.event({ type: "voice.state", state, source: "microphone" }, null);
  }
  journal.event({ type: "voice.state", state: "listening", source: "microphone", isMuted: true }, null);
  journal.event({ type: "voice.state", state: "listening", source: "microphone" }, null);
  journal.event({ type: "voice.state", state: "off", source: null }, null);
  expect(texts()).toEqual(["Starting", "Listening", "Muted", "Listening", "Off"]);
});

test("the latest are kept, and each that is added is told once", () => {
  const { journal, texts, changes } = setUp();
  for (let n = 1; n <= keptEntries + 5; n++) journal.event(utterance(`number ${n}`), "microphone");
  expect(texts()).toHaveLength(keptEntries);
  expect(texts()[0]).toBe("number 6");
  expect(changes()).toBe(keptEntries + 5);
  journal.event({ type: "voice.partial", utteranceId: "u", text: "half" }, "microphone");
  expect(changes()).toBe(keptEntries + 5);
});
