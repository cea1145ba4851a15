import { expect, it } from "vitest";
import { lineEntries, namedEntries } from "../../../../../renderer/state/palette/palette-items.ts";
import { ranked } from "../../../../../renderer/state/palette/rank.ts";
import { texts } from "../../../../../renderer/texts/texts.ts";

const checkpoint = {
  name: "checkpoint",
  usage: "/checkpoint list [N] · show ID · rewind ID [--files] · redo [--force]",
  description: "What each turn changed.",
};
const { lines } = texts.palette;

// Bug: "rew" found the way back only in a sentence about something else.
it("“rew” finds the ways back by their own names, and neither twice", () => {
  const entries = [...namedEntries([checkpoint], lines), ...lineEntries([checkpoint], lines)];
  const found = ranked(entries, { words: ["rew"], uses: {}, now: 0, most: 5 });
  expect(found.map(({ title, about, choice }) => ({ title, about, choice }))).toEqual([
    { title: "Rewind to a prompt…", about: "/checkpoint rewind", choice: { type: "rewind" } },
    {
      title: "Undo the last rewind",
      about: "/checkpoint redo",
      // Sent by whoever has read it once more.
      choice: { type: "line", line: "/checkpoint redo", isWhole: false },
    },
  ]);
});

it("they are not there where their command is not", () => {
  expect(namedEntries([], lines)).toEqual([]);
});
