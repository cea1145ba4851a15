import { expect, test } from "vitest";
import { headOf, tailOf } from "../../../../electron/agent/loop/text-ends.ts";

// Of two UTF-16 units each: in the middle of the range, and at both of its ends.
test.each(["😀", "\u{10000}", "\u{10ffff}"])("%j is never cut in two", (character) => {
  const text = `a${character}b`;
  expect([0, 1, 2, 3, 4, 5].map((chars) => headOf(text, chars))).toEqual([
    "",
    "a",
    "a",
    `a${character}`,
    text,
    text,
  ]);
  expect([0, 1, 2, 3, 4, 5].map((chars) => tailOf(text, chars))).toEqual([
    "",
    "b",
    "b",
    `${character}b`,
    text,
    text,
  ]);
});

test("a character of one unit counts as one, also beside the halves' range", () => {
  expect(headOf("a\ue000b", 1)).toBe("a");
  expect(tailOf("a\ue000b", 2)).toBe("\ue000b");
});

test("a text that begins with half a character is cut like any other", () => {
  expect(headOf("\udc00ab", 0)).toBe("");
  expect(tailOf("\udc00ab", 3)).toBe("\udc00ab");
});
