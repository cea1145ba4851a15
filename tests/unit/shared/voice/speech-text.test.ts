import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxSentenceChars, SpeechText } from "../../../../shared/voice/speech-text.ts";

/** The sentences of a text that came in these pieces. */
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
  ["degrees", "It is 21 °C. Then it rains.", ["It is 21 °C.", "Then it rains."]],
  ["a line that ends like an initial", "- Take vitamin C.\n- Sleep.", ["Take vitamin C.", "Sleep."]],
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
  ["for example", "Fruit, e.g. Apples, helps. Good.", ["Fruit, e.g. Apples, helps.", "Good."]],
  ["emphasis", "This is **very *big* news**. And `code` too.", ["This is very big news.", "And code too."]],
  ["a heading", "# Plan\n\nWe go.", ["Plan", "We go."]],
  ["a bullet list", "Buy:\n\n- milk\n- **old** cheese\n", ["Buy:", "milk", "old cheese"]],
  ["a numbered list", "1. Open it.\n2. Close it.", ["1: Open it.", "2: Close it."]],
  ["code", "Run this:\n\n```sh\nrm -rf x\n```\n\nDone.", ["Run this:", "A code block.", "Done."]],
  ["a link", "See [the guide](https://x.org/a_b?c=d). OK?", ["See the guide.", "OK?"]],
  [
    "an address",
    "It is at https://www.example.com/a/b?c=1. Look.",
    ["It is at https://www.example.com/a/b?c=1.", "Look."],
  ],
  ["an image", "![a cat](x.png)", ["an image: a cat"]],
  ["emoji", "Done 🎉👍🏽! ✅\n\nNext.", ["Done 🎉👍🏽!", "Next."]],
  ["only emoji", "🎉", []],
  ["a small table", "| A | B |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n", ["A: 1, B: 2.", "A: 3, B: 4."]],
  ["a long table", `| A |\n|---|\n${"| x |\n".repeat(9)}`, ["A table with 9 rows: A."]],
  ["a quotation", "> He said so.\n\nI think.", ["He said so.", "I think."]],
  ["a rule and HTML", "One.\n\n---\n\n<br>\n\nTwo.", ["One.", "Two."]],
  ["quotes at the end", "He said “no.” Then he left.", ["He said “no.”", "Then he left."]],
  ["an ellipsis", "Well… Maybe. And so on... Yes.", ["Well…", "Maybe.", "And so on...", "Yes."]],
  ["identifiers", "The file my_big_file is here.", ["The file my_big_file is here."]],
  ["grouped digits", "It is 5_000 long.", ["It is 5_000 long."]],
  ["underscores that are left over", "The end_ of _this.", ["The end_ of _this."]],
  ["small letters after other marks than a full stop", "Sure? yes! good.", ["Sure?", "yes!", "good."]],
  ["small letters after three dots", "Wait... what? Yes.", ["Wait...", "what?", "Yes."]],
  ["small letters after a full stop", "The env. var is set. Yes.", ["The env. var is set.", "Yes."]],
  ["two spaces", "One.  Two.", ["One.", "Two."]],
  ["a small number", "Nos. 5 and 6 left. No. He left 5.", ["Nos. 5 and 6 left.", "No.", "He left 5."]],
  [
    "words around “no”",
    "A piano. 5 left. Northern. 6 left.",
    ["A piano.", "5 left.", "Northern.", "6 left."],
  ],
  ["capitals", "It is in the USA. Yes.", ["It is in the USA.", "Yes."]],
  ["numbered headings", "# 1. Start\n\n# 12. Go on\n\n# 123. End", ["1. Start", "12. Go on", "123.", "End"]],
  ["numbers within lists", "- one\n- 2\\. Two\n", ["one", "2. Two"]],
  ["a number at a sentence's end", "I won in 12. Then I left.", ["I won in 12.", "Then I left."]],
  ["that is", "The best, i.e. This, or i.e., that.", ["The best, i.e. This, or i.e., that."]],
  ["emoji between words", "Done🎉now.", ["Done🎉now."]],
  // Bug: a Chinese or Japanese reply was silent until its paragraph ended, and then cut anywhere.
  ["Chinese", "今天很好。我们去吗？好的！走吧", ["今天很好。", "我们去吗？", "好的！", "走吧"]],
  ["Japanese", "「はい。」と言った。次の文です。", ["「はい。」", "と言った。", "次の文です。"]],
  ["Hindi and Arabic", "यह एक है। यह दो है।\n\nهل أنت؟ نعم.", ["यह एक है।", "यह दो है।", "هل أنت؟", "نعم."]],
  ["comparisons", "It is < 5, x<=3, y >= -2 and z>1.", ["It is < 5, x<=3, y >= -2 and z>1."]],
  ["places in a menu", "Open Settings > Privacy. See a->2.", ["Open Settings > Privacy.", "See a->2."]],
  ["a product", "So 5 * 3 is ~15.", ["So 5 * 3 is ~15."]],
  ["a type", "A `List<T>` is here.", ["A List<T> is here."]],
  [
    "formulas",
    "With $x^2 + \\frac{a}{b}$ it is $5, or $6.\n\n$$\n\\int x dx\n$$\n\nSo.",
    ["With $x^2 + \\frac{a}{b}$ it is $5, or $6.", "$$ \\int x dx $$", "So."],
  ],
  ["tasks", "- [x] buy milk\n- [ ] eat\n1. [x] go", ["☑ buy milk", "☐ eat", "1: ☑ go"]],
  ["struck words", "It is ~~wrong~~ right. ~~All of it.~~", ["It is right."]],
  ["footnotes", "As said[^1]. Then more.\n\n[^1]: By Smith.", ["As said[^1].", "Then more."]],
  ["variables of a shell", "Set $MY_HOME and $PATH_B.", ["Set $MY_HOME and $PATH_B."]],
  ["marks alone", "?! – … Yes.", ["Yes."]],
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

test.each<[string, string[]]>([
  ["One.  T", ["One."]],
  ["He said “no.” Then", ["He said “no.”"]],
  ["# Plan\nW", ["Plan"]],
  ["First. *bo", ["First."]],
  ["*Bold. Claim it", []],
  ["First. See [the guide. Then", ["First."]],
  ["Use my_file. Then", ["Use my_file."]],
  ["Use _emphasis. Then", []],
  ["Use a__b. Then", []],
  ["| A |\n|---|\n| 1. B |\nx. Y", []],
])("of %j so much is sure: %j", (delta, sentences) => {
  expect(new SpeechText().feed(delta)).toEqual(sentences);
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

describe("what is longer than a breath", () => {
  const x = (count: number) => "x".repeat(count);

  test("is one piece up to its longest, and cut anywhere where there is no space", () => {
    expect(speak(x(240))).toEqual([x(240)]);
    expect(speak(x(500))).toEqual([x(240), x(240), x(20)]);
  });

  test("is cut at the commas of other scripts, and never within a letter", () => {
    const chinese = `${"好".repeat(100)}，${"好".repeat(200)}`;
    expect(speak(chinese)).toEqual([`${"好".repeat(100)}，`, "好".repeat(200)]);
    expect(speak(`x${"𠮷".repeat(150)}`)).toEqual([`x${"𠮷".repeat(119)}`, "𠮷".repeat(31)]);
  });

  test("is cut at the last space where there is no clause", () => {
    expect(speak(`${x(100)} ${x(100)} ${x(100)}`)).toEqual([`${x(100)} ${x(100)}`, x(100)]);
  });

  test.each([
    [", ", ",", ""],
    ["; ", ";", ""],
    [": ", ":", ""],
    [" – ", "", "– "],
    [" — ", "", "— "],
  ])("is cut at %j rather than at a later space", (mark, end, start) => {
    expect(speak(`${x(100)}${mark}${x(50)} ${x(150)}`)).toEqual([
      `${x(100)}${end}`,
      `${start}${x(50)} ${x(150)}`,
    ]);
  });

  test("is cut at the last clause, but not at one that comes too early", () => {
    const parts = (first: number) => speak(`${x(first)}, ${x(60)}, ${x(20)} ${x(200)}`);
    expect(parts(60)).toEqual([`${x(60)}, ${x(60)},`, `${x(20)} ${x(200)}`]);
    const early = (first: number) => speak(`${x(first)}, ${x(40)} ${x(200)}`)[0];
    expect([early(79), early(80)]).toEqual([`${x(79)}, ${x(40)}`, `${x(80)},`]);
  });
});

test("an address is never cut, however long it is", () => {
  const address = `https://example.com/${"a".repeat(400)}`;
  expect(speak(`See ${address} now`)).toEqual(["See", address, "now"]);
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
