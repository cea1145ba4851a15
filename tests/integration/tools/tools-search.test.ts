import { mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findRipgrep } from "../../../electron/tools/environment/ripgrep.ts";
import { grepTool } from "../../../electron/tools/grep.ts";
import { createToolRig, type ToolRig } from "../../unit/tools/tool-rig.ts";

describe("tools that read", () => {
  let rig: ToolRig;
  beforeEach(async () => {
    rig = await createToolRig();
    await mkdir(rig.at("src/deep"), { recursive: true });
    await mkdir(rig.at("node_modules/x"), { recursive: true });
    await writeFile(rig.at("src/a.ts"), "one\nTwo two\nthree\n");
    await writeFile(rig.at("src/deep/b.ts"), "two\n--two\n");
    await writeFile(rig.at("notes.md"), "two\n");
    await writeFile(rig.at(".hidden"), "two\n");
    await writeFile(rig.at("node_modules/x/index.ts"), "nothing\n");
    for (const [index, name] of ["notes.md", "src/deep/b.ts", "src/a.ts"].entries()) {
      await utimes(rig.at(name), 1000 + index, 1000 + index);
    }
  });
  afterEach(async () => await rig.close());
  const run: ToolRig["run"] = (...args) => rig.run(...args);

  test("grep: lines, files, counts; in a folder, a file, by glob, in any case", async () => {
    expect(await run("grep", { pattern: "two" })).toBe(
      "notes.md:1:two\nsrc/a.ts:2:Two two\nsrc/deep/b.ts:1:two\nsrc/deep/b.ts:2:--two",
    );
    expect(await run("grep", { pattern: "^two$", path: "src" })).toBe("src/deep/b.ts:1:two");
    expect(await run("grep", { pattern: "TWO", ignore_case: true, path: "src/a.ts" })).toBe(
      "src/a.ts:2:Two two",
    );
    expect(await run("grep", { pattern: "two", mode: "files", glob: "*.ts" })).toBe(
      "src/a.ts\nsrc/deep/b.ts",
    );
    expect(await run("grep", { pattern: "two", mode: "count", glob: "src/**" })).toBe(
      "src/a.ts:1\nsrc/deep/b.ts:2",
    );
    expect(await run("grep", { pattern: "nowhere" })).toBe("No matches.");
    expect(await run("grep", { pattern: "--two" })).toBe("src/deep/b.ts:2:--two");
  });

  test("grep: more than the limit says so; a bad pattern and a missing folder say what is wrong", async () => {
    expect(await run("grep", { pattern: "two", limit: 2 })).toMatch(
      /^notes.*\nsrc\/a.*\n\(only the first 2 lines/,
    );
    expect(await run("grep", { pattern: "two", limit: 4 })).not.toContain("only the first");
    await expect(run("grep", { pattern: "two(" })).rejects.toThrow("regex parse error");
    await expect(run("grep", { pattern: "two", path: "missing" })).rejects.toThrow("no such file");
    await expect(run("grep", { pattern: "x", path: "../" })).rejects.toThrow("outside");
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(run("grep", { pattern: "two" }, { signal })).rejects.toThrow("stop");
  });

  test("grep: names and patterns are never options of the program", async () => {
    await writeFile(rig.at("--pre=sh"), "two\n");
    expect(await run("grep", { pattern: "two", path: "--pre=sh" })).toBe("--pre=sh:1:two");
    expect(await run("grep", { pattern: "--files" })).toBe("No matches.");
  });

  test("glob: files only, newest first, no dot files, no node_modules unless they are named", async () => {
    expect(await run("glob", { pattern: "**/*" })).toBe("src/a.ts\nsrc/deep/b.ts\nnotes.md");
    expect(await run("glob", { pattern: "*.ts", path: "src" })).toBe("src/a.ts");
    expect(await run("glob", { pattern: "{notes,other}.md" })).toBe("notes.md");
    expect(await run("glob", { pattern: "node_modules/**" })).toBe("node_modules/x/index.ts");
    expect(await run("glob", { pattern: "*.py" })).toBe("No files match.");
    expect(await run("glob", { pattern: "**/*", limit: 1 })).toMatch(/^src\/a\.ts\n\(only the 1 newest/);
    await expect(run("glob", { pattern: "*", path: "notes.md" })).rejects.toThrow("not a folder");
  });

  test("read_many_files: paths and patterns, each once; one that fails keeps none back", async () => {
    await writeFile(rig.at("binary"), new Uint8Array([0]));
    await writeFile(rig.at("[id].ts"), "a real name\n");
    await symlink(join(rig.base), rig.at("out"));
    expect(await run("read_many_files", { paths: ["notes.md", "src/**/*.ts", "src/a.ts"] })).toBe(
      "=== notes.md ===\ntwo\n\n=== src/a.ts ===\none\nTwo two\nthree\n\n=== src/deep/b.ts ===\ntwo\n--two",
    );
    const mixed = await run("read_many_files", { paths: ["binary", "missing", "out/x", "[id].ts"] });
    expect(mixed).toContain("=== binary ===\n(not read: it is not text)");
    expect(mixed).toContain("=== missing ===\n(not read: missing: there is no such file");
    expect(mixed).toMatch(/=== out\/x ===\n\(not read: .*outside the working folder/);
    expect(mixed).toContain("=== [id].ts ===\na real name");
    expect((await rig.call("read_many_files", { paths: ["missing"] })).isError).toBe(true);
    expect((await rig.call("read_many_files", { paths: ["*.py"] })).text).toBe("No files match.");
    await writeFile(rig.at("long"), "x\n".repeat(150_000));
    expect(await run("read_many_files", { paths: ["long"] })).toContain(
      "of 300,000; read_file shows the rest",
    );
  });

  test("read_file and list_directory", async () => {
    expect(await run("read_file", { path: "src/a.ts", offset: 2, limit: 1 })).toContain("     2→Two two");
    expect(await run("list_directory", { path: "src" })).toBe("deep/\na.ts (18 bytes)");
  });
});

test("ripgrep comes with Parley; without it the tool says what is missing", () => {
  expect(findRipgrep("")).toContain("@vscode/ripgrep-");
  expect(grepTool(undefined).unavailable).toBeUndefined();
  expect(grepTool(null).unavailable).toContain("ripgrep is missing");
});
