import { expect, test } from "vitest";
import { insertWords } from "../../../../../renderer/state/voice/dictation.ts";

test.each([
  ["", 0, "hello there", "hello there|"],
  ["Dear Ann,", 9, "thank you", "Dear Ann, thank you|"],
  ["Dear Ann, ", 10, "thank you", "Dear Ann, thank you|"],
  ["one three", 3, "two", "one two| three"],
  ["one  three", 4, "two", "one two| three"],
  ["three", 0, "two", "two| three"],
  ["Is it so?", 8, " very much ", "Is it so very much|?"],
  ["line\n", 5, "next", "line\nnext|"],
  ["short", 99, "end", "short end|"],
  ["as it is", 2, "  ", "as| it is"],
])("%j at %i with %j", (text, at, words, expected) => {
  const { text: next, caret } = insertWords(text, at, words);
  expect(`${next.slice(0, caret)}|${next.slice(caret)}`).toBe(expected);
});
