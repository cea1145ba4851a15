import { expect, it } from "vitest";
import { HeardFinals } from "../../../../electron/voice/stt/heard-finals.ts";
import type { Utterance } from "../../../../electron/voice/stt/voice-events.ts";

type Said = [text: string, id: string | null, startMs?: number, endMs?: number];

/** What becomes of finals of one session: their words, what they correct, or null for what was heard before. */
function heard(...all: Said[]) {
  const finals = new HeardFinals();
  return all.map(([text, id, startMs = null, endMs = null], index) => {
    const said: Utterance = {
      ...{
        id: `s/${id ?? `utterance-${index}`}`,
        sessionId: "s",
        source: "microphone",
        text,
        reason: "endpoint",
      },
      ...{
        confidence: null,
        startMs,
        endMs,
        audioStartedAt: null,
        startedAt: null,
        endedAt: null,
        finalAt: null,
      },
      ...{ command: null, turnEnd: null, signs: null, doubts: [], readings: [] },
      noWords: text.startsWith("[") ? "sounds" : text.startsWith("Thanks") ? "phantom" : undefined,
    };
    const taken = finals.take(said, id !== null);
    return taken && (taken.corrects === undefined ? taken.text : `${taken.corrects} > ${taken.text}`);
  });
}

// Bug: the same final under another number was a second prompt.
it("the same utterance again is heard once, also with other capitals", () => {
  expect(heard(["open it", "u1"], ["open it", "u1"], ["Open it.", "u1"])).toEqual(["open it", null, null]);
  expect(heard(["open it", null, 10, 900], ["open it", null, 10, 900])).toEqual(["open it", null]);
  expect(heard(["open it", "u1", 10, 900], ["open it", "u2", 10, 900])).toEqual(["open it", null]);
});

// Bug: it was heard each time: listed again and again, and in dictation typed.
it("what comes in place of words is heard once, and words may follow it", () => {
  const phantom: Said = ["Thanks for watching!", "u1"];
  expect(heard(phantom, phantom, ["open it", "u1"], ["open it.", "u1"])).toEqual([
    "Thanks for watching!",
    null,
    "open it",
    null,
  ]);
  const sound: Said = ["[Music]", "u1"];
  expect(heard(sound, sound, ["open it", "u1"], ["open it", "u1"])).toEqual([
    "[Music]",
    null,
    "open it",
    null,
  ]);
});

it("better words for an utterance correct it, and better ones those", () => {
  expect(heard(["open a file", "u1"], ["open the file", "u1"], ["open the files", "u1"])).toEqual([
    "open a file",
    "open a file > open the file",
    "open the file > open the files",
  ]);
  expect(heard(["ice cream", "u1", 0, 900], ["I scream", "u1", 0, 950])[1]).toBe("ice cream > I scream");
  expect(heard(["uh", "u1", 9000, 9900], ["open it", "u1", 9100, 9900])[1]).toBe("uh > open it");
  expect(heard(["打开文", "u1"], ["打开文件", "u1"])[1]).toBe("打开文 > 打开文件");
});

it("the same words said again are another utterance", () => {
  expect(heard(["yes", null], ["yes", null])).toEqual(["yes", "yes"]);
  expect(heard(["yes", "u1"], ["yes", "u2"])).toEqual(["yes", "yes"]);
  expect(heard(["yes", "u1", 0, 900], ["yes", "u1", 2000, 2900])).toEqual(["yes", "yes"]);
});

it("an id that is every utterance's says nothing, nor do times", () => {
  const said: Said[] = [
    ["open the file", "u"],
    ["what is new", "u"],
    ["what is new", "u"],
    ["no", "u"],
  ];
  expect(heard(...said)).toEqual(said.map(([text]) => text));
  const timed: Said[] = [
    ["one", null, 10, 5000],
    ["two", null, 10, 5000],
    ["two", null, 10, 5000],
  ];
  expect(heard(...timed)).toEqual(["one", "two", "two"]);
});

// Bug: each utterance replaced the one before it.
it("times that are counted from the beginning of each utterance say nothing, nor does their id", () => {
  const said: Said[] = [
    ["open the file", "u", 0, 1200],
    ["what is new", "u", 0, 1000],
    ["yes", "u", 0, 500],
    ["yes", "u", 0, 500],
  ];
  expect(heard(...said)).toEqual(said.map(([text]) => text));
  expect(heard(["yes", null, 0, 1000], ["yes", null, 0, 1000])).toEqual(["yes", "yes"]);
});
