import fc from "fast-check";
import { expect, test } from "vitest";
import { wordErrors, wordsHeard } from "../../bench/word-errors.ts";

const missed = (reference: string, heard: string) =>
  wordsHeard(reference, heard).flatMap(({ word, isHeard }) => (isHeard ? [] : [word]));

test.each([
  ["ask not what it is", "what it is", ["ask", "not"]],
  ["the queen", "the you know", ["queen"]],
  ["one two three", "one too three for", ["two"]],
  ["Mr. Smith", "mister smith", []],
])("of “%s” heard as “%s” these words are missing", (reference, heard, words) => {
  expect(missed(reference, heard)).toEqual(words);
});

test("no more words are missing than were wrong", () => {
  const words = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 8 }).map((all) => all.join(" "));
  fc.assert(
    fc.property(words, words, (reference, heard) => {
      const { errors, words: count } = wordErrors(reference, heard);
      expect(wordsHeard(reference, heard)).toHaveLength(count);
      expect(missed(reference, heard).length).toBeLessThanOrEqual(errors);
    }),
  );
});
