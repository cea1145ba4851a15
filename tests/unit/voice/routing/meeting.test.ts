import { expect, test } from "vitest";
import { Meeting } from "../../../../electron/voice/routing/meeting.ts";
import { type HeardUtterance, isEcho } from "../../../../electron/voice/routing/utterance-gate.ts";

const said = (source: "microphone" | "loopback", text: string, startedAt: number) => ({
  text,
  confidence: 0.9,
  source,
  startedAt,
  endedAt: startedAt + 1000,
});

const target = { forgetLine: () => {} };
const note = (meeting: Meeting, words: HeardUtterance, utteranceId: string, at: number) =>
  meeting.add({ ...words, utteranceId, lineId: `line-${utteranceId}`, target, at });

test("what the microphone heard of the loudspeaker before it was known goes out again", () => {
  const meeting = new Meeting();
  note(meeting, said("microphone", "we ship on friday", 1000), "u1", 2000);
  note(meeting, said("microphone", "fine with me", 1500), "u2", 2500);
  const echoes = note(meeting, said("loopback", "we ship on friday", 900), "u3", 2600);
  expect(echoes.map(({ utteranceId }) => utteranceId)).toEqual(["u1"]);
});

// Bug: a line of the user's own went out of the meeting with the word that the others had said, too.
test("what says more than the loudspeaker stays", () => {
  const meeting = new Meeting();
  note(meeting, said("microphone", "Okay. I will send the contract to legal.", 1000), "u1", 2000);
  expect(note(meeting, said("loopback", "Okay.", 900), "u2", 2600)).toEqual([]);
});

test("a short answer in the same words is no echo: it comes after them, or before", () => {
  const meeting = new Meeting();
  const good = { ...said("microphone", "good morning", 1000), endedAt: 1600 };
  note(meeting, good, "u1", 2000);
  expect(note(meeting, said("loopback", "Good morning!", 2600), "u2", 3700)).toEqual([]);
  expect(isEcho({ ...good, startedAt: 4200, endedAt: 4800 }, meeting.played)).toBe(false);
  expect(isEcho({ ...good, startedAt: 2900, endedAt: 3500 }, meeting.played)).toBe(true);
});

test("what the microphone heard as one goes out again when the last piece of it is known", () => {
  const meeting = new Meeting();
  note(meeting, said("microphone", "we ship on friday if legal agrees", 1000), "u1", 2000);
  expect(note(meeting, said("loopback", "We ship on Friday.", 900), "u2", 2600)).toEqual([]);
  expect(note(meeting, said("loopback", "If legal agrees.", 1500), "u3", 2700)).toHaveLength(1);
});

test("what was said long ago is no echo of what is said now, though the words are the same", () => {
  const meeting = new Meeting();
  const words = { text: "we ship on friday", confidence: 0.9, startedAt: null, endedAt: null };
  note(meeting, { ...words, source: "microphone" }, "u1", 0);
  expect(note(meeting, { ...words, source: "loopback" }, "u2", 62_001)).toEqual([]);
  expect(meeting.played).toHaveLength(1);
  note(meeting, { ...words, text: "later", source: "microphone" }, "u3", 62_001 + 62_001);
  expect(meeting.played).toEqual([]);
});

test("what comes a minute later is compared all the same: an utterance can be long", () => {
  const words = { text: "we ship on friday", confidence: 0.9, startedAt: null, endedAt: null };
  for (const [later, echoes] of [
    [62_000, 1],
    [62_001, 0],
  ] as const) {
    const meeting = new Meeting();
    note(meeting, { ...words, source: "microphone" }, "u1", 1_000_000);
    expect(note(meeting, { ...words, source: "loopback" }, "u2", 1_000_000 + later)).toHaveLength(echoes);
  }
});

test("an echo is told of once, however often the computer says the same", () => {
  const meeting = new Meeting();
  note(meeting, said("microphone", "we ship on friday", 1000), "u1", 2000);
  expect(note(meeting, said("loopback", "we ship on friday", 900), "u2", 2100)).toHaveLength(1);
  expect(note(meeting, said("loopback", "we ship on friday", 950), "u3", 2200)).toEqual([]);
});

test("what was said again is an echo only where the computer played it, however much is said in between", () => {
  const meeting = new Meeting();
  note(meeting, said("loopback", "we ship on friday", 900), "u1", 1000);
  expect(note(meeting, said("microphone", "we ship on friday", 1000), "u2", 2000)).toEqual([]);
  expect(note(meeting, said("loopback", "we ship on friday", 1100), "u3", 2100)).toHaveLength(1);
  expect(meeting.played.map(({ text }) => text)).toEqual(["we ship on friday", "we ship on friday"]);
});
