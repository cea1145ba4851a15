import { expect, test } from "vitest";
import { isAfter, isDuring, isOwnVoice, overlaps } from "../../../../electron/voice/speaking/own-voice.ts";

test.each<[string, string, boolean]>([
  ["the sky is blue", "The sky is blue.", true],
  ["sky is blue because of", "The sky is blue because of the air. It scatters light.", true],
  ["this guy is blue", "The sky is blue.", true],
  ["what about the sea", "The sky is blue.", false],
  ["blue", "The sky is blue.", false],
  ["anything", "", false],
])("“%s” while “%s” is said is Parley's own voice: %s", (heard, spoken, is) => {
  const speaking = { text: spoken, since: 0, until: null };
  expect(isOwnVoice({ text: heard }, speaking, "words")).toBe(is);
});

test.each<[string, boolean, boolean]>([
  ["done", true, true],
  ["never mind", false, true],
  ["never find", false, true],
  // Three letters of ten, and four.
  ["never mabc", false, true],
  ["never wabc", false, false],
  ["I never mind the", true, true],
])("of “%s” Parley said a sentence: %s, words: %s", (heard, sentence, words) => {
  const speaking = { text: "I never mind the rain. Done.", since: 0, until: null };
  expect(isOwnVoice({ text: heard }, speaking, "sentence")).toBe(sentence);
  expect(isOwnVoice({ text: heard }, speaking, "words")).toBe(words);
});

test.each([
  [7_400, false],
  [7_600, true],
  [13_400, true],
  [13_600, false],
])("what was said for 100 ms from %d is Parley's, which spoke from 9000 to 12000: %s", (startedAt, is) => {
  const speaking = { text: "It is raining.", since: 9_000, until: 12_000 };
  const heard = { text: "it is raining", startedAt, endedAt: startedAt + 99 };
  expect(isOwnVoice(heard, speaking, "sentence")).toBe(is);
});

test.each<[string, boolean]>([
  // One word heard as two, two as one, and as they are.
  ["sky scraper", true],
  ["rain inlisbon", true],
  ["never mindthe", true],
  ["mind the reign", true],
  ["mind your own", false],
  ["skyscrapers", false],
])("“%s” is words of it: %s", (heard, is) => {
  const speaking = {
    text: "Mind the rain in Lisbon. Tremendous skyscraper collapsed, never mind the why.",
    since: 0,
    until: null,
  };
  expect(isOwnVoice({ text: heard }, speaking, "words")).toBe(is);
});

// Bug: who answered at once, as people do, was taken for the echo of the line that asked.
test.each<[number, number | null, boolean, boolean]>([
  [12_301, 12_700, true, true],
  [12_301, null, true, true],
  [12_100, 12_500, false, true],
  // Nobody can say a word in so little of the time that an echo has.
  [12_100, 12_300, false, false],
  [12_100, null, false, false],
  [12_000, 12_500, false, false],
])(
  "what was said from %d to %s begins after Parley's last word at 12000: %s; after a line that asks: %s",
  (startedAt, endedAt, isAnyway, isAnswer) => {
    const speaking = { text: "Say approve or deny.", since: 9_000, until: 12_000 };
    expect(isAfter({ startedAt, endedAt }, speaking)).toBe(isAnyway);
    expect(isAfter({ startedAt, endedAt }, { ...speaking, asks: speaking.text })).toBe(isAnswer);
  },
);

test("where nothing is said, nothing is Parley's", () => {
  expect(isOwnVoice({ text: "it is raining" }, null, "words")).toBe(false);
  expect(isDuring({ startedAt: 0, endedAt: 1 }, null)).toBe(false);
});

test.each([
  [{ startedAt: 100, endedAt: 200 }, { startedAt: 250, endedAt: 300 }, true],
  [{ startedAt: 100, endedAt: 200 }, { startedAt: 251, endedAt: 300 }, false],
  [{ startedAt: 350, endedAt: 400 }, { startedAt: 250, endedAt: 300 }, true],
  [{ startedAt: 351, endedAt: 400 }, { startedAt: 250, endedAt: 300 }, false],
  [{ startedAt: 900, endedAt: null }, { startedAt: 250 }, true],
  [{ startedAt: null, endedAt: 10 }, { endedAt: 300 }, true],
  [{ endedAt: 10 }, { startedAt: 250, endedAt: 300 }, false],
  [{ startedAt: 900 }, { startedAt: 250, endedAt: 300 }, false],
  [{}, { startedAt: 250, endedAt: 300 }, true],
])("%o comes within 50 ms of %o: %s", (one, other, does) => {
  expect(overlaps(one, other, 50)).toBe(does);
});
