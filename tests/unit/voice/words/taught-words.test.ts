import { expect, test } from "vitest";
import { withUse } from "../../../../electron/voice/words/taught-words.ts";

const list = [
  { word: "Al", heardAs: [], usedOn: "2026-11-01" },
  { word: "Tavora", heardAs: [], usedOn: "2026-11-01" },
];
const usedOn = (text: string) =>
  withUse(list, text, "2026-11-25")?.map((own) => own.usedOn?.slice(8)) ?? null;

test("a word counts as used where it stands as a word", () => {
  expect(usedOn("Also Tavoras came.")).toBeNull();
  expect(usedOn("Also Al came.")).toEqual(["25", "01"]);
  expect(usedOn("“Tavora”, he said.")).toEqual(["01", "25"]);
});
