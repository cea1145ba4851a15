import { beforeEach, describe, expect, it } from "vitest";
import { Search, snippetPieces } from "../../../../../renderer/state/sessions/search.ts";
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
