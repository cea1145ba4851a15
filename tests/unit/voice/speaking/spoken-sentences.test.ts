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

test("the same words further down are those further down, and below the last ones all of it is read", () => {
  const at = page.lastIndexOf("second one");
  const sentences = sentencesOf(markdown);
  expect(spokenBefore(sentences, page.slice(0, at), page.slice(at))).toBe(sentences.slice(0, 5).join(" "));
  expect(spokenBefore(sentences, page, "")).toBe("");
});
