import { execFileSync } from "node:child_process";
import files, { mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Fence } from "../../../electron/agent/ports/ports.ts";
import { findRipgrep } from "../../../electron/tools/environment/ripgrep.ts";
import { grepTool } from "../../../electron/tools/grep.ts";
import { attackCameThrough } from "../../../scripts/test/grave.mjs";
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

  // Bug: nothing watched what a fenced search took of the computer.
  test("grep in a fence is ended where it goes beyond its bounds, and nothing passes for all that there is", async () => {
    let ended: string | null = null;
    const fence: Fence = {
      wrap: async ({ env }) => ({
        line: "echo src/a.ts; exec sleep 300",
        env,
        started: (_pid, end) => {
          ended = "it took more than 1 MB of memory";
          end();
        },
        look: async () => ({ putAside: null, notes: [] }),
        ended: async () => ({ refusedHosts: [], notes: [], putAside: null, ended }),
      }),
    };
    const searching = rig.call("grep", { pattern: "two", mode: "files" }, { fence });
    await expect(searching).rejects.toThrow("The search was ended: it took more than 1 MB of memory.");
  });

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
    execFileSync("mkfifo", [rig.at("pipe")]);
    await expect(run("grep", { pattern: "x", path: "pipe" })).rejects.toThrow("not a regular file");
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(run("grep", { pattern: "two" }, { signal })).rejects.toThrow("stop");
  });

  test("grep: a line is the file's whole line, whatever it holds, and of a file that is kept back nothing is shown", async () => {
    await writeFile(rig.at("odd.txt"), "two\rafter\u2028more\ntwo\r\nlast two");
    expect(await run("grep", { pattern: "two", path: "odd.txt" })).toBe(
      "odd.txt:1:two\rafter\u2028more\nodd.txt:2:two\nodd.txt:3:last two",
    );
    const hides = (path: string) => path === "odd.txt";
    expect(await run("grep", { pattern: "two", path: "odd.txt" }, { hides })).toBe("No matches.");
    await writeFile(rig.at("bytes"), "two\0");
    expect(await run("grep", { pattern: "two", path: "bytes" })).toContain("bytes: binary file matches");
  });

  // Bug: of “private/a⏎b.md”, ripgrep's output was judged line by line, and a rule for private/** did not cover “b.md”.
  test("grep, glob, list_directory: a line break in a name hides nothing from a rule, and is shown escaped", async () => {
    await mkdir(rig.at("private"));
    for (const name of ["a\nb.md", "a: binary file matches\nb.md", "x\r\n1:2"])
      await writeFile(rig.at(`private/${name}`), "two canary\n");
    const hides = (path: string) => path.startsWith("private/");
    for (const mode of ["content", "files", "count"]) {
      const found = await run("grep", { pattern: "canary", mode }, { hides });
      expect(found, attackCameThrough).toBe("No matches.");
    }
    expect(await run("glob", { pattern: "**/*" }, { hides }), attackCameThrough).not.toMatch(/b\.md|private/);
    expect(await run("grep", { pattern: "canary" })).toBe(
      String.raw`private/a\nb.md:1:two canary
private/a: binary file matches\nb.md:1:two canary
private/x\r\n1:2:1:two canary`,
    );
    expect(await run("grep", { pattern: "canary", mode: "count", glob: "*b.md" })).toBe(
      String.raw`private/a\nb.md:1
private/a: binary file matches\nb.md:1`,
    );
    expect(await run("glob", { pattern: "private/*b.md" })).toContain(String.raw`private/a\nb.md`);
    expect(await run("list_directory", { path: "private" })).toContain(String.raw`a\nb.md (11 bytes)`);
  });

  test("grep: a name that is not UTF-8 is shown; of a very long line, its beginning or that it matches", async () => {
    await writeFile(Buffer.concat([Buffer.from(rig.at("latin")), Buffer.from([0xff])]), "two\n");
    await writeFile(rig.at("long"), `two${"x".repeat(600)}\n`);
    await writeFile(rig.at("longer"), `two${"x".repeat(1_200_000)}\ntwo\n`);
    const found = await run("grep", { pattern: "two", glob: "l*" });
    expect(found).toBe(
      [
        "latin\ufffd:1:two",
        `long:1:two${"x".repeat(497)} [… the rest of a long line]`,
        "longer: a line of more than 1,000,000 characters matches",
        "longer:2:two",
      ].join("\n"),
    );
    expect(await run("glob", { pattern: "lat*" })).toBe("latin\ufffd");
  });

  // Bug: a sub-agent that works in a folder found nothing by such a pattern.
  test("grep: a pattern with a slash begins in the folder that is searched, or in the working folder", async () => {
    await mkdir(rig.at("odd [x]/src/deep"), { recursive: true });
    await writeFile(rig.at("odd [x]/src/c.ts"), "two\n");
    await writeFile(rig.at("odd [x]/src/deep/d.ts"), "two\n");
    const found = async (path: string, glob: string) =>
      await run("grep", { pattern: "^two$", path, glob, mode: "files" });
    for (const glob of ["src/*.ts", "./src/*.ts", "/src/*.ts", "{src,lib}/*.ts", "odd*/src/*.ts"]) {
      expect(await found("odd [x]", glob), glob).toBe("odd [x]/src/c.ts");
    }
    expect(await found("odd [x]", "!src/deep/**")).toBe("odd [x]/src/c.ts");
    expect(await found("odd [x]", "src/**")).toBe("odd [x]/src/c.ts\nodd [x]/src/deep/d.ts");
    expect(await found(".", "./src/**")).toBe("src/deep/b.ts");
  });

  test("grep: a pattern that names hidden files finds them; one that leaves them out does not", async () => {
    await mkdir(rig.at(".github/workflows"), { recursive: true });
    await writeFile(rig.at(".github/workflows/ci.yml"), "two\n");
    for (const glob of [".github/**", "**/.github/**/*.yml", "{.github,src}/**/*.yml"]) {
      expect(await run("grep", { pattern: "two", glob, mode: "files" })).toBe(".github/workflows/ci.yml");
    }
    for (const glob of ["*.yml", "!.github/**", "./*.yml"]) {
      expect(await run("grep", { pattern: "two", glob, mode: "files" })).not.toContain(".github");
    }
  });

  test.each([
    ["composed", "caf\u00e9", "cafe\u0301"],
    ["decomposed", "cafe\u0301", "caf\u00e9"],
  ])("names are found by a pattern in other letters: %s", async (_, given, own) => {
    await mkdir(rig.at(own));
    await writeFile(rig.at(own, `${own}.md`), "two\n");
    for (const pattern of [`${given}/*`, `**/${given}.md`, `**/{x,${given}}.*`]) {
      expect(await run("glob", { pattern })).toBe(`${own}/${own}.md`);
    }
    for (const glob of [`${given}.md`, `${given}/**`]) {
      expect(await run("grep", { pattern: "two", glob, mode: "files" })).toBe(`${own}/${own}.md`);
    }
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
    await expect(run("glob", { pattern: "*.(ts|md)" })).rejects.toThrow("Write {a,b}");
  });

  // Bug: each folder was open while others were read; with more than a process may open, no file was found.
  test("glob: of very many folders only a few are read at once", async () => {
    const folders = Array.from({ length: 400 }, (_, index) => rig.at("many", `${index}`));
    await Promise.all(folders.map((folder) => mkdir(folder, { recursive: true })));
    const { readdir } = files;
    let reading = 0;
    let most = 0;
    const spy = vi.spyOn(files, "readdir").mockImplementation(async (...args: Parameters<typeof readdir>) => {
      most = Math.max(most, ++reading);
      // Until all that are asked for at once have begun.
      await immediate();
      return await readdir(...args).finally(() => reading--);
    });
    try {
      expect(await run("glob", { pattern: "**/*.ts" })).toBe("src/a.ts\nsrc/deep/b.ts");
    } finally {
      spy.mockRestore();
    }
    expect(most).toBeLessThanOrEqual(16);
  });

  test("read_many_files: paths and patterns, each once; one that fails keeps none back", async () => {
    await writeFile(rig.at("binary"), new Uint8Array([0]));
    await writeFile(rig.at("[id].ts"), "a real name\n");
    await symlink(join(rig.base), rig.at("out"));
    expect(await run("read_many_files", { paths: ["notes.md", "src/**/*.ts", "src/a.ts"] })).toBe(
      "=== notes.md ===\ntwo\n\n=== src/a.ts ===\none\nTwo two\nthree\n\n=== src/deep/b.ts ===\ntwo\n--two",
    );
    const mixed = await run("read_many_files", { paths: ["binary", "missing", "out/x", "[id].ts"] });
    expect(mixed).toContain("=== binary ===\n(not read: it is not UTF-8 text)");
    expect(mixed).toContain("=== missing ===\n(not read: missing: there is no such file");
    expect(mixed).toMatch(/=== out\/x ===\n\(not read: .*outside the working folder/);
    expect(mixed).toContain("=== [id].ts ===\na real name");
    // Nobody looked where a name that looks like a pattern leads.
    await symlink("[id].ts", rig.at("[link].ts"));
    expect(await run("read_many_files", { paths: ["[link].ts"] })).toContain("(not read:");
    expect((await rig.call("read_many_files", { paths: ["missing"] })).isError).toBe(true);
    expect((await rig.call("read_many_files", { paths: ["*.py"] })).text).toBe("No files match.");
    await writeFile(rig.at("long"), "x\n".repeat(150_000));
    expect(await run("read_many_files", { paths: ["long"] })).toContain(
      "of 300,000; read_file shows the rest",
    );
  });

  test("read_many_files: a pattern that stands for more files than are read says so, and so does one for none", async () => {
    await mkdir(rig.at("many"));
    await Promise.all(Array.from({ length: 101 }, (_, index) => writeFile(rig.at("many", `${index}`), "x")));
    const text = await run("read_many_files", { paths: ["many/*", "*.py", "notes.md"] });
    expect(text.match(/^===/gm)).toHaveLength(101);
    expect(text).toContain("\n\n(many/*: only the 100 newest files that match)");
    expect(text).toMatch(/\(\*\.py: no files match\)$/);
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
