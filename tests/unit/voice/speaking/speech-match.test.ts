import { describe, expect, test } from "vitest";
import { isHeardIn, likeness } from "../../../../electron/voice/speaking/speech-match.ts";
import { asSpoken } from "../../../../shared/voice/as-spoken.ts";

test.each([
  ["Hello, World!  It's  5 o’clock.", "hello world it's 5 o'clock"],
  ["'quoted' words-and signs…", "quoted words and signs"],
  ["ÉTÉ", "été"],
  ["E\u0301te\u0301", "été"],
  // Bug: vowels were left out, and "रुके" was the word to stop "रुको".
  ["रुको, रुके!", "रुको रुके"],
  ["…", ""],
])("%j sounds as %j", (text, spoken) => {
  expect(asSpoken(text)).toBe(spoken);
});

test.each([
  ["the same", "The same!", 1],
  ["abcd", "abcx", 0.75],
  ["abcd", "ab", 0.5],
  ["ab", "abcd", 0.5],
  ["", "", 0],
  ["a", "", 0],
])("%j and %j are alike by %d", (one, other, by) => {
  expect(likeness(one, other)).toBe(by);
});

describe("what is heard in a text", () => {
  const spoken = "First, open the door. Then wait: it takes a while! Ready? Go on; or stop\nNew line";
  test.each([
    "first open the door",
    "then wait",
    "it takes a while",
    "ready",
    "go on",
    "or stop",
    "new line",
    // Four words of it, some letters wrong, one word heard as two or two as one.
    "door then wait it",
    "the dor then weit",
    "then wait it takes awhile",
    "open the door then",
    "it ta kes a while",
    // One letter of five wrong, in a sentence, and three of fifteen, in four words.
    "reedy",
    "weit is tikes a",
    "open thedoor then wait",
  ])("%j is", (heard) => {
    expect(isHeardIn(heard, spoken)).toBe(true);
  });

  test.each(["wait", "open the door", "a while", "open every window at once", "", "go"])(
    "%j is not",
    (heard) => {
      expect(isHeardIn(heard, spoken)).toBe(false);
    },
  );
});
