import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  conversationAbout,
  spokenCommandList,
  spokenCommandOf,
} from "../../../../shared/voice/spoken-commands.ts";

const root = join(import.meta.dirname, "../../../..");
/** What is said in the recordings. */
const sentences = readFileSync(join(root, "tests/fixtures/audio/transcripts.txt"), "utf8")
  .trim()
  .split("\n")
  .map((line) => line.replace(/^.*\|/, ""));
const allWords = sentences.join(" ").split(" ");

test.each([
  ["new conversation", "new_conversation"],
  ["Please start a new conversation.", "new_conversation"],
  ["Scroll down, please!", "scroll_down"],
  ["Read that again.", "read_again"],
  ["parley stop listening", "stop_listening"],
  ["Hey Parley, please stop listening", "stop_listening"],
  // So the embedded recogniser is sure to have heard two of four voices.
  ["stopped listening", "stop_listening"],
  ["Turned off the microphone.", "stop_listening"],
  ["What can I say?", "help"],
  ["Copy that, please.", "copy_that"],
  ["Close that.", "close"],
])("“%s” is %s", (text, name) => {
  expect(spokenCommandOf(text)).toEqual({ name });
});

test.each([
  ["Use the model Opus.", { name: "use_model", about: "opus" }],
  ["Press Files only.", { name: "press", about: "files only" }],
  ["Search this conversation for the last invoice", { name: "search_here", about: "the last invoice" }],
  ["search all conversations for taxes please", { name: "search_all", about: "taxes" }],
])("“%s” has words of the user's", (text, command) => {
  expect(spokenCommandOf(text)).toEqual(command);
});

test("a conversation is named by words of its title", () => {
  expect(spokenCommandOf("Open the one about my taxes.")).toEqual({ name: "open_about", about: "my taxes" });
});

test("the documents have every command, and no other", () => {
  const page = readFileSync(join(root, "docs/voice.md"), "utf8");
  const [, table = ""] = /## The app by voice alone\n.*?\n(\| Said .*?)\n\n/s.exec(page) ?? [];
  const said = table
    .split("\n")
    .slice(2)
    .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/"([^"]+)"/g)].map(([, words = ""]) => words));
  const known = spokenCommandList.flatMap(({ says }) => says);
  expect(said.length).toBeGreaterThan(15);
  for (const words of said) expect(known, words).toContain(words);
  for (const { says } of spokenCommandList)
    expect(
      says.some((words) => said.includes(words)),
      says[0],
    ).toBe(true);
});

describe("no ordinary prompt is a command", () => {
  test.each([
    "scroll down the page with a script",
    "write a new conversation between two robots",
    "how do I stop listening to bad music",
    "why have you stopped listening",
    "read that again and tell me what is wrong with it",
    "explain what open settings means",
    "send it",
    "open the door",
    "try again with fewer words",
    "search for a cheap flight",
    "rewind the tape in the story",
    "go back",
    "go back to the first version",
    "copy that file to my desktop",
    "undo that",
    "",
  ])("“%s”", (text) => {
    expect(spokenCommandOf(text)).toBeNull();
  });

  test("neither a sentence of the recordings nor a part of one", () => {
    expect(allWords.length).toBeGreaterThan(50);
    for (const text of sentences) expect(spokenCommandOf(text)).toBeNull();
    fc.assert(
      fc.property(fc.nat(allWords.length - 1), fc.integer({ min: 1, max: 12 }), (from, count) => {
        expect(spokenCommandOf(allWords.slice(from, from + count).join(" "))).toBeNull();
      }),
    );
  });

  test("nor a command's words with any others before or behind them", () => {
    const phrases = spokenCommandList.flatMap(({ says }) => says).filter((words) => !words.includes("…"));
    const word = fc.constantFrom(...allWords);
    fc.assert(
      fc.property(fc.constantFrom(...phrases), word, fc.boolean(), (phrase, other, isBefore) => {
        const text = isBefore ? `${other} ${phrase}` : `${phrase} ${other}`;
        expect(spokenCommandOf(text)).toBeNull();
      }),
    );
  });
});

test("a conversation is opened only where all words stand in its title, the one used last first", () => {
  const titles = ["My taxes of last year", "Taxes", "A letter to the landlord"].map((title) => ({ title }));
  expect(conversationAbout("taxes", titles)?.title).toBe("My taxes of last year");
  expect(conversationAbout("the landlord", titles)?.title).toBe("A letter to the landlord");
  expect(conversationAbout("taxes and summarise it", titles)).toBeUndefined();
  expect(conversationAbout("tax", titles)).toBeUndefined();
  expect(conversationAbout("the", titles)).toBeUndefined();
  const numbered = [{ title: "Taxes 2024" }];
  expect(conversationAbout("taxes twenty twenty four", numbered)).toBeDefined();
  expect(conversationAbout("taxes 2024", numbered)).toBeDefined();
  expect(conversationAbout("taxes twenty twenty five", numbered)).toBeUndefined();
  expect(conversationAbout("the cafe", [{ title: "Café in Zürich" }])).toBeDefined();
});

test("each command stands in the document", () => {
  const doc = readFileSync(join(root, "docs/voice.md"), "utf8");
  for (const { says } of spokenCommandList) {
    expect(doc).toContain(`"${says[0]}"`);
  }
});
