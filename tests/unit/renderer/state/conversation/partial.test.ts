import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextWords, type PartialWords } from "../../../../../renderer/state/conversation/partial.ts";

const heard = (...texts: string[]) =>
  texts.reduce<PartialWords | null>((before, text) => nextWords(before, { utteranceId: "1", text }), null);

describe("words of a partial", () => {
  it("are unsure when first heard", () => {
    expect(heard("turn the")).toMatchObject({ sure: "", unsure: "turn the" });
  });

  it("are sure as far as two partials agree, word by word", () => {
    expect(heard("turn the lie", "turn the light on")).toMatchObject({
      sure: "turn the",
      unsure: " light on",
    });
  });

  // Bug: comparing characters, "the" counts as sure when the word is becoming "then".
  it("are not sure when a longer word begins with them", () => {
    expect(heard("and the", "and then")).toMatchObject({ sure: "and", unsure: " then" });
  });

  it("become unsure again when the recogniser changes its mind", () => {
    expect(heard("for two", "for two", "four two")).toMatchObject({ sure: "", unsure: "four two" });
  });

  it("of a new utterance owe nothing to the one before", () => {
    const before = heard("good morning", "good morning");
    expect(nextWords(before, { utteranceId: "2", text: "good morning" })).toMatchObject({ sure: "" });
  });

  it("are all shown, whatever was heard before", () => {
    const text = fc.array(fc.constantFrom("a", "b", " ", "  ", "c")).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (texts) => {
        const words = heard(...texts);
        expect((words?.sure ?? "") + (words?.unsure ?? "")).toBe(texts.at(-1));
      }),
    );
  });
});
