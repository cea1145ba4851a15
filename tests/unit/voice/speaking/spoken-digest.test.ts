import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type LeftOut,
  longestDigest,
  SpokenDigest,
  shortReply,
} from "../../../../electron/voice/speaking/spoken-digest.ts";
import { sentencesOf } from "../../../../electron/voice/speaking/spoken-sentences.ts";
import { endsInTime } from "../../../fixtures/ends-in-time.ts";

/** A sentence of so many letters, with its full stop. */
const sentence = (letter: string, chars: number) => `${letter.toUpperCase()}${letter.repeat(chars - 2)}.`;
const [lead, more] = ["This is the answer, and it stands alone.", "There is more to say about it."];
const long = Array.from({ length: 6 }, (_, at) => `Detail number ${at + 1} is here.`).join(" ");

function digestOf(markdown: string, step = markdown.length): { said: string[]; leftOut: LeftOut | null } {
  const digest = new SpokenDigest(false);
  const said: string[] = [];
  for (let at = 0; at < markdown.length; at += step) said.push(...digest.feed(markdown.slice(at, at + step)));
  said.push(...digest.flush());
  return { said, leftOut: digest.leftOut };
}

test.each<[string, string, string[], LeftOut | null]>([
  ["one sentence", lead, [lead], null],
  ["a short reply of two paragraphs", `${lead}\n\n${more}`, [lead, more], null],
  [
    "as many sentences as a short reply has",
    "A. B. C. D. E.".replace(/\w/g, "Word $& here"),
    sentencesOf("A. B. C. D. E.".replace(/\w/g, "Word $& here")),
    null,
  ],
  ["a longer reply", `${lead} ${more}\n\n${long}`, [lead, more], "text"],
  [
    "a first paragraph that is long itself",
    long,
    sentencesOf(long).slice(0, longestDigest.sentences),
    "text",
  ],
  [
    "long sentences",
    `${sentence("a", 200)} ${sentence("b", 200)} ${sentence("c", 200)}`,
    [sentence("a", 200)],
    "text",
  ],
  ["a list behind it", `${lead}\n\n- One\n- Two`, [lead], "list"],
  [
    "a list right below its first line",
    "Here are the ones that I found:\n1. One\n2. Two",
    ["Here are the ones that I found:"],
    "list",
  ],
  ["code behind it", `${lead}\n\n\`\`\`js\nrun();\n\`\`\`\n\n${more}`, [lead], "code"],
  ["a table behind it", `${lead}\n\n| a | b |\n|---|---|\n| 1 | 2 |`, [lead], "table"],
  ["text before the list", `${lead}\n\n${more}\n\n- One\n- Two`, [lead], "text"],
  ["a title before it", `# The title\n\n${lead}\n\n${long}`, ["The title", lead], "text"],
  ["hardly a word before it", `Sure!\n\n${lead}\n\n${long}`, ["Sure!", lead], "text"],
  ["nothing but code", "```js\nrun();\n```", [], "code"],
  ["a minus that becomes a line", `${lead}\n\n---\n\n${more}`, [lead, more], null],
])(
  "of a reply with %s its beginning is said, or all of a short one, however it streams",
  (_name, markdown, said, leftOut) => {
    for (const step of [1, 7, markdown.length]) expect(digestOf(markdown, step)).toEqual({ said, leftOut });
  },
);

test("a reply that is one letter longer than a short one is cut", () => {
  const letters = (chars: number) => `${sentence("a", 230)} ${sentence("b", 230)} ${sentence("c", chars)}`;
  const fits = shortReply.chars - 460;
  expect(digestOf(letters(fits)).leftOut).toBeNull();
  expect(digestOf(letters(fits + 1)).leftOut).toBe("text");
});

test("the first sentence is said at once, and that the rest is not is known as soon as it is too long", () => {
  const digest = new SpokenDigest(false);
  expect(digest.feed(`${lead}\n\nAnd`)).toEqual([lead]);
  expect(digest.leftOut).toBeNull();
  expect(digest.feed(` so on.\n\n\`\`\`js\n`)).toEqual([]);
  expect(digest.leftOut).toBe("text");
  expect(digest.said).toBe(lead);
});

test("a sentence that is longer than a breath is said to its end", () => {
  const breath = `${"word ".repeat(44)}and so on, `;
  const { said, leftOut } = digestOf(`${breath}${"more ".repeat(20)}of it. ${long}`);
  expect(said.join(" ")).toMatch(/ of it\.$/);
  expect(leftOut).toBe("text");
});

test("with the setting for all of it nothing is held back", () => {
  const digest = new SpokenDigest(true);
  const text = `${lead}\n\n- One\n- Two\n\n${long}`;
  expect([...digest.feed(text), ...digest.flush()]).toEqual(sentencesOf(text));
  expect(digest.leftOut).toBeNull();
});

test("what is said, and the rest once it is wanted, are the whole reply in its order", () => {
  const block = fc.constantFrom(
    lead,
    more,
    long,
    "- One\n- Two",
    "```\ncode();\n```",
    "# Title",
    "Sure!",
    "> Quoted words.",
  );
  fc.assert(
    fc.property(
      fc.array(block, { minLength: 1, maxLength: 6 }),
      fc.nat(40),
      fc.nat(400),
      (blocks, size, at) => {
        const text = blocks.join("\n\n");
        const digest = new SpokenDigest(false);
        const said: string[] = [];
        let isAsked = false;
        for (let from = 0; from < text.length; from += size + 1) {
          said.push(...digest.feed(text.slice(from, from + size + 1)));
          if (isAsked || from < at) continue;
          isAsked = true;
          said.push(...digest.readAll());
        }
        said.push(...digest.flush());
        if (digest.leftOut !== null) said.push(...digest.readAll());
        expect(said).toEqual(sentencesOf(text));
      },
    ),
  );
});

test("of very many lists in each other the text is said", () => {
  const lists = `${"- ".repeat(3000)}The word.\n\nMore.`;
  expect(endsInTime(() => digestOf(lists)).leftOut).toBe("list");
  expect(endsInTime(() => sentencesOf(lists)).join(" ")).toMatch(/The word\. More\.$/);
});
