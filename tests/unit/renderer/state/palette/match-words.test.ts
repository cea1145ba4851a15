import fc from "fast-check";
import { expect, test } from "vitest";
import { matchWords, wordsOf } from "../../../../../renderer/state/palette/match-words.ts";

const shown = (text: string, typed: string) => {
  const found = matchWords(text, wordsOf(typed));
  return found?.marks.map(({ start, end }) => text.slice(start, end)) ?? null;
};
const scoreOf = (text: string, typed: string) => matchWords(text, wordsOf(typed))?.score ?? -1;

test("a text fits best at its beginning, then at that of a word, then inside one, then by letters in their order", () => {
  const texts = ["rewind to a prompt", "take the rewind back", "prewinding", "read every window"];
  const scores = texts.map((text) => scoreOf(text, "rewind"));
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(new Set(scores).size).toBe(4);
});

test("every word must be in it, whatever their order, their case and their accents", () => {
  expect(shown("Café in Zürich", "zurich CAFE")).toEqual(["Café", "Zürich"]);
  expect(shown("Café in Zürich", "cafe bern")).toBeNull();
});

test("letters that are strewn over a sentence, or too few, are not meant", () => {
  expect(shown("New conversation", "newcn")).toEqual(["New", "c", "n"]);
  expect(shown("New things are always worth a conversation", "nwc")).toBeNull();
  expect(shown("xay", "xy")).toBeNull();
});

test("what is marked is what was typed, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme-ascii" }), (text, typed) => {
      const found = matchWords(text, wordsOf(typed));
      let last = -1;
      for (const { start, end } of found?.marks ?? []) {
        expect(start).toBeGreaterThan(last);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        last = end;
      }
    }),
  );
});
