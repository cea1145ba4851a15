import { beforeEach, expect, test } from "vitest";
import { type Command, createCommandRegistry } from "../../../electron/commands/registry.ts";
import { SessionRules } from "../../../electron/permissions/permission-state.ts";
import { permissionsCommand } from "../../../electron/permissions/permissions-command.ts";
import {
  type FenceInfo,
  type LevelName,
  type PermissionRule,
  standingOf,
} from "../../../shared/safety/permissions.ts";

let rules: readonly PermissionRule[];
let trusted: [string, boolean][];
let level: LevelName;
let fence: FenceInfo;
let sessionRules: SessionRules;
let command: Command;

let forgotten: string[];

beforeEach(() => {
  forgotten = [];
  rules = [];
  trusted = [];
  level = "ask";
  fence = { setting: "on", isThere: true, why: null, mend: null };
  sessionRules = new SessionRules();
  command = permissionsCommand({
    standingOf: () => standingOf(level, fence.isThere),
    setLevel: (_, next) => {
      level = next;
    },
    fence: () => fence,
    sessionRules,
    forgetHosts: (conversationId) => void forgotten.push(conversationId),
    rules: () => rules,
    saveRules: (next) => {
      rules = next;
    },
    answerTrust: (folder, isTrusted) => {
      trusted.push([folder, isTrusted]);
      return { output: "" };
    },
    isTrusted: () => false,
    workingFolder: () => "/work",
  });
});

const say = (line: string) => createCommandRegistry([command]).answer(line, { conversationId: "c" });

test("shows and changes the level, also by the names of earlier versions", async () => {
  const shown = (await say("/permissions")).output;
  expect(shown).toContain("**Ask first** (`ask`). Reads without asking.");
  for (const label of ["Look only", "Ask first", "Work here"]) expect(shown).toContain(`- **${label}**`);
  expect(shown).toContain("Commands run in a fence.");
  const said: [string, LevelName][] = [
    ["level look", "look"],
    ["mode plan", "look"],
    ["level work", "work"],
    ["mode auto", "work"],
    ["mode accept-edits", "accept-edits"],
    ["level ASK", "ask"],
  ];
  for (const [words, means] of said) {
    expect((await say(`/permissions ${words}`)).output).toContain("This conversation: ");
    expect([words, level]).toEqual([words, means]);
  }
  expect(await say("/permissions level yolo")).toMatchObject({ isError: true });
  expect(level).toBe("ask");
});

test("says what counts in place of Work here where there is no fence, and what mends it", async () => {
  fence = {
    setting: "on",
    isThere: false,
    why: "bubblewrap is missing.",
    mend: "sudo apt install bubblewrap",
  };
  const { output } = await say("/permissions level work");
  expect(output).toContain("**Ask first** (`ask`)");
  expect(output).toContain("Edits to files in this folder are allowed.");
  expect(output).toContain("“Work here” needs a fence");
  expect(output).toContain("`sudo apt install bubblewrap`");
  fence = { ...fence, isChecking: true };
  expect((await say("/permissions")).output).toContain("checking for the fence: ask again in a moment");
  fence = { ...fence, setting: "off" };
  expect((await say("/permissions")).output).toContain("No fence: it is turned off");
});

test("adds rules, lists them with their numbers, and removes them by these", async () => {
  await say("/permissions add allow command npm test");
  await say('/permissions add deny path "my secrets/**"');
  await say("/permissions add ask host *.example.com");
  await say("/permissions add allow exact command rm -rf build");
  await say("/permissions add allow tool github/list_*");
  await say("/permissions add allow command git log *");
  await say("/permissions add deny command git push");
  await say("/permissions add deny tool github__delete_repo");
  expect(rules).toEqual([
    { verdict: "allow", command: "npm test", exact: true, folder: "/work" },
    { verdict: "deny", path: "my secrets/**" },
    { verdict: "ask", host: "*.example.com" },
    { verdict: "allow", command: "rm -rf build", exact: true, folder: "/work" },
    { verdict: "allow", server: "github", tool: "list_*" },
    { verdict: "allow", command: "git log *", folder: "/work" },
    { verdict: "deny", command: "git push" },
    { verdict: "deny", server: "github", tool: "delete_repo" },
  ]);
  const { output } = await say("/permissions list");
  expect(output).toContain("1. allow exactly the command `npm test`, in /work");
  expect(output).toContain("2. deny files `my secrets/**`");
  expect(output).toContain("6. allow commands that begin with `git log`, in /work");
  expect(output).toContain("5. allow the tools `list_*` of the MCP server `github`");
  expect(output).toContain("8. deny the tool `delete_repo` of the MCP server `github`");
  expect((await say("/permissions remove 2")).output).toContain("my secrets");
  expect(rules).toHaveLength(7);
});

test("rules of an earlier version are looked at one by one", async () => {
  rules = [
    { verdict: "allow", command: "git status" },
    { verdict: "deny", command: "git push" },
    { verdict: "allow", command: "npm test", folder: "/work" },
    { verdict: "allow", command: "sh" },
  ];
  const { output } = await say("/permissions review");
  expect(output).toContain("1. allow exactly the command `git status`");
  expect(output).not.toContain("git push");
  await say("/permissions review 1 more");
  await say("/permissions review 3 exact");
  expect(await say("/permissions review 4 more")).toMatchObject({ isError: true });
  await say("/permissions review 4 remove");
  expect(rules).toEqual([
    { verdict: "allow", command: "git status *" },
    { verdict: "deny", command: "git push" },
    { verdict: "allow", command: "npm test", exact: true, folder: "/work" },
  ]);
  expect((await say("/permissions review")).output).toContain("There are no rules from an earlier version");
});

test.each([
  "/permissions add",
  "/permissions add allow",
  "/permissions add maybe command ls",
  "/permissions add allow everything now",
  "/permissions add allow exact path x",
  "/permissions add allow tool shell",
  "/permissions add allow command sh *",
  "/permissions add allow command git *",
  "/permissions add allow tool git*",
  "/permissions add allow tool */save",
  "/permissions add allow tool github/",
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

test("says what holds for this conversation, and forgets it", async () => {
  sessionRules.add("c", [{ verdict: "allow", command: "npm test", exact: true }]);
  expect((await say("/permissions")).output).toContain(
    "Allowed in this conversation, until you quit:\n\n- allow exactly the command `npm test`",
  );
  await say("/permissions forget");
  expect(forgotten).toEqual(["c"]);
  expect(sessionRules.of("c")).toEqual([]);
});

test("trust and untrust are the folder's, not the rules' alone", async () => {
  await say("/permissions trust");
  await say("/permissions untrust");
  expect(trusted).toEqual([
    ["/work", true],
    ["/work", false],
  ]);
});
