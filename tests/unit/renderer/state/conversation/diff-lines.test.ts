import { expect, it } from "vitest";
import {
  type FileDiff,
  nearChanges,
  readDiff,
} from "../../../../../renderer/state/conversation/diff-lines.ts";

const shown = (diff: string) => inShort(readDiff(diff));
const inShort = (files: readonly FileDiff[]) =>
  files.map(({ path, added, removed, lines }) => ({
    path,
    counts: [added, removed],
    lines: lines.map(({ kind, number, parts }) => [kind, number, parts.map(({ text }) => text).join("")]),
  }));

it("says which file it is, how many lines come and go, and where they stand", () => {
  const diff = "--- a.md\n+++ a.md\n@@ -6,2 +6,3 @@\n ## 2.4\n-old\n+new\n+more\n@@ -20 +21 @@\n-x\n+y";
  expect(shown(diff)).toEqual([
    {
      path: "a.md",
      counts: [3, 2],
      lines: [
        ["skip", null, ""],
        ["same", 6, "## 2.4"],
        ["del", 7, "old"],
        ["add", 7, "new"],
        ["add", 8, "more"],
        ["skip", null, ""],
        ["del", 20, "x"],
        ["add", 21, "y"],
      ],
    },
  ]);
});

it("tells files apart: a new one, one that goes, one that gets another name", () => {
  const diff =
    "--- /dev/null\n+++ new\n@@ -0,0 +1 @@\n+a\n--- gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\nrename from c\nrename to d";
  expect(readDiff(diff).map(({ path, from }) => [path, from])).toEqual([
    ["new", null],
    ["gone", null],
    ["d", "c"],
  ]);
});

// Bug: a removed line that begins with two dashes passed for the head of a file.
it("takes no changed line for a head, and leaves out nothing that it does not know", () => {
  const diff = "--- a\n+++ a\n@@ -1,2 +1,2 @@\n--- evil\n+++ good\n x\n+not counted\nwhat is this";
  expect(shown(diff)[0]?.lines).toEqual([
    ["del", 1, "-- evil"],
    ["add", 1, "++ good"],
    ["same", 2, "x"],
    ["raw", null, "+not counted"],
    ["raw", null, "what is this"],
  ]);
  expect(shown("no diff")[0]?.lines).toEqual([["raw", null, "no diff"]]);
});

it("shows of what stays one line on each side, in short", () => {
  const before = " 1\n 2\n-old\n+new\n 4\n 5\n 6\n-gone\n 8\n 9";
  const files = readDiff(`--- a\n+++ a\n@@ -2,9 +2,8 @@\n${before}\n@@ -30 +29 @@\n-x\n+y`);
  expect(inShort(files.map(nearChanges))[0]?.lines).toEqual([
    ["same", 3, "2"],
    ["del", 4, "old"],
    ["add", 4, "new"],
    ["same", 5, "4"],
    ["skip", null, ""],
    ["same", 7, "6"],
    ["del", 8, "gone"],
    ["same", 8, "8"],
    ["skip", null, ""],
    ["del", 30, "x"],
    ["add", 29, "y"],
  ]);
});

it("marks the words that another line has in their place", () => {
  const [file] = readDiff('--- a\n+++ a\n@@ -1 +1 @@\n-  "version": "2.3.1",\n+  "version": "2.4.0",');
  const marked = file?.lines.map(({ parts }) =>
    parts.filter(({ isChanged }) => isChanged).map(({ text }) => text),
  );
  expect(marked).toEqual([["3.1"], ["4.0"]]);
});

it("marks nothing where two lines have nothing in common", () => {
  const [file] = readDiff("--- a\n+++ a\n@@ -1 +1 @@\n-one.\n+two.");
  expect(file?.lines.every(({ parts }) => parts.every(({ isChanged }) => !isChanged))).toBe(true);
});
