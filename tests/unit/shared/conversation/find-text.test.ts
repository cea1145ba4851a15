import { expect, test } from "vitest";
import { finderOf, foldedText } from "../../../../shared/conversation/find-text.ts";

test("places do not overlap, and white space of any length is one blank", () => {
  expect(finderOf("A a")?.("  a\n\ta a   a ")).toEqual([
    { from: 2, to: 6 },
    { from: 7, to: 12 },
  ]);
});

test("white space at the edges of a block is not read", () => {
  expect(finderOf("a ")?.("a \n")).toEqual([]);
  expect(finderOf(" a")?.("\na a")).toEqual([{ from: 2, to: 4 }]);
  expect(finderOf(" \t")).toBeNull();
});

test("the lower case of a text is as long as it", () => {
  for (const text of ["İstanbul", "STRASSE", "ΑΣ", "𝒳Y"]) expect(foldedText(text)).toHaveLength(text.length);
});
