import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");

/** All that can become a text of a window, with line breaks and gaps as one blank each. */
const sources = ["renderer", "shared", "electron"].flatMap((tree) =>
  readdirSync(join(root, tree), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({
      name: `${tree}/${name}`,
      text: readFileSync(join(root, tree, name), "utf8").replaceAll(/\s+/g, " "),
    })),
);

/** Texts that read as if they were translated; each was in the window once. */
const translated: readonly (string | RegExp)[] = [
  /(?:need|needs|by|for|since) your word(?!s)/i,
  "wants to run a command",
  "wants to reach the network",
  "wants to use its tool",
  "Session and always: allow",
  "For this session (=",
  "Deny, and say why",
  "✕ not done",
  "Say it, or type it",
  "does not pretend to be one",
  "This is the end-of-life runtime for development and tests",
  "Enter queues",
  "of them spoken",
  "said during the run",
  "Cut short here",
  '"Stopped."',
  "Parley ended in the middle of this reply",
  "This turn did not come to its end",
  "it is wrong or has expired",
  "asking again in",
  "too unsure",
  "Writing it down",
  "and has not been allowed",
  "It stands in the working folder's",
  "Rewind to here",
  "no key store that is unlocked",
  "End of a turn, and what follows",
];

test.each(translated)("no text says %s", (words) => {
  const isIn = ({ text }: (typeof sources)[number]) =>
    typeof words === "string" ? text.includes(words) : words.test(text);
  expect(sources.filter(isIn).map(({ name }) => name)).toEqual([]);
});

test("there is something to look through", () => {
  expect(sources.length).toBeGreaterThan(400);
});
