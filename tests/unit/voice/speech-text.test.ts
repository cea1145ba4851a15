import fc from "fast-check";
import { expect, test } from "vitest";
import { maxSentenceChars, SpeechText } from "../../../electron/voice/speaking/speech-text.ts";

/** All that is said of a text that came in these pieces. */
function speak(...deltas: string[]): string[] {
  const speech = new SpeechText();
  return [...deltas.flatMap((delta) => speech.feed(delta)), ...speech.flush()];
}

test.each<[string, string, string[]]>([
  ["plain sentences", "Hello there. How are you? Fine!", ["Hello there.", "How are you?", "Fine!"]],
  [
    "abbreviations",
    "Dr. Smith met Mrs. Jones vs. Mr. Young. No. 5 left.",
    ["Dr. Smith met Mrs. Jones vs. Mr. Young.", "No. 5 left."],
  ],
  ["initials", "J. K. Rowling wrote it. Yes.", ["J. K. Rowling wrote it.", "Yes."]],
  [
    "numbers",
    "Pi is 3.14 or so. It costs $1,299.50 today.",
    ["Pi is 3.14 or so.", "It costs $1,299.50 today."],
  ],
  [
    "versions and files",
    "Use Node 20.18. Then open main.ts now.",
    ["Use Node 20.18.", "Then open main.ts now."],
  ],
  ["for example", "Fruit, e.g. Apples, helps. Good.", ["Fruit, for example Apples, helps.", "Good."]],
  ["emphasis", "This is **very *big* news**. And `code` too.", ["This is very big news.", "And code too."]],
  ["a heading", "# Plan\n\nWe go.", ["Plan", "We go."]],
  ["a bullet list", "Buy:\n\n- milk\n- **old** cheese\n", ["Buy:", "milk", "old cheese"]],
  ["a numbered list", "1. Open it.\n2. Close it.", ["1: Open it.", "2: Close it."]],
  ["code", "Run this:\n\n```sh\nrm -rf x\n```\n\nDone.", ["Run this:", "A code block.", "Done."]],
  ["a link", "See [the guide](https://x.org/a_b?c=d). OK?", ["See the guide.", "OK?"]],
  [
    "an address",
    "It is at https://www.example.com/a/b?c=1. Look.",
    ["It is at a link to example.com.", "Look."],
  ],
  ["an image", "![a cat](x.png)", ["an image: a cat"]],
  ["emoji", "Done 🎉👍🏽! ✅\n\nNext.", ["Done!", "Next."]],
  ["only emoji", "🎉", []],
  ["a small table", "| A | B |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n", ["A: 1, B: 2.", "A: 3, B: 4."]],
  ["a long table", `| A |\n|---|\n${"| x |\n".repeat(9)}`, ["A table with 9 rows: A."]],
  ["a quotation", "> He said so.\n\nI think.", ["He said so.", "I think."]],
  ["a rule and HTML", "One.\n\n---\n\n<br>\n\nTwo.", ["One.", "Two."]],
  ["quotes at the end", "He said “no.” Then he left.", ["He said “no.”", "Then he left."]],
  ["an ellipsis", "Well… Maybe. And so on... Yes.", ["Well…", "Maybe.", "And so on...", "Yes."]],
  ["identifiers", "The file my_big_file is here.", ["The file my_big_file is here."]],
])("%s", (_name, markdown, sentences) => {
  expect(speak(markdown)).toEqual(sentences);
  expect(speak(...markdown), "in single characters").toEqual(sentences);
});

test("a sentence comes as soon as the next one begins, before its paragraph ends", () => {
  const speech = new SpeechText();
  expect(speech.feed("The sky is")).toEqual([]);
  expect(speech.feed(" blue.")).toEqual([]);
  expect(speech.feed(" The sea")).toEqual(["The sky is blue."]);
  expect(speech.flush()).toEqual(["The sea"]);
});

test("half of an emphasis waits until it is closed", () => {
  const speech = new SpeechText();
  expect(speech.feed("First. A **bold. Claim")).toEqual(["First."]);
  expect(speech.feed("** it is. Yes")).toEqual(["A bold.", "Claim it is."]);
});

test("a code block is mentioned once, while it is still being written", () => {
  const speech = new SpeechText();
  expect([...speech.feed("Look:\n\n```js\nlet a = 1;\n"), ...speech.feed("let b.c = 2. D\n")]).toEqual([
    "Look:",
  ]);
  expect([...speech.feed("```\n\nGood"), ...speech.flush()]).toEqual(["A code block.", "Good"]);
});

test("after a reset nothing of the voided text is said", () => {
  const speech = new SpeechText();
  speech.feed("Old words. And");
  speech.reset();
  expect([...speech.feed("New words."), ...speech.flush()]).toEqual(["New words."]);
});

test("a sentence without end is cut into breaths, at clauses where there are some", () => {
  const long = `${"and on it goes, ".repeat(60)}end.`;
  const pieces = speak(long);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(maxSentenceChars);
  expect(pieces.slice(0, -1).every((piece) => piece.endsWith(","))).toBe(true);
  expect(pieces.join(" ")).toBe(long);
});

const word = fc.stringMatching(/^[A-Za-z]{1,9}$/);
const text = fc
  .array(
    fc.tuple(word, fc.constantFrom(" ", " ", " ", ". ", "? ", ", ", "\n\n", "\n- ", " **bold** ", "\n\n# ")),
    { maxLength: 25 },
  )
  .map((parts) => parts.map(([one, gap]) => one + gap).join(""));
const wordsOf = (said: string) => said.match(/[A-Za-z]+/g) ?? [];

test("no word is lost, doubled or moved, however the text is cut into deltas", () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(400), { maxLength: 20 }), (markdown, places) => {
      const cuts = [0, ...places.map((place) => place % (markdown.length + 1)).sort((a, b) => a - b)];
      const deltas = cuts.map((cut, index) => markdown.slice(cut, cuts[index + 1]));
      const said = speak(...deltas);
      expect(wordsOf(said.join(" "))).toEqual(wordsOf(markdown));
      expect(said).toEqual(speak(markdown));
    }),
    { numRuns: 60 },
  );
});
