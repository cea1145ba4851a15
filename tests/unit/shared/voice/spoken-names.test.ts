import { expect, test } from "vitest";
import { asSpoken } from "../../../../shared/voice/as-spoken.ts";
import { namedBy } from "../../../../shared/voice/spoken-names.ts";

const shown = ["Files only", "Rewind", "Rewind everything", "Standup, Tuesday yesterday", "Café ☕", "रुको"];

test.each([
  ["Files only", 0],
  // Whole before begun.
  ["rewind", 1],
  ["rewind everything!", 2],
  ["standup Tuesday", 3],
  ["café", 4],
  ["cafe\u0301", 4],
  ["रुको", 5],
  ["रुके", -1],
  ["file", -1],
  ["", -1],
  ["…", -1],
])("“%s” is number %i of what is shown", (said, place) => {
  expect(namedBy(shown, asSpoken(said))).toBe(place);
});

test("where two begin so, none is meant; of two with one name, the first", () => {
  expect(namedBy(["Taxes today", "Taxes last week"], "taxes")).toBe(-1);
  expect(namedBy(["Taxes", "Taxes"], "taxes")).toBe(0);
});
