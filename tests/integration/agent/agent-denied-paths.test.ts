import { existsSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Conversation } from "../../../electron/agent/conversation/conversation.ts";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import type { Fence } from "../../../electron/agent/ports/ports.ts";
import { createPolicy } from "../../../electron/permissions/policy.ts";
import { readManyFilesTool } from "../../../electron/tools/read-many-files.ts";
import type { PermissionRule } from "../../../shared/safety/permissions.ts";
import { createRig, eventsOf, ofType, type Rig, typed } from "./agent-rig.ts";

const canary = "canary-of-a-denied-file";

/** Keeps nothing back: what a word in a command stops, it stops by itself. */
const noWalls: Fence = {
  wrap: async ({ command, env }) => ({
    line: command,
    env,
    started: () => {},
    look: async () => ({ putAside: null, notes: [] }),
    ended: async () => ({ refusedHosts: [], notes: [], putAside: null, ended: null }),
  }),
};

/** The real tools in the agent loop, with everything allowed that a level allows. */
let rig: Rig;
let rules: PermissionRule[];
let conversation: Conversation;

beforeEach(async () => {
  rules = [{ verdict: "deny", path: "private/**" }];
  const permissions = createPolicy({
    chosenMode: () => "work",
    settings: () => ({ permissionMode: "work", permissionRules: rules, fence: "on" }),
    fence: () => ({ isThere: true }),
    addRules: () => {},
  });
  // Not every provider is offered it.
  rig = await createRig({
    permissions,
    clock: systemClock,
    tools: [readManyFilesTool],
    fence: () => noWalls,
  });
  await mkdir(join(rig.folder, "private/deep"), { recursive: true });
  await mkdir(join(rig.folder, "empty"));
  await mkdir(join(rig.folder, "src"));
  await writeFile(join(rig.folder, "private/notes.md"), `${canary}\n`);
  await writeFile(join(rig.folder, "private/deep/more:1.md"), `${canary}\n`);
  await writeFile(join(rig.folder, "src/a.md"), "something else\n");
  await symlink(join(rig.folder, "private/notes.md"), join(rig.folder, "src/link.md"));
  conversation = rig.conversations.create();
});
afterEach(() => rig.close());

async function results(name: string, input: unknown): Promise<{ text: string; isError: boolean }> {
  const script = `[[script:tools ${JSON.stringify({ calls: [{ name, input }] })}]]`;
  const events = await eventsOf(conversation.submit(typed(script)));
  expect(ofType(events, "approval.requested")).toEqual([]);
  const [ended] = ofType(events, "tool.ended");
  expect(ended?.output).not.toMatch(/^There is no tool|^Invalid input/);
  return { text: ended?.output ?? "", isError: ended?.isError ?? false };
}

describe("deny path private/**", () => {
  test.each<[string, object]>([
    ["grep", { pattern: "." }],
    ["grep", { pattern: ".", mode: "files" }],
    ["grep", { pattern: ".", mode: "count" }],
    ["grep", { pattern: ".", path: "private" }],
    ["grep", { pattern: ".", glob: "p*/**" }],
    ["read_many_files", { paths: ["p*/*.md"] }],
    ["read_many_files", { paths: ["**/*.md"] }],
    ["read_many_files", { paths: ["private/notes.md"] }],
    ["read_file", { path: "private/notes.md" }],
    ["read_file", { path: "PRIVATE/notes.md" }],
    ["read_file", { path: "src/link.md" }],
    ["glob", { pattern: "private/**" }],
    ["glob", { pattern: "**/*.md" }],
    ["glob", { pattern: "*.md", path: "private" }],
    ["list_directory", { path: "private" }],
    ["list_directory", { path: "private/deep" }],
  ])("%s %j shows nothing of it", async (name, input) => {
    const { text } = await results(name, input);
    expect(text).not.toContain(canary);
    expect(text).not.toMatch(/notes\.md|more:1/);
  });

  test.each([
    "mv private x",
    "mv ./private/ x",
    "cp -r private x",
    "cp -r . ../x",
    "rm -rf private",
    "rm -rf .",
    "ls private",
    "diff private empty",
    "cat private/notes.md",
    "cat src/link.md",
    "tar cf empty/x.tar .",
    "find . -name '*.md' -delete",
    "git mv private x",
    "bash -c 'rm -rf private'",
  ])("the command %j is refused", async (command) => {
    const { text, isError } = await results("shell", { command });
    expect(isError).toBe(true);
    expect(text).toContain("was refused");
    expect(existsSync(join(rig.folder, "private/notes.md"))).toBe(true);
    expect(existsSync(join(rig.folder, "x"))).toBe(false);
  });

  test("a command that runs in it is refused", async () => {
    expect((await results("shell", { command: "ls", working_directory: "private" })).text).toContain(
      "refused",
    );
  });

  test("what lies beside it is found and may change", async () => {
    expect((await results("grep", { pattern: "else" })).text).toContain("src/a.md:1:something else");
    expect((await results("glob", { pattern: "**/*.md" })).text).toContain("src/a.md");
    expect((await results("list_directory", {})).text).toContain("src/");
    expect((await results("read_many_files", { paths: ["**/*.md"] })).text).toContain("something else");
    expect((await results("shell", { command: "rm -rf empty" })).text).toContain("exit code 0");
  });

  test("a rule that asks keeps its files out of what nobody asked for", async () => {
    rules = [{ verdict: "ask", path: "private" }];
    expect((await results("grep", { pattern: "." })).text).not.toContain(canary);
    expect((await results("list_directory", {})).text).not.toContain("private");
  });
});

// Bug: a pattern that names no keys found them all the same where a folder's name is what tells.
test("keys in nested folders are not searched by a pattern for all files", async () => {
  await mkdir(join(rig.folder, "sub/.kube"), { recursive: true });
  await mkdir(join(rig.folder, "sub/.git"), { recursive: true });
  await writeFile(join(rig.folder, "sub/.kube/config"), `${canary}\n`);
  await writeFile(join(rig.folder, "sub/.git/config"), `${canary}\n`);
  await writeFile(join(rig.folder, "sub/auth.json"), `${canary}\n`);
  for (const input of [{ glob: "**/*" }, { glob: "**/.*/**" }, {}, { path: "sub" }]) {
    expect((await results("grep", { pattern: canary, ...input })).text).toBe("No matches.");
  }
});
