import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Tool, ToolContext } from "../../../electron/agent/ports.ts";
import { toolSchema } from "../../../electron/providers/tool-schema.ts";
import { openLocalEnvironment } from "../../../electron/tools/local-environment.ts";
import { builtInTools } from "../../../electron/tools/registry.ts";
import { InstantClock } from "../../fakes/clock.ts";

let base: string;
let context: ToolContext;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "parley-tools-"));
  const environment = await openLocalEnvironment("~/work", base);
  context = { conversationId: "c", source: null, environment, signal: new AbortController().signal };
});
afterEach(async () => await rm(base, { recursive: true }));

const tools = builtInTools({
  clock: new InstantClock(),
  actions: { newSession: async () => {}, stopListening: async () => false },
});
async function run(name: string, input: object): Promise<string> {
  const tool: Tool | undefined = tools.find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return (await tool.run(tool.input.parse(input), context)).text;
}
const at = (...path: string[]) => join(base, "work", ...path);

test("every tool has a JSON schema of an object for its input", () => {
  for (const tool of tools) expect(toolSchema(tool).type).toBe("object");
  expect(toolSchema(tools[3] ?? tools[0] ?? fail()).required).toEqual(["path"]);
});
const fail = (): never => {
  throw new Error("no tools");
};

describe("calculate", () => {
  test.each([
    ["12 * 9", "108"],
    ["0.1 + 0.2", "0.3"],
    ["5 inch to cm", "12.7 cm"],
    ["2^10", "1024"],
    ["1/0", "Infinity"],
    ["1e9!", "Infinity"],
  ])("%s = %s", async (expression, result) => {
    expect(await run("calculate", { expression })).toBe(`${expression} = ${result}`);
  });

  test.each([
    "import({})",
    'evaluate("1")',
    'parse("1")',
    'createUnit("x")',
    "x = 5",
    "f(x) = x",
    "1:1000000000",
    "[1, 2]",
    "ones(10000, 10000)",
    "cos.constructor",
    "combinations(1e9, 5e8)",
    "1; 2",
    "sqrt",
    "12 *",
    "nonsense",
  ])("%s is refused", async (expression) => {
    await expect(run("calculate", { expression })).rejects.toThrow();
  });

  test("an expression of more than 500 characters is refused before it is parsed", async () => {
    await expect(run("calculate", { expression: "1+".repeat(300) })).rejects.toThrow();
  });
});

describe("current_time", () => {
  test("in the time zone asked for, and an unknown one is an error", async () => {
    expect(await run("current_time", { timeZone: "Asia/Tokyo" })).toBe(
      "Thursday, 15 January 2026 at 21:00:00 (Asia/Tokyo)",
    );
    await expect(run("current_time", { timeZone: "Mars/Olympus" })).rejects.toThrow("no time zone");
  });
});

describe("read_file", () => {
  test("numbers lines, pages, and says how to read on", async () => {
    await writeFile(at("a.txt"), "one\r\ntwo\nthree\nfour\n");
    expect(await run("read_file", { path: "a.txt" })).toBe(
      "     1→one\n     2→two\n     3→three\n     4→four",
    );
    expect(await run("read_file", { path: "a.txt", offset: 2, limit: 2 })).toBe(
      "     2→two\n     3→three\n(lines 2–3 of 4; read on with offset 4)",
    );
    expect(await run("read_file", { path: "a.txt", offset: 9 })).toContain("only 4 lines");
  });

  test("refuses what is not text, folders and pipes, and says that an empty file is empty", async () => {
    await writeFile(at("binary"), new Uint8Array([1, 0, 2]));
    await writeFile(at("latin1"), new Uint8Array([0xe4, 0x20]));
    await writeFile(at("empty"), "");
    execFileSync("mkfifo", [at("pipe")]);
    expect(await run("read_file", { path: "binary" })).toContain("not text");
    expect(await run("read_file", { path: "latin1" })).toContain("not text");
    expect(await run("read_file", { path: "empty" })).toBe("empty is empty.");
    await expect(run("read_file", { path: "." })).rejects.toThrow("is a folder");
    await expect(run("read_file", { path: "pipe" })).rejects.toThrow("not a regular file");
  });
});

describe("list_directory", () => {
  test("folders first, then files with their sizes", async () => {
    await mkdir(at("sub"));
    await writeFile(at("b.txt"), "12345");
    await symlink("b.txt", at("a-link"));
    expect(await run("list_directory", {})).toBe("sub/\na-link (link)\nb.txt (5 bytes)");
    expect(await run("list_directory", { path: "sub" })).toBe("sub is empty.");
    await expect(run("list_directory", { path: "b.txt" })).rejects.toThrow("not a folder");
  });
});

describe("the working folder", () => {
  test("is made where it is missing, and ~ is the home folder", async () => {
    expect(context.environment.workingDirectory).toMatch(/work$/);
    await writeFile(at("a.txt"), "home");
    expect(await run("read_file", { path: "~/work/a.txt" })).toContain("home");
    await writeFile(join(base, "file"), "");
    await expect(openLocalEnvironment("~/file", base)).rejects.toThrow("that is a file");
  });

  test("holds: no way out by .., absolute paths, ~ or links, whether the target exists or not", async () => {
    await writeFile(join(base, "secret.txt"), "secret");
    await mkdir(join(base, "work-too"));
    await symlink(join(base, "secret.txt"), at("link"));
    await symlink(base, at("folder-link"));
    const ways = [
      "../secret.txt",
      "~/secret.txt",
      join(base, "secret.txt"),
      "link",
      "folder-link/secret.txt",
      "../nothing",
    ];
    for (const path of ways)
      await expect(run("read_file", { path }), path).rejects.toThrow("outside the working folder");
    for (const path of ["..", "/", "../work-too", "folder-link"]) {
      await expect(run("list_directory", { path }), path).rejects.toThrow("outside the working folder");
    }
    await expect(run("read_file", { path: "missing" })).rejects.toThrow("no such file");
  });

  test("a name that begins with two dots is inside", async () => {
    await writeFile(at("..notes"), "inside");
    expect(await run("read_file", { path: "..notes" })).toContain("inside");
  });
});
