import { chmod, readFile, stat, symlink, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createToolRig, type ToolRig } from "./tool-rig.ts";

let rig: ToolRig;
beforeEach(async () => {
  rig = await createToolRig();
});
afterEach(async () => await rig.close());

const text = async () => await readFile(rig.at("f"), "utf8");
const edit = async (old_string: string, new_string: string, more: object = {}) =>
  await rig.call("edit_file", { path: "f", old_string, new_string, ...more });

describe("edit_file", () => {
  test("replaces what is there once, keeps the mode, and says where", async () => {
    await writeFile(rig.at("f"), "one\ntwo\nthree\n");
    await chmod(rig.at("f"), 0o711);
    expect(await edit("two\nthree", "2\n3\n4")).toEqual({ text: "Changed f (line 2)." });
    expect(await text()).toBe("one\n2\n3\n4\n");
    expect((await stat(rig.at("f"))).mode & 0o777).toBe(0o711);
  });

  test("more than once: refused with the lines, unless all are meant", async () => {
    await writeFile(rig.at("f"), "a\nb a\nc\na\n");
    const refused = await edit("a", "x");
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain("3 times (lines 1, 2, 4)");
    expect(await text()).toBe("a\nb a\nc\na\n");
    expect((await edit("a", "$&x", { replace_all: true })).text).toContain("3 places");
    expect(await text()).toBe("$&x\nb $&x\nc\n$&x\n");
  });

  test("not there: the nearest lines are shown with their numbers", async () => {
    await writeFile(rig.at("f"), "alpha\nfunction  greet(name) {\n  return name;\n}\n");
    const refused = await edit("function greet(names) {", "x");
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain("is not in f");
    expect(refused.text).toContain("     2→function  greet(name) {");
    expect((await edit("completely different words", "x")).text).toContain("Nothing in it is similar");
  });

  test("line ends and the byte order mark stay as the file has them, byte by byte", async () => {
    await writeFile(rig.at("f"), "\uFEFFone\r\ntwo\r\nthree\r\n");
    await edit("one\ntwo\n", "1\n1.5\n2\n");
    expect(await text()).toBe("\uFEFF1\r\n1.5\r\n2\r\nthree\r\n");
    await edit("three", "3\n4");
    expect(await text()).toBe("\uFEFF1\r\n1.5\r\n2\r\n3\r\n4\r\n");
    await writeFile(rig.at("f"), "a\r\nb\nc\u2028d\u0085e\n");
    await edit("b\n", "B\nB\n");
    expect(await text()).toBe("a\r\nB\nB\nc\u2028d\u0085e\n");
    await edit("a\r\nB", "x\ny");
    expect(await text()).toBe("x\ny\nB\nc\u2028d\u0085e\n");
    await writeFile(rig.at("f"), "a😀b");
    expect((await edit("\ude00", "x")).isError).toBe(true);
    expect(await text()).toBe("a😀b");
  });

  test.each([
    ["quotes", "He said “hello” to us.", 'said "hello" to', 'said "goodbye" to', "He said “goodbye” to us."],
    ["a no-break space", "10\u00a0km and more", "10 km and", "10 km or", "10\u00a0km or more"],
    ["a narrow one", "20\u202f°C now", "20 °C", "21 °C", "21\u202f°C now"],
    [
      "dashes",
      "1990–1999 — long ago",
      "1990-1999 - long",
      "1990-1999 - not long",
      "1990–1999 — not long ago",
    ],
    ["apostrophes", "It’s theirs, isn’t it", "It's theirs, isn't", "It's ours, isn't", "It’s ours, isn’t it"],
    ["an ellipsis", "Wait… now", "Wait... now", "Wait... then", "Wait… then"],
    [
      "a soft hyphen",
      "a Donau\u00addampfer b",
      "a Donaudampfer b",
      "a Donaudampfer c",
      "a Donau\u00addampfer c",
    ],
    ["a space without width", "one\u200b, two", "one, two", "one, three", "one\u200b, three"],
    ["decomposed letters", "Cafe\u0301 open", "Caf\u00e9 open", "Caf\u00e9 shut", "Cafe\u0301 shut"],
    ["composed letters", "Caf\u00e9 open", "Cafe\u0301 open", "Cafe\u0301 shut", "Caf\u00e9 shut"],
    ["plain ones", 'a "b" c', "a “b” c", "a “b” d", 'a "b" d'],
    ["lines", "“a”\r\n“b”\r\nc\r\n", '"a"\n"b"\n', '"a"\nx\n"b"\n', "“a”\r\nx\r\n“b”\r\nc\r\n"],
  ])("%s that look alike are found, and those of the file stay", async (_, file, old, by, expected) => {
    await writeFile(rig.at("f"), file);
    const result = await edit(old, by);
    expect(result.isError, result.text).toBeUndefined();
    expect(result.text).toContain("they were kept");
    expect(await text()).toBe(expected);
  });

  test("signs that look alike at several places, or as a part of others, are refused and named", async () => {
    await writeFile(rig.at("f"), "“a” 1\n«a» 2\n“a” 3\nWait…\n");
    const twice = await edit('"a" ', "b ");
    expect(twice.isError).toBe(true);
    expect(twice.text).toContain("“ U+201C, ” U+201D");
    expect(twice.text).toContain("2 times (lines 1, 3)");
    expect((await edit("Wait..", "x")).isError).toBe(true);
    expect((await edit('"a" ', '"b" ', { replace_all: true })).text).toContain("2 places");
    expect(await text()).toBe("“b” 1\n«a» 2\n“b” 3\nWait…\n");
    await writeFile(rig.at("f"), "Caf\u00e9\n");
    expect((await edit("Cafe", "x")).isError).toBe(true);
    // A Korean syllable is several signs here, of which those of another one are the first.
    await writeFile(rig.at("f"), "\uac01 x".normalize("NFD"));
    expect((await edit("\uac00", "x")).isError).toBe(true);
    expect(await text()).toBe("\uac01 x".normalize("NFD"));
  });

  test.each([
    ["a Cyrillic letter", "const p\u0430th = 1;", "const path = 1;", "\u0430 U+0430"],
    ["a wide sign", "call（x）;", "call(x);", "（ U+FF08, ） U+FF09"],
    ["a blank in another text", "one\u00a0two three", "one two four", "U+00A0"],
  ])("not there: %s is named", async (_, file, old, named) => {
    await writeFile(rig.at("f"), `first\n${file}\nlast\n`);
    const { text, isError } = await edit(old, "x");
    expect(isError).toBe(true);
    expect(text).toContain(`old_string does not have: ${named}.`);
  });

  test("what stands there exactly goes before what looks alike", async () => {
    await writeFile(rig.at("f"), '“a”\n"a"\n');
    expect((await edit('"a"', '"b"')).text).toBe("Changed f (line 2).");
    expect(await text()).toBe('“a”\n"b"\n');
  });

  test.each(["utf-16le", "utf-16be"])("a file in %s stays so", async (encoding) => {
    const inOrder = (bytes: Buffer) => (encoding === "utf-16be" ? bytes.swap16() : bytes);
    const now = async () => inOrder(await readFile(rig.at("f"))).toString("utf16le");
    await writeFile(rig.at("f"), inOrder(Buffer.from("\uFEFFGröße\r\n😀 two\r\n", "utf16le")));
    await edit("Größe\n😀", "Maß\n✓");
    expect(await now()).toBe("\uFEFFMaß\r\n✓ two\r\n");
    const patch = ["*** Begin Patch", "*** Update File: f", "@@", "-Maß", "+ä", "*** End Patch"].join("\n");
    await rig.run("apply_patch", { patch });
    expect(await now()).toBe("\uFEFFä\r\n✓ two\r\n");
    expect(await rig.run("write_file", { path: "f", content: "one\n€\n" })).toContain("byte order mark");
    expect(await now()).toBe("\uFEFFone\r\n€\r\n");
    await rig.run("write_file", { path: "f", content: "\ud83d half" });
    expect(await now()).toBe("\uFEFF\ufffd half");
    await rig.run("write_file", { path: "f", content: "" });
    expect(await readFile(rig.at("f"))).toHaveLength(0);
  });

  test("no text, too large, the same, nothing: refused and unchanged", async () => {
    await writeFile(rig.at("f"), new Uint8Array([97, 0, 98]));
    await expect(edit("a", "b")).rejects.toThrow("not UTF-8 text");
    await writeFile(rig.at("f"), new Uint8Array([97, 0xff]));
    await expect(edit("a", "b")).rejects.toThrow("not UTF-8 text");
    await writeFile(rig.at("f"), "a".repeat(5_000_001));
    await expect(edit("a", "b")).rejects.toThrow("too large to edit");
    await expect(edit("", "b")).rejects.toThrow();
    expect((await edit("a", "a")).isError).toBe(true);
    await expect(rig.run("edit_file", { path: "g", old_string: "a", new_string: "b" })).rejects.toThrow(
      "no such file",
    );
  });

  test("whatever is replaced by whatever: everything around it is the same", async () => {
    const piece = fc.string({
      unit: fc.constantFrom("a", "é", "😀", "\n", "\r\n", "$", ".", "(", " "),
      maxLength: 12,
    });
    const marker = fc.constantFrom("MARK", "MA\nRK", "$1.*MARK", "M(A)RK\n");
    await fc.assert(
      fc.asyncProperty(piece, piece, marker, piece, async (before, after, old, fresh) => {
        await writeFile(rig.at("f"), before + old + after);
        const result = await edit(old, `${fresh}+`, { replace_all: false });
        expect(result.isError, result.text).toBeUndefined();
        const changed = await text();
        expect(changed.startsWith(before)).toBe(true);
        expect(changed.endsWith(after)).toBe(true);
        const middle = changed.slice(before.length, changed.length - after.length);
        expect(middle.replaceAll("\r\n", "\n")).toBe(`${fresh}+`.replaceAll("\r\n", "\n"));
      }),
      { numRuns: 150 },
    );
  });
});

test("calls of several agents change one file at the same time: nothing of theirs is lost, by whatever name", async () => {
  await writeFile(rig.at("f"), "a\nb\nc\nd\n");
  await symlink("f", rig.at("link"));
  const change = async (name: string, path: string, input: object) => {
    const environment = (await rig.environment.pinned?.([path])) ?? rig.environment;
    await rig.call(name, { path, ...input }, { environment });
  };
  const patch = ["*** Begin Patch", "*** Update File: f", "@@", "-d", "+D", "*** End Patch"].join("\n");
  await Promise.all([
    change("edit_file", "f", { old_string: "a", new_string: "A" }),
    change("edit_file", "link", { old_string: "b", new_string: "B" }),
    change("edit_file", rig.at("f"), { old_string: "c", new_string: "C" }),
    change("apply_patch", "f", { patch }),
  ]);
  expect(await text()).toBe("A\nB\nC\nD\n");
});

test("a change that is stopped while it waits for another is not made", async () => {
  await writeFile(rig.at("f"), "a\nb\n");
  const stop = new AbortController();
  const first = edit("a", "A");
  const second = rig.call(
    "edit_file",
    { path: "f", old_string: "b", new_string: "B" },
    { signal: stop.signal },
  );
  stop.abort(new Error("stopped"));
  await expect(second).rejects.toThrow("stopped");
  await first;
  expect(await text()).toBe("A\nb\n");
});

describe("write_file", () => {
  test("new or in place of another, exactly the content", async () => {
    expect(await rig.run("write_file", { path: "a/f", content: "\uFEFFx\r\ny" })).toBe(
      "Created a/f (2 lines).",
    );
    expect(await readFile(rig.at("a/f"))).toEqual(Buffer.from("\uFEFFx\r\ny"));
    expect(await rig.run("write_file", { path: "a/f", content: "" })).toBe("Replaced a/f (0 lines).");
    await expect(rig.run("write_file", { path: "a", content: "x" })).rejects.toThrow("is a folder");
  });

  test("in place of another keeps its line ends and its byte order mark, which the model does not see", async () => {
    await writeFile(rig.at("f"), "\uFEFFone\r\ntwo\r\n");
    expect(await rig.run("write_file", { path: "f", content: "1\n2\n3" })).toBe(
      "Replaced f (3 lines, with the line endings and byte order mark that it had).",
    );
    expect(await text()).toBe("\uFEFF1\r\n2\r\n3");
    const exact = await rig.run("write_file", { path: "f", content: "\uFEFFa\r\nb\n" });
    expect(exact).toBe("Replaced f (2 lines).");
    expect(await text()).toBe("\uFEFFa\r\nb\n");
    await writeFile(rig.at("f"), "one\ntwo\n");
    await rig.run("write_file", { path: "f", content: "a\r\nb\n" });
    expect(await text()).toBe("a\r\nb\n");
    // Of a large one the beginning tells, and may end within a character.
    await writeFile(rig.at("f"), `one\r\n${"😀".repeat(300_000)}\r\n`);
    await rig.run("write_file", { path: "f", content: "a\nb\n" });
    expect(await text()).toBe("a\r\nb\r\n");
    await writeFile(rig.at("f"), new Uint8Array([0xff, 13, 10]));
    await rig.run("write_file", { path: "f", content: "a\n" });
    expect(await text()).toBe("a\n");
    // Too large to be edited.
    await writeFile(rig.at("f"), `\uFEFF${"x\r\n".repeat(2_000_000)}`);
    await rig.run("write_file", { path: "f", content: "a\n" });
    expect(await text()).toBe("\uFEFFa\r\n");
  });
});
