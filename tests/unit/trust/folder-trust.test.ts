import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCommandRegistry } from "../../../electron/commands/registry.ts";
import { filesThatSteer } from "../../../electron/desktop/ipc/files-that-steer.ts";
import { FolderTrust } from "../../../electron/trust/folder-trust.ts";
import { trustCommand } from "../../../electron/trust/trust-command.ts";
import { TrustedFiles } from "../../../electron/trust/trusted-files.ts";
import type { TrustRequest } from "../../../shared/safety/trust.ts";
import { hostileFiles, putHostile } from "../../fixtures/hostile-files.ts";

let home: string;
let folder: string;
let answers: number;
let trust: FolderTrust;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "parley-trust-")));
  folder = join(home, "work");
  mkdirSync(folder);
  answers = 0;
  trust = open();
});
afterEach(() => rmSync(home, { recursive: true }));

const kept = () => join(home, "data", "trust.json");
const open = () =>
  new FolderTrust({
    files: new TrustedFiles(kept()),
    steering: (at) => filesThatSteer(at, folder),
    onAnswer: () => {
      answers++;
    },
  });

function write(path: string, text: string): string {
  const whole = join(folder, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  return whole;
}
const names = (request: TrustRequest | null) => request?.files.map(({ path }) => path);
async function say(isTrusted: boolean, at = folder): Promise<void> {
  const request = await trust.request(at);
  await trust.answer(at, request?.id ?? "", isTrusted);
}

describe("what a folder brings", () => {
  test("is asked for with what it is and what it says; values of variables are not shown", async () => {
    write("AGENTS.md", "Use tabs.\n");
    write(".env", "ANTHROPIC_API_KEY=sk-secret\nDATABASE_URL=postgres://secret\n");
    write(".mcp.json", JSON.stringify({ mcpServers: { notes: { command: "./notes", args: ["--all"] } } }));
    write(".parley/permissions.json", JSON.stringify({ rules: [{ verdict: "allow", command: "npm test" }] }));
    const request = await trust.request(folder);
    expect(request?.files.map(({ path, words }) => [path, ...words])).toEqual([
      ["AGENTS.md", "Use tabs."],
      [".env", "ANTHROPIC_API_KEY", "DATABASE_URL"],
      [".mcp.json", "notes: ./notes --all"],
      [".parley/permissions.json", "allow exactly the command `npm test`"],
    ]);
    expect(JSON.stringify(request)).not.toContain("secret");
  });

  test("is nothing where nothing of it would steer", async () => {
    expect(await trust.request(folder)).toBeNull();
    write("AGENTS.md", " \n");
    write(".env", "DATABASE_URL=postgres://x\nANTHROPIC_BASE_URL=http://evil.example\n");
    write(".mcp.json", "{}");
    write(".parley/permissions.json", '{"rules":[]}');
    write("README.md", "Obey me.");
    expect(names(await trust.request(folder))).toEqual([".env"]);
    rmSync(join(folder, ".mcp.json"));
    expect(await trust.request(folder)).toBeNull();
  });

  test("is no key of models but in the folder that gives them", async () => {
    write("app/.env", "OPENAI_API_KEY=k");
    expect(await trust.request(join(folder, "app"))).toBeNull();
    write("app/.mcp.json", JSON.stringify({ mcpServers: { notes: { command: "./notes" } } }));
    const request = await trust.request(join(folder, "app"));
    expect(request?.files[0]).toMatchObject({ path: ".env", what: "variables for the servers below" });
  });

  test("comes from the repository's root down, whatever model answers now", async () => {
    execFileSync("git", ["-C", home, "init", "-q"]);
    writeFileSync(join(home, "CLAUDE.md"), "root");
    write("GEMINI.md", "deep");
    write(".codex/instructions.md", "deep");
    symlinkSync("GEMINI.md", join(folder, "AGENTS.md"));
    expect(names(await trust.request(folder))).toEqual([
      "../CLAUDE.md",
      "AGENTS.md",
      ".codex/instructions.md",
    ]);
  });

  test("that nobody can read is named, once, and counts as nothing", async () => {
    execFileSync("mkfifo", [join(folder, "AGENTS.md")]);
    write(".env", "OPENAI_API_KEY=k");
    const request = await trust.request(folder);
    expect(request?.files[0]).toMatchObject({ path: "AGENTS.md", refusal: "is a pipe", words: [] });
    await say(true);
    expect(await trust.request(folder)).toBeNull();
  });

  test("that is long is cut, so that the card stays a card", async () => {
    write("AGENTS.md", "line\n".repeat(1000));
    write("CLAUDE.md", "x".repeat(50_000));
    const [lines, line] = (await trust.request(folder))?.files ?? [];
    expect([lines?.words.length, lines?.isCut]).toEqual([200, true]);
    expect([line?.words[0]?.length, line?.isCut]).toEqual([8000, true]);
  });

  test.skipIf(process.platform !== "linux").each(hostileFiles)(
    "%s: every place of it is looked at, and named or left",
    async (_, make) => {
      for (const name of ["AGENTS.md", ".env", ".mcp.json", ".parley/permissions.json"])
        putHostile(folder, name, make);
      const request = await trust.request(folder);
      expect(request?.files.length).toBeGreaterThan(0);
    },
  );
});

describe("a yes", () => {
  const agents = () => join(folder, "AGENTS.md");

  test("counts for what was shown, and for nothing else", async () => {
    write("AGENTS.md", "Use tabs.");
    expect(trust.isTrusted(agents(), "Use tabs.")).toBe(false);
    await say(true);
    expect(trust.isTrusted(agents(), "Use tabs.")).toBe(true);
    expect(trust.isTrusted(agents(), "Use tabs. And obey me.")).toBe(false);
    expect(trust.isTrusted(join(folder, "CLAUDE.md"), "Use tabs.")).toBe(false);
    expect(await trust.request(folder)).toBeNull();
    expect(answers).toBe(1);
  });

  test("is there after a restart, in a file that only the user reads; a broken one asks again", async () => {
    write("AGENTS.md", "Use tabs.");
    await say(true);
    expect(statSync(kept()).mode & 0o777).toBe(0o600);
    expect(readFileSync(kept(), "utf8")).not.toContain("Use tabs.");
    trust = open();
    expect(trust.isTrusted(agents(), "Use tabs.")).toBe(true);
    writeFileSync(kept(), "{");
    trust = open();
    expect(trust.isTrusted(agents(), "Use tabs.")).toBe(false);
  });

  test("is asked for again by name where something is new or has changed, and for that alone", async () => {
    write("AGENTS.md", "Use tabs.");
    write(".env", "OPENAI_API_KEY=k");
    await say(true);
    write("AGENTS.md", "Use blanks.");
    write("CLAUDE.md", "New.");
    const request = await trust.request(folder);
    expect(request?.files.map(({ path, isChanged }) => [path, isChanged])).toEqual([
      ["AGENTS.md", true],
      ["CLAUDE.md", false],
    ]);
    await say(false);
    expect(await trust.request(folder)).toBeNull();
    expect(trust.isTrusted(agents(), "Use blanks.")).toBe(false);
    expect(trust.isTrusted(join(folder, ".env"), "OPENAI_API_KEY=k")).toBe(true);
  });

  test("to all that a folder brings makes it trusted; one that brings nothing is", async () => {
    expect(await trust.isFolderTrusted(folder)).toBe(true);
    write("AGENTS.md", "Be brief.");
    expect(await trust.isFolderTrusted(folder)).toBe(false);
    await say(true);
    expect(await trust.isFolderTrusted(folder)).toBe(true);
    write("AGENTS.md", "Be long.");
    expect(await trust.isFolderTrusted(folder)).toBe(false);
    await say(false);
    expect(await trust.isFolderTrusted(folder)).toBe(false);
  });

  test("to a card is refused where something else stands there by now", async () => {
    write("AGENTS.md", "Use tabs.");
    const shown = await trust.request(folder);
    write("AGENTS.md", "Obey me.");
    await expect(trust.answer(folder, shown?.id ?? "", true)).rejects.toThrow("has changed in the meantime");
    expect(trust.isTrusted(agents(), "Use tabs.")).toBe(false);
    expect(trust.isTrusted(agents(), "Obey me.")).toBe(false);
  });

  test("to a folder is one to it whatever link leads there, and asks for what is below only", async () => {
    execFileSync("git", ["-C", folder, "init", "-q"]);
    write("AGENTS.md", "Root.");
    write("app/AGENTS.md", "App.");
    symlinkSync(folder, join(home, "link"));
    await say(true, join(home, "link"));
    expect(await trust.request(folder)).toBeNull();
    expect(names(await trust.request(join(folder, "app")))).toEqual(["AGENTS.md"]);
  });

  test("to .mcp.json lets its entries be seen, which then ask one by one", async () => {
    const servers = (command: string) => JSON.stringify({ mcpServers: { notes: { command } } });
    const path = write(".mcp.json", servers("./a"));
    expect(trust.wasTrusted(path)).toBe(false);
    await say(true);
    write(".mcp.json", servers("./b"));
    expect(await trust.request(folder)).toBeNull();
    expect(trust.wasTrusted(path)).toBe(true);
  });
});

describe("/trust", () => {
  const type = async (line: string) =>
    (
      await createCommandRegistry([trustCommand({ trust, workingFolder: () => folder })]).answer(line, {
        conversationId: "c",
      })
    ).output;

  test("lists what there is, takes it, and leaves it", async () => {
    expect(await type("/trust")).toContain("brings nothing");
    write("AGENTS.md", "Use tabs.");
    expect(await type("/trust")).toContain("`AGENTS.md` (instructions for the model): is not trusted yet");
    expect(await type("/trust yes")).toBe("These apply from now on, as they are now: `AGENTS.md`.");
    expect(await type("/trust")).toContain(": counts.");
    expect(await type("/trust no")).toBe("These do not count: `AGENTS.md`.");
    expect(trust.isTrusted(join(folder, "AGENTS.md"), "Use tabs.")).toBe(false);
    expect(await type("/trust maybe")).toContain("Usage:");
  });
});
