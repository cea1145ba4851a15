import { mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { whenChanged } from "../../../electron/settings/when-changed.ts";

let folder: string;
let path: string;
let reads: number;
let current: () => number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-changed-"));
  path = join(folder, "settings.json");
  reads = 0;
  current = whenChanged(path, () => ++reads);
});
afterEach(() => rmSync(folder, { recursive: true }));

const hourAgo = new Date(Date.now() - 3_600_000);
function write(to: string, text: string) {
  writeFileSync(to, text);
  utimesSync(to, hourAgo, hourAgo);
}

test("a file that stays as it is is read once", () => {
  write(path, "{}");
  expect([current(), current(), current()]).toEqual([1, 1, 1]);
});

test("a file that is not there is looked for, and read once it is", () => {
  expect([current(), current()]).toEqual([1, 1]);
  write(path, "{}");
  expect([current(), current()]).toEqual([2, 2]);
  rmSync(path);
  expect(current()).toBe(3);
});

test("another length, another time and another file in its place are changes", () => {
  write(path, "{}");
  current();
  write(path, "{ }");
  expect(current()).toBe(2);
  utimesSync(path, hourAgo, new Date(hourAgo.getTime() + 1));
  expect(current()).toBe(3);
  const { atime, mtime } = statSync(path);
  writeFileSync(join(folder, "new"), "[ ]");
  utimesSync(join(folder, "new"), atime, mtime);
  renameSync(join(folder, "new"), path);
  expect(current()).toBe(4);
});

test("a file that was just written is read each time: the next change could bear the same time", () => {
  writeFileSync(path, "{}");
  expect([current(), current()]).toEqual([1, 2]);
});

test("what could not be read is tried again", () => {
  write(path, "{}");
  let isBroken = true;
  const read = whenChanged(path, () => {
    if (isBroken) throw new Error("no right to read");
    return "read";
  });
  expect(read).toThrow("no right to read");
  isBroken = false;
  expect(read()).toBe("read");
});
