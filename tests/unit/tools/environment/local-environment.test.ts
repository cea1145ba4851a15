import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createToolRig, type ToolRig } from "../tool-rig.ts";

let rig: ToolRig;
beforeEach(async () => {
  rig = await createToolRig();
});
afterEach(async () => await rig.close());
const bytes = (text: string) => Buffer.from(text);
const outside = "outside the working folder";

describe("writing", () => {
  test("makes parents, replaces as a whole, keeps the mode, leaves no draft", async () => {
    await rig.environment.writeFile("a/b/run.sh", bytes("one"));
    await chmod(rig.at("a/b/run.sh"), 0o751);
    await rig.environment.writeFile("a/b/run.sh", bytes("two"));
    expect(await readFile(rig.at("a/b/run.sh"), "utf8")).toBe("two");
    expect((await stat(rig.at("a/b/run.sh"))).mode & 0o777).toBe(0o751);
    expect(await readdir(rig.at("a/b"))).toEqual(["run.sh"]);
  });

  test("a write that fails leaves the old file and no draft", async () => {
    await mkdir(rig.at("folder"));
    await writeFile(rig.at("file"), "old");
    await expect(rig.environment.writeFile("folder", bytes("x"))).rejects.toThrow("is a folder");
    await expect(rig.environment.writeFile("file/below", bytes("x"))).rejects.toThrow("file/below:");
    expect((await readdir(rig.at())).sort()).toEqual(["file", "folder"]);
    expect(await readFile(rig.at("file"), "utf8")).toBe("old");
  });

  test("a reader never sees half a file: the old content or the new", async () => {
    const [a, b] = ["a".repeat(300_000), "b".repeat(300_000)];
    await rig.environment.writeFile("big", bytes(a));
    const writing = (async () => {
      for (let i = 0; i < 10; i++) await rig.environment.writeFile("big", bytes(i % 2 ? a : b));
    })();
    const seen = new Set<string>();
    for (let i = 0; i < 40; i++) seen.add(await readFile(rig.at("big"), "utf8"));
    await writing;
    for (const content of seen) expect(content === a || content === b).toBe(true);
  });

  test("through a link inside, what it leads to is written, and the link stays", async () => {
    await writeFile(rig.at("real"), "old");
    await symlink("real", rig.at("link"));
    await rig.environment.writeFile("link", bytes("new"));
    expect(await readFile(rig.at("real"), "utf8")).toBe("new");
  });
});

describe("a name in other letters than those on the disk", () => {
  const [composed, decomposed] = ["Caf\u00e9.md", "Cafe\u0301.md"];
  const named = (path: string, from: { folder?: string; isLoose?: boolean } = {}) =>
    rig.environment.ownName(path, { folder: from.folder, isLoose: from.isLoose ?? false });

  test.each([
    ["composed", composed, decomposed],
    ["decomposed", decomposed, composed],
  ])("is the name on the disk: %s", async (_, given, own) => {
    await mkdir(rig.at("\u00fcber"));
    await writeFile(rig.at(own), "x");
    await writeFile(rig.at("\u00fcber", own), "x");
    expect(named(given)).toBe(own);
    expect(named(`./${given}`)).toBe(own);
    expect(named(rig.at(given))).toBe(own);
    expect(named(`u\u0308ber/${given}`)).toBe(`\u00fcber/${own}`);
    expect(named(given, { folder: "u\u0308ber" })).toBe(`\u00fcber/${own}`);
    expect(named("u\u0308ber/new/\u00e9")).toBe("\u00fcber/new/\u00e9");
  });

  test("is as it was given where it is there, where nothing is, and outside", async () => {
    await writeFile(rig.at(composed), "x");
    await writeFile(rig.at(decomposed), "x");
    await writeFile(join(rig.base, decomposed), "x");
    for (const path of [composed, decomposed, "nothing.md", `../${composed}`, "a\0b", `${composed}/x`]) {
      expect(named(path)).toBe(path);
      expect(named(path, { isLoose: true })).toBe(path);
    }
    await symlink(rig.base, rig.at("out"));
    expect(named(`out/${composed}`, { isLoose: true })).toBe(`out/${composed}`);
    expect(named("a", { folder: "sub" })).toBe("sub/a");
  });

  test("may have other signs that look alike where it is only read, if there is one such name", async () => {
    const picture = "Screenshot at 3.04\u202fPM.png";
    const plain = "Screenshot at 3.04 PM.png";
    await writeFile(rig.at(picture), "x");
    expect(named(plain, { isLoose: true })).toBe(picture);
    expect(named(plain)).toBe(plain);
    await writeFile(rig.at("Screenshot at 3.04\u00a0PM.png"), "x");
    expect(named(plain, { isLoose: true })).toBe(plain);
  });
});

describe("nothing is changed outside", () => {
  test("by .., absolute paths, ~, links to files and folders, links to nothing, another case", async () => {
    await writeFile(join(rig.base, "secret"), "secret");
    await mkdir(join(rig.base, "elsewhere"));
    await symlink(join(rig.base, "secret"), rig.at("file-link"));
    await symlink(join(rig.base, "elsewhere"), rig.at("folder-link"));
    await symlink(join(rig.base, "not-yet"), rig.at("open-link"));
    await symlink(join(rig.base, "not-yet"), rig.at("deep-link"));
    await writeFile(rig.at("mine"), "mine");
    const ways = [
      "../secret",
      "../new",
      "~/new",
      join(rig.base, "new"),
      "file-link",
      "folder-link/new",
      "folder-link/deep/new",
      "sub/../../new",
      "../WORK/new",
      "/new",
    ];
    for (const path of ways) {
      await expect(rig.environment.writeFile(path, bytes("x")), path).rejects.toThrow(outside);
      await expect(rig.environment.moveFile("mine", path), path).rejects.toThrow(outside);
      await expect(rig.environment.fileExists(path), path).rejects.toThrow(outside);
      await expect(rig.environment.deleteFile(path), path).rejects.toThrow(outside);
    }
    for (const path of ["open-link", "deep-link/new"]) {
      await expect(rig.environment.writeFile(path, bytes("x")), path).rejects.toThrow("leads nowhere");
    }
    await expect(rig.environment.moveFile("file-link", "taken")).rejects.toThrow(outside);
    expect((await readdir(rig.base)).sort()).toEqual(["elsewhere", "secret", "work"]);
    expect(await readdir(join(rig.base, "elsewhere"))).toEqual([]);
    expect(await readFile(join(rig.base, "secret"), "utf8")).toBe("secret");
    expect(await readFile(rig.at("mine"), "utf8")).toBe("mine");
  });

  test("nor do commands, searches and patterns start there", async () => {
    const signal = new AbortController().signal;
    await symlink(rig.base, rig.at("out"));
    await writeFile(join(rig.base, "secret.txt"), "secret");
    const options = { timeoutMs: 5000, signal, environmentPolicy: "core" as const, fence: null };
    for (const path of ["..", "out", "/"]) {
      const there = { ...options, workingDirectory: path };
      await expect(rig.environment.execCommand("pwd", there), path).rejects.toThrow(outside);
      const grep = rig.environment.grep({ pattern: "s", path, mode: "files", fence: null, limit: 5, signal });
      await expect(grep, path).rejects.toThrow(outside);
      await expect(rig.environment.glob({ pattern: "*", path, limit: 5, signal }), path).rejects.toThrow(
        outside,
      );
    }
    for (const pattern of ["../*", "{..,.}/*", "/*", "a/../../*"]) {
      await expect(rig.environment.glob({ pattern, limit: 5, signal }), pattern).rejects.toThrow("lead out");
    }
    for (const pattern of ["out/*", "**/*.txt", "*/*.txt"]) {
      expect(await rig.environment.glob({ pattern, limit: 5, signal })).toEqual({
        paths: [],
        truncated: false,
      });
    }
    const found = await rig.environment.grep({
      pattern: "secret",
      mode: "files",
      fence: null,
      limit: 5,
      signal,
    });
    expect(found.lines).toEqual([]);
  });
});

test("move keeps the mode, makes parents, and never replaces what is there", async () => {
  await writeFile(rig.at("a"), "a", { mode: 0o755 });
  await writeFile(rig.at("b"), "b");
  await expect(rig.environment.moveFile("a", "b")).rejects.toThrow("there already");
  await rig.environment.moveFile("a", "deep/down/a");
  expect((await rig.environment.stat("deep/down/a")).mode & 0o777).toBe(0o755);
  expect(await rig.environment.fileExists("a")).toBe(false);
  await expect(rig.environment.moveFile("deep", "c")).rejects.toThrow("is a folder");
});

test("delete removes files and links, never folders", async () => {
  await mkdir(rig.at("folder"));
  await writeFile(rig.at("folder/f"), "f");
  await symlink("folder/f", rig.at("link"));
  await rig.environment.deleteFile("link");
  expect(await rig.environment.fileExists("folder/f")).toBe(true);
  await expect(rig.environment.deleteFile("folder")).rejects.toThrow("is a folder");
  await expect(rig.environment.deleteFile("missing")).rejects.toThrow("no such file");
});

test("stat tells kind, size, time and mode", async () => {
  await writeFile(rig.at("f"), "12345");
  const info = await rig.environment.stat("f");
  expect(info).toMatchObject({ kind: "file", size: 5 });
  expect(info.modifiedAt).toBeCloseTo((await stat(rig.at("f"))).mtimeMs, 0);
  expect((await rig.environment.stat(".")).kind).toBe("directory");
});

test("a command gets further variables, beside and in place of those that it gets anyway", async () => {
  const { output } = await rig.environment.execCommand('echo "$WORD $HOME"', {
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    environmentPolicy: "none",
    variables: { WORD: "given", HOME: "/nowhere" },
    fence: null,
  });
  expect(output).toBe("given /nowhere\n");
});
