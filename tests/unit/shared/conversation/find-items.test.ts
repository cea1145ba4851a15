import { describe, expect, it, test } from "vitest";
import { itemFinder } from "../../../../shared/conversation/find-items.ts";
import type { TranscriptItem } from "../../../../shared/conversation/transcript.ts";

const user = (key: string, text: string): TranscriptItem => ({
  kind: "user",
  key,
  text,
  origin: "typed",
  source: null,
  at: 0,
});
const reply = (text: string): TranscriptItem => ({
  kind: "assistant",
  key: "r",
  text,
  streaming: false,
  interrupted: false,
  at: 0,
});
const tool: TranscriptItem = {
  kind: "tool",
  key: "t",
  name: "shell",
  input: { command: "grep Apple", list: [{ of: "apples" }] },
  status: "done",
  output: "no APPLE here",
  startedAt: 0,
  durationMs: 1,
};
const findIn = (items: readonly TranscriptItem[], text: string) =>
  items.map(itemFinder(text)).filter((found) => found !== null);
const countIn = (item: TranscriptItem, text: string) => findIn([item], text)[0]?.count ?? 0;

test("items in their order, with how often the text stands in each; case makes no difference", () => {
  expect(findIn([user("a", "Apple pie, apple"), user("b", "pear"), tool], "aPPle")).toEqual([
    { key: "a", count: 2 },
    { key: "t", count: 3 },
  ]);
});

test("signs mean themselves, and nothing is found by nothing", () => {
  expect(findIn([user("a", "a.c (x)")], "a.c (")).toEqual([{ key: "a", count: 1 }]);
  expect(findIn([user("a", "abc")], "a.c")).toEqual([]);
  expect(findIn([user("a", "a bc")], "")).toEqual([]);
  expect(findIn([user("a", "a bc")], " ")).toEqual([]);
});

test("a prompt is shown as it was written, and so it is found", () => {
  expect(countIn(user("a", "the **quick** fox"), "**quick**")).toBe(1);
  expect(countIn(user("a", "the **quick** fox"), "quick fox")).toBe(0);
});

describe("a reply is found by what is read of it", () => {
  // Bug: the source was searched, so formatted text was missed, and marks and addresses were counted.
  it.each([
    ["the **quick** fox", "quick fox"],
    ["the **qu**ick fox", "quick fox"],
    ["see [the ma](https://a.example/x)nual.", "manual."],
    ["[re][1]ad\n\n[1]: https://a.example", "read"],
    ["snake\\_case", "snake_case"],
    ["a &amp; b &eacute;t&eacute;", "a & b été"],
    ["one\ntwo", "one two"],
    ["one.  Two", "one. two"],
    ["`npm  ci` now", "npm ci now"],
    ["```ts\nconst a = 1;\n```", "const a = 1"],
    ["~~old~~ price", "old price"],
    ["- [x] done", "done"],
    ["| a | b |\n|---|---|\n| **c** d | e |", "c d"],
    ["![a chart](https://a.example/p.png)", "image: a chart"],
    ["as said[^x] before\n\n[^x]: A *small* note", "small note"],
    ["as said[^x] before\n\n[^x]: A note", "said1 before"],
    ["<b>bold</b>", "<b>bold"],
    ["so $x^2 + 1$ is", "x^2 + 1 is"],
    ["\\(x\\)y", "xy"],
    ["\\[\n\\frac{a}{b}\n\\]", "\\frac{a}"],
  ])("%j has %j", (markdown, text) => {
    expect(countIn(reply(markdown), text)).toBe(1);
  });

  it.each([
    ["the **quick** fox", "**"],
    ["[manual](https://a.example/x)", "a.example"],
    ["```ts\nconst a = 1;\n```", "ts"],
    ["| a | b |\n|---|---|\n| c | d |", "cd"],
    ["| a | b |\n|---|---|\n| c | d |", "c d"],
    ["one\n\ntwo", "one two"],
    ["as said\n\n[^x]: A note that nothing refers to", "nothing refers"],
    ["so $x$ is", "$"],
  ])("%j has not %j", (markdown, text) => {
    expect(countIn(reply(markdown), text)).toBe(0);
  });
});

test("the answer of a command is read as it is shown: a fact is a name and a value", () => {
  const command: TranscriptItem = {
    kind: "command",
    key: "c",
    line: "/session",
    output: "All of it:\n\n- folder: `/home/ada`",
    isError: false,
    at: 0,
  };
  expect(countIn(command, "/home/ada")).toBe(1);
  expect(countIn(command, "folder: ")).toBe(0);
  expect(countIn(command, "/session")).toBe(1);
});
