import { expect, test } from "vitest";
import { Meeting } from "../../../electron/voice/routing/meeting.ts";

const said = (source: "microphone" | "loopback", text: string, startedAt: number) => ({
  text,
  confidence: 0.9,
  source,
  startedAt,
  endedAt: startedAt + 1000,
});

test("is told once, labelled, in the order in which it was said", () => {
  const meeting = new Meeting();
  meeting.note(said("microphone", "and on monday", 5000), "u1", 6000);
  // A long utterance is finished after a short one that began later.
  meeting.note(said("loopback", "we ship on friday", 1000), "u2", 7000);
  expect(meeting.take()).toEqual([
    { who: "them", text: "we ship on friday" },
    { who: "me", text: "and on monday" },
  ]);
  expect(meeting.take()).toEqual([]);
});

test("what the microphone heard of the loudspeaker before it was known goes out again", () => {
  const meeting = new Meeting();
  meeting.note(said("microphone", "we ship on friday", 1000), "u1", 2000);
  meeting.note(said("microphone", "fine with me", 1500), "u2", 2500);
  const echoes = meeting.note(said("loopback", "we ship on friday", 900), "u3", 2600);
  expect(echoes.map(({ utteranceId }) => utteranceId)).toEqual(["u1"]);
  expect(meeting.take()).toEqual([
    { who: "them", text: "we ship on friday" },
    { who: "me", text: "fine with me" },
  ]);
});

test("keeps no more than its limit, and the newest", () => {
  const meeting = new Meeting();
  for (let n = 0; n < 2100; n++)
    meeting.note(said("microphone", `line ${n}`, n * 10_000), `u${n}`, n * 10_000);
  const lines = meeting.take();
  expect(lines).toHaveLength(2000);
  expect(lines.at(-1)?.text).toBe("line 2099");
});

test("what was said long ago is no echo of what is said now, though the words are the same", () => {
  const meeting = new Meeting();
  const words = { text: "we ship on friday", confidence: 0.9, startedAt: null, endedAt: null };
  meeting.note({ ...words, source: "microphone" }, "u1", 0);
  expect(meeting.note({ ...words, source: "loopback" }, "u2", 62_001)).toEqual([]);
  expect(meeting.played).toHaveLength(1);
  meeting.note({ ...words, text: "later", source: "microphone" }, "u3", 62_001 + 62_001);
  expect(meeting.played).toEqual([]);
});

test("what comes a minute later is compared all the same: an utterance can be long", () => {
  const words = { text: "we ship on friday", confidence: 0.9, startedAt: null, endedAt: null };
  for (const [later, echoes] of [
    [62_000, 1],
    [62_001, 0],
  ] as const) {
    const meeting = new Meeting();
    meeting.note({ ...words, source: "microphone" }, "u1", 1_000_000);
    expect(meeting.note({ ...words, source: "loopback" }, "u2", 1_000_000 + later)).toHaveLength(echoes);
  }
});

test("an echo is told of once, however often the computer says the same", () => {
  const meeting = new Meeting();
  meeting.note(said("microphone", "we ship on friday", 1000), "u1", 2000);
  expect(meeting.note(said("loopback", "we ship on friday", 900), "u2", 2100)).toHaveLength(1);
  expect(meeting.note(said("loopback", "we ship on friday", 950), "u3", 2200)).toEqual([]);
});

test("lines whose beginning nobody knows stand where they were noted", () => {
  const meeting = new Meeting();
  const at = (startedAt: number | null) => ({ startedAt, endedAt: null, confidence: null });
  meeting.note({ source: "microphone", text: "second", ...at(null) }, "u1", 2000);
  meeting.note({ source: "loopback", text: "first", ...at(1000) }, "u2", 3000);
  meeting.note({ source: "microphone", text: "third", ...at(2500) }, "u3", 4000);
  expect(meeting.take().map(({ text }) => text)).toEqual(["first", "second", "third"]);
});

test("what was said again is an echo only where the computer played it, however much is said in between", () => {
  const meeting = new Meeting();
  meeting.note(said("loopback", "we ship on friday", 900), "u1", 1000);
  expect(meeting.note(said("microphone", "we ship on friday", 1000), "u2", 2000)).toEqual([]);
  expect(meeting.note(said("loopback", "we ship on friday", 1100), "u3", 2100)).toHaveLength(1);
  expect(meeting.played.map(({ text }) => text)).toEqual(["we ship on friday", "we ship on friday"]);
  expect(meeting.take().map(({ who }) => who)).toEqual(["them", "them"]);
});
