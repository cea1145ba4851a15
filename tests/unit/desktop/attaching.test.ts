import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Attaching } from "../../../electron/desktop/attaching.ts";
import { openLocalEnvironment } from "../../../electron/tools/local-environment.ts";
import { maxAttachmentChars } from "../../../shared/attachments.ts";
import { createMcpRig, type McpRig, nodeModule } from "../../integration/mcp-rig.ts";

let outside: string;
let folder: string;
let mcp: McpRig;
let attaching: Attaching;

beforeAll(async () => {
  outside = mkdtempSync(join(tmpdir(), "parley-attach-"));
  folder = join(outside, "work");
  mkdirSync(join(folder, "docs"), { recursive: true });
  const write = (path: string, content: string | Buffer) => writeFileSync(join(folder, path), content);
  write("notes.txt", "buy milk\n");
  write("docs/Plan [1].md", "# Plan\n");
  write(".env", "KEY=1\n");
  write("server.pem", "key\n");
  write("cat.png", Buffer.from([0x89, 0x50, 0, 1]));
  write("long.txt", "x".repeat(maxAttachmentChars + 1));
  write("longest.txt", "x".repeat(maxAttachmentChars * 3 + 1));
  write("whole.txt", "x".repeat(maxAttachmentChars));
  writeFileSync(join(outside, "theirs.txt"), "not yours\n");
  symlinkSync(join(outside, "theirs.txt"), join(folder, "link.txt"));
  symlinkSync(join(folder, ".env"), join(folder, "harmless.txt"));
  const everything = {
    command: process.execPath,
    args: [nodeModule("@modelcontextprotocol/server-everything/dist/index.js"), "stdio"],
  };
  mcp = createMcpRig({ servers: { everything } });
  await mcp.manager.load();
  await mcp.manager.settled();
  attaching = new Attaching({ openFolder: openLocalEnvironment, servers: mcp.manager });
});
afterAll(async () => {
  await mcp.close();
  rmSync(outside, { recursive: true });
});

const found = async (words: string) =>
  (await attaching.find(folder, words)).map(({ reference }) => reference);

describe("what is offered", () => {
  it.each([
    ["notes", ["notes.txt"]],
    ["NOTE", ["notes.txt"]],
    ["doc/pl", ["docs/Plan [1].md"]],
    ["n [1]", ["docs/Plan [1].md"]],
    ["theirs", []],
    ["../", []],
    ["pem", []],
    ["env", []],
  ])("for @%s", async (words, references) => {
    expect((await found(words)).filter((one) => !one.startsWith("@"))).toEqual(
      words === "../" ? expect.not.arrayContaining(["../theirs.txt"]) : references,
    );
  });

  it("without a letter: the folder's own files, and what the servers have", async () => {
    const references = await found("");
    expect(references).toContain("notes.txt");
    expect(references).not.toContain("docs/Plan [1].md");
    expect(references).not.toContain(".env");
    expect(references.some((one) => one.startsWith("@everything:demo://"))).toBe(true);
  });
});

describe("what is attached", () => {
  it("is the text as it is, with where it is from; twice is once", async () => {
    const [file, resource, ...more] = await attaching.read(folder, [
      "notes.txt",
      (await found("demo://"))[0] ?? "",
      "notes.txt",
    ]);
    expect(file).toEqual({ from: "file notes.txt", text: "buy milk\n" });
    expect(resource?.from).toMatch(/^everything: demo:\/\//);
    expect(more).toEqual([]);
  });

  it("may be as long as the limit says", async () => {
    const [whole] = await attaching.read(folder, ["whole.txt"]);
    expect(whole?.text.length).toBe(maxAttachmentChars);
  });

  it.each([
    ["../theirs.txt", "is not in the working folder"],
    ["link.txt", "is not in the working folder"],
    [".env", "may hold keys or passwords"],
    ["harmless.txt", "may hold keys or passwords"],
    ["server.pem", "may hold keys or passwords"],
    ["cat.png", "is not text"],
    ["long.txt", "200,001 characters, at most 200,000 characters"],
    ["longest.txt", "600,001 bytes, at most 200,000 characters"],
    ["none.txt", "none.txt"],
    ["docs", "docs"],
    ["@nobody:demo://x", "There is no MCP server `nobody`"],
  ])("never %s", async (reference, message) => {
    await expect(attaching.read(folder, ["notes.txt", reference])).rejects.toThrow(message);
  });
});
