import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { endsInTime } from "../../fixtures/ends-in-time.ts";
import { createToolRig, type ToolRig } from "./tool-rig.ts";

let rig: ToolRig;
beforeEach(async () => {
  rig = await createToolRig();
});
afterEach(() => rig.close());

const preview = async (name: string, input: object) => {
  const tool = rig.tools.find((one) => one.name === name);
  return await tool?.preview?.(tool.input.parse(input), rig.environment);
};

test("an edit is shown in its place in the file, with what stands around it", async () => {
  writeFileSync(rig.at("a.txt"), "one\r\ntwo\r\nthree\r\n");
  expect(await preview("edit_file", { path: "a.txt", old_string: "two", new_string: "2\nand a half" })).toBe(
    "--- a.txt\n+++ a.txt\n@@ -1,3 +1,4 @@\n one\r\n-two\r\n+2\r\n+and a half\r\n three\r",
  );
  expect(readFileSync(rig.at("a.txt"), "utf8")).toBe("one\r\ntwo\r\nthree\r\n");
  await expect(preview("edit_file", { path: "a.txt", old_string: "x", new_string: "y" })).rejects.toThrow();
});

test("a file in place of another is shown by what differs, a new one whole", async () => {
  writeFileSync(rig.at("a.txt"), "one\ntwo\n");
  expect(await preview("write_file", { path: "a.txt", content: "one\nthree\n" })).toContain(
    " one\n-two\n+three",
  );
  expect(await preview("write_file", { path: "b.txt", content: "new\n" })).toBe(
    "--- /dev/null\n+++ b.txt\n@@ -0,0 +1,1 @@\n+new",
  );
});

// Bug: the card of a change of 4,000 lines took 11 s to make, in which Parley stood still.
test("long texts that have nothing in common are shown whole, one below the other", () => {
  const lines = (word: string) => Array.from({ length: 6000 }, (_, index) => `${word} ${index}`).join("\n");
  const tool = rig.tools.find(({ name }) => name === "edit_file");
  const input = { path: "f", old_string: lines("old"), new_string: lines("new"), replace_all: false };
  const shown = endsInTime(() => tool?.describe?.(input)) ?? "";
  expect(shown.split("\n").slice(0, 4)).toEqual(["--- f", "+++ f", "@@ -1,6000 +1,6000 @@", "-old 0"]);
  expect(shown.split("\n").slice(6002, 6004)).toEqual(["-old 5999", "+new 0"]);
});

test("a patch is shown file by file, as it will be, and nothing is written", async () => {
  writeFileSync(rig.at("a.txt"), "one\ntwo\n");
  writeFileSync(rig.at("gone.txt"), "away\n");
  const patch = [
    "*** Begin Patch",
    "*** Update File: a.txt",
    "*** Move to: b.txt",
    "@@",
    "-two",
    "+2",
    "*** Add File: new.txt",
    "+hello",
    "*** Delete File: gone.txt",
    "*** End Patch",
  ].join("\n");
  expect(await preview("apply_patch", { patch })).toBe(
    [
      "rename from a.txt\nrename to b.txt",
      "--- b.txt\n+++ b.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2",
      "--- /dev/null\n+++ new.txt\n@@ -0,0 +1,1 @@\n+hello",
      "--- gone.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-away",
    ].join("\n"),
  );
  expect(readFileSync(rig.at("a.txt"), "utf8")).toBe("one\ntwo\n");
});
