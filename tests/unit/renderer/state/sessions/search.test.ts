import { beforeEach, describe, expect, it } from "vitest";
import {
  Search,
  shownSnippet,
  snippetForLine,
  snippetLines,
  snippetPieces,
} from "../../../../../renderer/state/sessions/search.ts";
import type { SearchHit } from "../../../../../shared/conversation/sessions.ts";
import { settled } from "../scripted-main.ts";
import { hitOf } from "../summaries.ts";

let asked: { words: string; answer: (hits: SearchHit[] | null) => void }[];
let search: Search;

beforeEach(() => {
  asked = [];
  search = new Search((words) => new Promise((answer) => asked.push({ words, answer })));
});
const answer = async (...hits: SearchHit[]) => {
  asked.shift()?.answer(hits);
  await settled();
};
const found = () => search.hits.get().map(({ conversationId }) => conversationId);

describe("a search as one types", () => {
  it("asks at once, and while that is on its way nothing more than the newest words", async () => {
    for (const words of ["w", "wo", "wor", "word"]) search.change(words);
    expect(asked.map(({ words }) => words)).toEqual(["w"]);
    await answer(hitOf("early"));
    expect(asked.map(({ words }) => words)).toEqual(["word"]);
    expect(search.isSettled.get()).toBe(false);
    await answer(hitOf("right"));
    expect(found()).toEqual(["right"]);
    expect(search.isSettled.get()).toBe(true);
    expect(asked).toEqual([]);
  });

  // Bug: an answer that comes after the field was cleared filled the list again.
  it("that was cleared finds nothing, whatever is still on its way", async () => {
    search.change("word");
    search.change("");
    await answer(hitOf("late"));
    expect(found()).toEqual([]);
    expect(search.isSettled.get()).toBe(true);
  });

  it("that failed can be tried again", async () => {
    search.change("word");
    asked.shift()?.answer(null);
    await settled();
    search.change("words");
    await answer(hitOf("a"));
    expect(found()).toEqual(["a"]);
  });
});

it("a snippet is cut where its marks are, and they are not shown", () => {
  expect(snippetPieces("\uE000word\uE001 in \uE000words\uE001")).toEqual([
    { text: "word", isMarked: true },
    { text: " in ", isMarked: false },
    { text: "words", isMarked: true },
  ]);
});

// Bug: "| | Search | 6 |" and "**" stood in what was found.
it("the words found in a reply come without the signs of its Markdown; other words as they are", () => {
  const shown = (snippet: string, kind: "reply" | "tool output" = "reply") => shownSnippet({ kind, snippet });
  expect(shown("… | Search | \uE000six\uE001 | |---|---| | Voice | 4 |")).toBe(
    "… · Search · \uE000six\uE001 · Voice · 4",
  );
  expect(shown("## A **\uE000bold\uE001** word, `code` and [a link](https://x.example)")).toBe(
    "A \uE000bold\uE001 word, code and a link",
  );
  expect(shown("- one\n- two snake_case 3 * 4")).toBe("one two snake_case 3 * 4");
  expect(shown("cat **/*.ts | wc -l", "tool output")).toBe("cat **/*.ts | wc -l");
});

it("a short snippet takes one line, however much of it is marked", () => {
  expect(snippetLines("\uE000word\uE001 in \uE000words\uE001")).toBe(1);
  expect(snippetLines("word ".repeat(20))).toBe(2);
});

describe("a snippet for one line", () => {
  const line = (snippet: string) => snippetForLine(snippet).replaceAll(/[\uE000\uE001]/g, "|");

  // Bug: the words before it filled the palette's line, and what was found was cut off.
  it("begins with the last whole words before what was found", () => {
    expect(
      line("…a keel keeps a boat upright in any wind, so that a \uE000rewind\uE001 does not matter."),
    ).toBe("…wind, so that a |rewind| does not matter.");
    expect(line("…of everything that ended on Friday, yesterday. But then \uE000tulips\uE001 came.")).toBe(
      "…But then |tulips| came.",
    );
  });

  it("stays as it is where that is in sight, or nothing is marked", () => {
    expect(line("A short \uE000way\uE001 there")).toBe("A short |way| there");
    expect(line("nothing in it is marked, however long it goes on")).toBe(
      "nothing in it is marked, however long it goes on",
    );
  });

  it("begins with a long word that was found, and never with a part of another", () => {
    expect(line("what they call \uE000misconfigurations-of-servers\uE001 is")).toBe(
      "…|misconfigurations-of-servers| is",
    );
    expect(line("donaudampfschifffahrtsgesellschaft \uE000kapitän\uE001")).toBe("…|kapitän|");
  });

  it("counts wide characters as two, and cuts them between words", () => {
    const shown = line("我们昨天在花园里种了许多颜色不同的\uE000郁金香\uE001。");
    expect(shown).toMatch(/^…\p{Script=Han}+\|郁金香\|。$/u);
    expect(shown.indexOf("|")).toBeLessThanOrEqual(10);
  });
});
