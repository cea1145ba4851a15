import { beforeEach, expect, test } from "vitest";
import { type Command, createCommandRegistry } from "../../../electron/commands/registry.ts";
import { SessionRules } from "../../../electron/permissions/permission-state.ts";
import { permissionsCommand } from "../../../electron/permissions/permissions-command.ts";
import type { PermissionMode, PermissionRule } from "../../../shared/permissions.ts";

let rules: readonly PermissionRule[];
let trusted: readonly string[];
let mode: PermissionMode;
let sessionRules: SessionRules;
let command: Command;

beforeEach(() => {
  rules = [];
  trusted = [];
  mode = "ask";
  sessionRules = new SessionRules();
  command = permissionsCommand({
    modeOf: () => mode,
    setMode: (_, next) => {
      mode = next;
    },
    sessionRules,
    rules: () => rules,
    saveRules: (next) => {
      rules = next;
    },
    trustedFolders: () => trusted,
    saveTrustedFolders: (next) => {
      trusted = next;
    },
    workingFolder: () => "/work",
  });
});

const say = (line: string) => createCommandRegistry([command]).answer(line, { conversationId: "c" });

test("shows and changes the mode", async () => {
  expect((await say("/permissions")).output).toContain("Mode **ask**");
  expect((await say("/permissions mode plan")).output).toContain("**plan**");
  expect(mode).toBe("plan");
  expect(await say("/permissions mode yolo")).toMatchObject({ isError: true });
  expect(mode).toBe("plan");
});

test("adds rules, lists them with their numbers, and removes them by these", async () => {
  await say("/permissions add allow command git status");
  await say('/permissions add deny path "my secrets/**"');
  await say("/permissions add ask host *.example.com");
  await say("/permissions add allow exact command rm -rf build");
  await say("/permissions add allow tool github__*");
  expect(rules).toEqual([
    { verdict: "allow", command: "git status" },
    { verdict: "deny", path: "my secrets/**" },
    { verdict: "ask", host: "*.example.com" },
    { verdict: "allow", command: "rm -rf build", exact: true },
    { verdict: "allow", tool: "github__*" },
  ]);
  expect((await say("/permissions list")).output).toContain("2. deny files `my secrets/**`");
  expect((await say("/permissions remove 2")).output).toContain("my secrets");
  expect(rules).toHaveLength(4);
});

test.each([
  "/permissions add",
  "/permissions add allow",
  "/permissions add maybe command ls",
  "/permissions add allow everything now",
  "/permissions add allow exact path x",
  "/permissions add allow tool shell",
  "/permissions add allow command sh",
  "/permissions add allow command git",
  "/permissions add allow command 'a && b'",
  "/permissions add allow command 'ls $(id)'",
  "/permissions remove",
  "/permissions remove 0",
  "/permissions remove 1",
  "/permissions remove x",
  "/permissions constructor",
  "/permissions nonsense",
])("%s says what is wrong and changes nothing", async (line) => {
  expect(await say(line)).toMatchObject({ isError: true, output: expect.stringContaining("Usage:") });
  expect(rules).toEqual([]);
});

test("says what holds for this session, and forgets it", async () => {
  sessionRules.add("c", [{ verdict: "allow", command: "npm test" }]);
  expect((await say("/permissions")).output).toContain(
    "For this session:\n\n- allow commands that begin with `npm test`",
  );
  await say("/permissions forget");
  expect(sessionRules.of("c")).toEqual([]);
});

test("a folder is trusted, and no more", async () => {
  await say("/permissions trust");
  await say("/permissions trust");
  expect(trusted).toEqual(["/work"]);
  await say("/permissions untrust");
  expect(trusted).toEqual([]);
});
