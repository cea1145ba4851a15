import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openRemembered } from "../../../electron/settings/remembered.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-remembered-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

// Bug: on a full disk a window that went to another conversation got an error, and no event of any conversation from then on.
test("what cannot be written stops nothing, counts until the end, and is written with what can be again", () => {
  const problems: unknown[] = [];
  const file = openRemembered(folder, (error) => problems.push(error));
  rmSync(folder, { recursive: true });
  // Where the file was is a folder now.
  mkdirSync(join(folder, "remembered.json", "in-the-way"), { recursive: true });
  file.change({ unread: ["a"] });
  expect(problems).toHaveLength(1);
  expect(file.current().unread).toEqual(["a"]);
  rmSync(join(folder, "remembered.json"), { recursive: true });
  file.change({ isListOpen: false });
  const written: unknown = JSON.parse(readFileSync(join(folder, "remembered.json"), "utf8"));
  expect(written).toMatchObject({ unread: ["a"], isListOpen: false, isPanelOpen: null });
  expect(openRemembered(folder, () => {}).current()).toEqual(file.current());
});
