import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PermissionMode } from "../../../shared/permissions.ts";
import { createPolicyRig, type PolicyRig } from "./policy-rig.ts";

let rig: PolicyRig;
beforeEach(async () => {
  rig = await createPolicyRig();
});
afterEach(() => rig.close());

describe("modes", () => {
  type Verdicts = Record<PermissionMode, "allow" | "ask" | "deny">;
  const calls: [string, string, unknown, Verdicts][] = [
    ["reading a file", "read_file", { path: "src/a.ts" }, all("allow")],
    ["acting on Parley", "new_session", {}, all("allow")],
    [
      "writing a file",
      "write_file",
      { path: "b.txt", content: "x" },
      { plan: "deny", ask: "ask", "accept-edits": "allow", auto: "allow" },
    ],
    [
      "editing a file",
      "edit_file",
      { path: "src/a.ts", old_string: "a", new_string: "b" },
      { plan: "deny", ask: "ask", "accept-edits": "allow", auto: "allow" },
    ],
    ["the network", "web_fetch", { url: "https://example.com" }, all("ask")],
    [
      "a command that stays inside",
      "shell",
      { command: "mkdir -p src/new" },
      { plan: "deny", ask: "ask", "accept-edits": "ask", auto: "allow" },
    ],
    [
      "any other command",
      "shell",
      { command: "make" },
      { plan: "deny", ask: "ask", "accept-edits": "ask", auto: "ask" },
    ],
    [
      "a server's tool",
      "docs__save",
      { text: "x" },
      { plan: "deny", ask: "ask", "accept-edits": "ask", auto: "ask" },
    ],
    ["a server's tool that says it only reads", "docs__search", {}, all("ask")],
    ["a server's tool taken for reading", "docs__peek", {}, all("ask")],
    [
      "a server's tool that says it destroys",
      "docs__wipe",
      {},
      { plan: "deny", ask: "ask", "accept-edits": "ask", auto: "ask" },
    ],
  ];
  for (const [what, name, input, verdicts] of calls) {
    test.each(Object.entries(verdicts))(`${what} in %s: %s`, (mode, verdict) => {
      rig.settings.permissionMode = mode as PermissionMode;
      expect(rig.decide(name, input).verdict).toBe(verdict);
    });
  }

  test("plan allows no change, whatever the rules say", () => {
    rig.settings.permissionMode = "plan";
    rig.rules({ verdict: "allow", tool: "write_file" }, { verdict: "allow", command: "make", exact: true });
    expect(rig.write("a.txt")).toBe("deny");
    expect(rig.shell("make").verdict).toBe("deny");
    rig.rules({ verdict: "allow", tool: "web_fetch" });
    expect(rig.decide("web_fetch", { url: "https://example.com" }).verdict).toBe("ask");
  });
});

describe("auto", () => {
  beforeEach(() => {
    rig.settings.permissionMode = "auto";
  });

  test.each([
    "ls -la",
    "cat src/a.ts",
    "mkdir -p src/x && ls src",
    "cp src/a.ts docs/b.ts",
    "mv src/a.ts src/b.ts",
    "rm -rf build",
    "touch new.txt",
    "echo hello",
    "head -n 5 src/a.ts | wc -l",
    "ls way-in",
  ])("%j runs", (command) => {
    expect(rig.shell(command).verdict).toBe("allow");
  });

  test.each([
    "ls ..",
    "cat /etc/hosts",
    "cat way-out/secret.txt",
    "cat way-out/../x",
    "cat src/nothing/../../../x",
    "cp src/a.ts way-out/x",
    "cp src/a.ts ../outside/x",
    "mv src/a.ts ~/x",
    "rm -rf .",
    "rm -rf ..",
    "rm -rf /",
    "rm -rf ~",
    "rm -rf way-out/secret.txt",
    "rm -rf $HOME",
    "rm -rf *",
    "touch dangling",
    "rm .git/config",
    "cp x .git/hooks/pre-commit",
    "mkdir -p .parley",
    "cat .env",
    "cat notes.txt",
    "cp .env docs/x",
    "cp -r src d2 && cp x d2/link",
    "cp -L way-in x",
    "cp --target-directory=/tmp src/a.ts",
    "cp -t /tmp src/a.ts",
    "ln -s / x",
    "chmod 777 src",
    "git status",
    "npm test",
    "curl https://example.com",
    "echo x > /tmp/x",
    "python a.py",
    "cd .. && rm -rf work",
    "sort -o /etc/x src/a.ts",
    "tee /etc/x",
    "constructor",
    "__proto__ x",
  ])("%j asks", (command) => {
    expect(rig.shell(command).verdict).toBe("ask");
  });

  test("where a command runs is where its paths begin", () => {
    const input = { command: "cat ../a.ts", working_directory: "src/deep" };
    expect(rig.decide("shell", input).verdict).toBe("allow");
    expect(rig.decide("shell", { command: "cat ../../x", working_directory: "src" }).verdict).toBe("ask");
    expect(rig.decide("shell", { command: "cat x", working_directory: "way-out" }).verdict).toBe("ask");
  });
});

describe("words heard from the computer's sound", () => {
  test.each([
    ["write_file", { path: "a.txt", content: "x" }],
    ["shell", { command: "ls" }],
    ["web_fetch", { url: "https://example.com" }],
    ["docs__save", {}],
    ["docs__peek", {}],
    ["new_session", {}],
  ])("%s asks, whatever mode and rules say, and a yes holds once", (name, input) => {
    rig.settings.permissionMode = "auto";
    rig.rules(
      ...["write_file", "web_fetch", "docs__save", "docs__peek", "new_session"].map((tool) => ({
        verdict: "allow" as const,
        tool,
      })),
      { verdict: "allow", command: "ls" },
    );
    expect(rig.decide(name, input, "loopback")).toMatchObject({
      verdict: "ask",
      why: expect.stringContaining("heard from the computer's sound"),
    });
    expect(rig.decide(name, input, "loopback")).not.toHaveProperty("rules");
    expect(rig.decide(name, input, "loopback")).not.toHaveProperty("mayBeSpoken");
  });

  test("reading runs, and what is denied stays denied", () => {
    expect(rig.decide("read_file", { path: "src/a.ts" }, "loopback").verdict).toBe("allow");
    rig.rules({ verdict: "deny", tool: "write_file" });
    expect(rig.decide("write_file", { path: "a", content: "" }, "loopback").verdict).toBe("deny");
  });
});

describe("what the user is offered", () => {
  const offered = (command: string) => {
    const decision = rig.shell(command);
    return decision.verdict === "ask"
      ? decision.rules?.map(({ command: said, exact }) => (exact ? `=${said}` : said))
      : decision;
  };
  test.each<[string, string[]]>([
    ["git status --short", ["git status"]],
    ["git status && npm test", ["git status", "npm test"]],
    ["npm run build -- --fast", ["npm run build"]],
    ["npm run", ["=npm run"]],
    ["git push origin main", ["=git push origin main"]],
    ["make", ["=make"]],
    ["rm -rf build", ["=rm -rf build"]],
    ["bash deploy.sh 'two words'", ["=bash deploy.sh 'two words'"]],
    ["git status > x", []],
    ["echo $HOME", []],
    ["a; b; c; d; e", []],
  ])("%j: %j", (command, wanted) => {
    expect(offered(command)).toEqual(wanted);
  });

  test("holds for the session in its conversation, and always in its folder", () => {
    const decision = rig.shell("git status");
    const given = decision.verdict === "ask" ? (decision.rules ?? []) : [];
    rig.policy.remember?.({ conversationId: "c", scope: "session", rules: given });
    expect(rig.shell("git status -s").verdict).toBe("allow");
    expect(rig.shell("git log").verdict).toBe("ask");
    rig.policy.sessionRules.clear("c");
    expect(rig.shell("git status").verdict).toBe("ask");
    rig.policy.remember?.({ conversationId: "other", scope: "session", rules: given });
    expect(rig.shell("git status").verdict).toBe("ask");
    rig.policy.remember?.({ conversationId: "other", scope: "always", rules: given });
    expect(rig.shell("git status").verdict).toBe("allow");
    expect(rig.settings.permissionRules).toEqual([
      { verdict: "allow", command: "git status", folder: rig.folder },
    ]);
  });

  test("only changes of files may be answered by voice, and only where nothing but the mode asks", () => {
    const spoken = (name: string, input: unknown) => {
      const decision = rig.decide(name, input);
      return decision.verdict === "ask" && decision.mayBeSpoken === true;
    };
    expect(spoken("write_file", { path: "a.txt", content: "" })).toBe(true);
    expect(spoken("write_file", { path: ".env", content: "" })).toBe(false);
    expect(spoken("shell", { command: "ls" })).toBe(false);
    expect(spoken("docs__save", {})).toBe(false);
    expect(spoken("web_fetch", { url: "https://example.com" })).toBe(false);
    rig.rules({ verdict: "ask", path: "a.txt" });
    expect(spoken("write_file", { path: "a.txt", content: "" })).toBe(false);
  });
});

function all(verdict: "allow" | "ask"): Record<PermissionMode, "allow" | "ask"> {
  return { plan: verdict, ask: verdict, "accept-edits": verdict, auto: verdict };
}
