import { expect, test } from "vitest";
import { sentencesOf, spokenBefore } from "../../../../electron/voice/speaking/spoken-sentences.ts";

const markdown =
  "The **first** one is here. The second one follows.\n\n```js\nrun();\n```\n\nThe first one again.\n\n- A point\n- The second one follows.";
const [blocks] = [
  [
    "The first one is here. The second one follows.",
    "run();",
    "The first one again.",
    "A point",
    "The second one follows.",
  ],
];
const page = blocks.join("\n");

test.each([
  ["The fir", 0],
  ["first one is here", 0],
  ["cond one follows", 1],
  // Code is said in other words: what comes after it is.
  ["run();", 3],
  ["one again", 3],
  ["point", 4],
])("at “%s” in the page the sentence begins that is read from there: number %d", (words, number) => {
  const at = page.indexOf(words);
  const sentences = sentencesOf(markdown);
  const before = spokenBefore(sentences, page.slice(0, at), page.slice(at));
  expect(before).toBe(sentences.slice(0, number).join(" "));
});

// Bug: at a point of a numbered list the reply was read from what came after the list, or from its beginning.
test("the points of a numbered list are found without their numbers, which the page's text does not have", () => {
  const sentences = sentencesOf("To do:\n\n1. Buy milk\n2. Call 2 people");
  expect(sentences).toEqual(["To do:", "1: Buy milk", "2: Call 2 people"]);
  const before = (text: string) =>
    spokenBefore(sentences, text, "To do:\nBuy milk\nCall 2 people".slice(text.length));
  expect(before("To do:\nBuy")).toBe("To do:");
  expect(before("To do:\nBuy milk\nCa")).toBe("To do: 1: Buy milk");
});

test("the same words further down are those further down, and below the last ones all of it is read", () => {
  const at = page.lastIndexOf("second one");
  const sentences = sentencesOf(markdown);
  expect(spokenBefore(sentences, page.slice(0, at), page.slice(at))).toBe(sentences.slice(0, 5).join(" "));
  expect(spokenBefore(sentences, page, "")).toBe("");
});
