import { expect, test } from "vitest";
import type { Reading } from "../../../../electron/stt-server/recognisers/recogniser.ts";
import { wholeReadings } from "../../../../electron/stt-server/rescoring/readings.ts";

const piece = (text: string, ...others: [text: string, cost: number][]) => ({
  text,
  startMs: 0,
  readings: others.map(([words, cost]): Reading => ({ text: words, cost, words: [] })),
});

test("the readings of pieces between pauses make whole ones, the likeliest first", () => {
  const pieces = [
    piece("play the sonks", ["play the sonks", 0], ["play the songs", 1]),
    piece("and dance", ["and dance", 0], ["an dance", 3]),
  ];
  expect(wholeReadings(pieces, "play the sonks and dance")).toEqual([
    "play the songs and dance",
    "play the sonks an dance",
    "play the songs an dance",
  ]);
});

test("a piece without readings stands as it was heard, and one that may be nothing leaves no gap", () => {
  expect(wholeReadings([piece("yes"), piece("no", ["no", 0], ["", 1])], "yes no")).toEqual(["yes"]);
});

test("what a second look changed is still the likeliest other guess", () => {
  const changed = { ...piece("two two four", ["two to for", 1]), instead: "two to four" };
  expect(wholeReadings([changed], "two two four")).toEqual(["two to four", "two to for"]);
});
