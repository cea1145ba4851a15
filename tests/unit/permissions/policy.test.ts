import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type PermissionLevel, permissionLevel } from "../../../shared/safety/permissions.ts";
import { createPolicyRig, type PolicyRig } from "./policy-rig.ts";

let rig: PolicyRig;
beforeEach(async () => {
  rig = await createPolicyRig();
});
afterEach(() => rig.close());

type Verdict = "allow" | "ask" | "deny";
/** Of a command how it runs, too. */
type Outcome = Verdict | "allow look" | "allow change" | "ask look" | "ask change" | "ask outside";

const outcomeOf = (name: string, input: unknown): string => {
  const decision = rig.decide(name, input);
  if (decision.verdict === "deny" || decision.confinement === undefined) return decision.verdict;
  return `${decision.verdict} ${decision.confinement}`;
};

describe("levels", () => {
  const row = (look: Outcome, ask: Outcome, work: Outcome) => ({ look, ask, work });
  const all = (outcome: Outcome) => row(outcome, outcome, outcome);
  type Outcomes = Record<PermissionLevel, Outcome>;
  const calls: [string, string, unknown, Outcomes][] = [
    ["reading a file", "read_file", { path: "src/a.ts" }, all("allow")],
    ["acting on Parley", "new_session", {}, all("allow")],
    ["writing a file", "write_file", { path: "b.txt", content: "x" }, row("deny", "ask", "allow")],
    ["writing outside", "write_file", { path: "../b.txt", content: "x" }, row("deny", "ask", "ask")],
    [
      "editing a file",
      "edit_file",
      { path: "src/a.ts", old_string: "a", new_string: "b" },
      row("deny", "ask", "allow"),
    ],
    ["the network", "web_fetch", { url: "https://example.com" }, all("ask")],
    ["looking by a command", "shell", { command: "ls" }, row("allow look", "allow look", "allow change")],
    ["any other command", "shell", { command: "make" }, row("allow look", "ask change", "allow change")],
    ["a server's tool", "docs__save", { text: "x" }, all("ask")],
    ["a server's tool that says it only reads", "docs__search", {}, all("ask")],
    ["a server's tool taken for reading", "docs__peek", {}, all("ask")],
    ["a server's tool that says it destroys", "docs__wipe", {}, all("ask")],
  ];
  for (const [what, name, input, outcomes] of calls) {
    test.each(permissionLevel.options)(`${what} in %s`, (level) => {
      rig.settings.permissionMode = level;
      expect(outcomeOf(name, input)).toBe(outcomes[level]);
    });
  }

  test.each([
    ["look", "deny", "deny"],
    ["ask", "ask outside", "ask outside"],
    ["work", "ask outside", "ask outside"],
  ] as const)("without a fence no command of %s runs unasked", (level, looking, other) => {
    rig.settings.permissionMode = level;
    for (const end of [() => rig.hasFence(false), () => Object.assign(rig.settings, { fence: "off" })]) {
      end();
      expect(outcomeOf("shell", { command: "ls" })).toBe(looking);
      expect(outcomeOf("shell", { command: "make" })).toBe(other);
      rig.hasFence(true);
    }
  });

  test("Work here falls to Ask first with its edits while there is no fence, and comes back with it", () => {
    rig.settings.permissionMode = "work";
    expect(rig.policy.standingOf("c")).toMatchObject({ level: "work", chosen: "work" });
    rig.hasFence(false);
    expect(rig.policy.standingOf("c")).toMatchObject({ level: "ask", chosen: "work", hasEdits: true });
    expect(rig.write("a.txt")).toBe("allow");
    expect(rig.write("../a.txt")).toBe("ask");
    rig.hasFence(true);
    expect(rig.policy.standingOf("c")).toMatchObject({ level: "work" });
  });

  test.each([
    ["plan", "deny", "allow look"],
    ["accept-edits", "allow", "ask change"],
    // Work here lets more run than `auto` did: it is agreed to first.
    ["auto", "allow", "ask change"],
  ] as const)("%s of an earlier version is nothing wider than it was", (name, write, command) => {
    rig.settings.permissionMode = name;
    expect(rig.write("a.txt")).toBe(write);
    expect(outcomeOf("shell", { command: "make" })).toBe(command);
  });

  test("look allows no change, whatever the rules say", () => {
    rig.settings.permissionMode = "look";
    rig.rules(
      { verdict: "allow", tool: "write_file" },
      { verdict: "allow", command: "make", exact: true },
      { verdict: "allow", command: "docker ps", exact: true, folder: rig.folder, outside: true },
      { verdict: "allow", server: "docs" },
    );
    expect(rig.write("a.txt")).toBe("deny");
    expect(outcomeOf("shell", { command: "make" })).toBe("allow look");
    expect(outcomeOf("shell", { command: "docker ps" })).toBe("allow look");
    expect(outcomeOf("docs__save", {})).toBe("ask");
    expect(outcomeOf("docs__search", {})).toBe("allow");
    rig.rules({ verdict: "allow", tool: "web_fetch" });
    expect(rig.decide("web_fetch", { url: "https://example.com" }).verdict).toBe("allow");
  });
});

describe("looking by a command", () => {
  test.each([
    "ls -la",
    "ls *.ts",
    "cat src/a.ts | head -n 5",
    "cat $HOME/x",
    "cd src && ls",
    "git status",
    "git log --oneline -5",
    "git --no-pager diff HEAD~1",
    "git -C src status",
    "git branch",
    "git branch -a --sort=-committerdate",
    "git stash list",
    "git remote -v",
    "git config --get user.name",
    "rg foo src 2>/dev/null",
    "grep -rn foo . | wc -l",
    "find . -name '*.ts' | xargs grep foo",
    "for f in *.ts; do echo $f; done",
    "[ -f a ] && echo yes",
    "sed -n 1,5p src/a.ts",
    "awk '{print $1}' src/a.ts",
    "node --version",
    "npm ls",
    "which node; uname -a",
    "echo $(git rev-parse HEAD)",
    "wc -l < src/a.ts",
    "sort a | uniq -c",
  ])("%j runs unasked", (command) => {
    expect(outcomeOf("shell", { command })).toBe("allow look");
  });

  test.each([
    "ls > out.txt",
    "git stash",
    "git branch new",
    "git branch -D old",
    "git switch main",
    "git apply p.txt",
    "git difftool -y",
    "git send-email x",
    "git update-ref HEAD x",
    "git config user.name x",
    "git -c core.pager=id log",
    "git commit -m x",
    "npm test",
    "npm install",
    "make",
    "./ls",
    "src/cat a",
    "find . -delete",
    "find . -exec rm {} +",
    "sed -i s/a/b/ a",
    "sort -o a a",
    "awk 'BEGIN{system(\"id\")}'",
    "xargs rm",
    // Programs with the names of what every object has.
    "toString",
    "constructor x",
    "hasOwnProperty x",
    "echo $(rm x)",
    "ls; rm x",
    "rm x | cat",
    "A=1 ls",
    "ls &",
    "f() { rm x; }; f",
    "$CMD x",
    "timeout 5 make",
    "env make",
    "node -e 1",
    "sh -c ls",
  ])("%j asks", (command) => {
    expect(outcomeOf("shell", { command })).toBe("ask change");
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
    rig.settings.permissionMode = "work";
    rig.rules(
      ...["write_file", "web_fetch", "new_session"].map((tool) => ({
        verdict: "allow" as const,
        tool,
      })),
      { verdict: "allow", server: "docs" },
      { verdict: "allow", command: "ls" },
    );
    expect(rig.decide(name, input, "loopback")).toMatchObject({
      verdict: "ask",
      why: expect.stringContaining("words from the computer's sound"),
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
    ["npm test", ["=npm test"]],
    ["make && npm run build -- --fast", ["=make", "=npm run build -- --fast"]],
    ["git log | ./count", ["git log *", "=./count"]],
    ["git stash", ["=git stash"]],
    ["git branch x", ["=git branch x"]],
    ["git switch x", ["=git switch x"]],
    ["git apply x", ["=git apply x"]],
    ["git difftool", ["=git difftool"]],
    ["git send-email x", ["=git send-email x"]],
    ["git hook run x", ["=git hook run x"]],
    ["git update-ref a b", ["=git update-ref a b"]],
    ["make x", ["=make x"]],
    ["go test ./...", ["=go test ./..."]],
    ["gh pr list", ["=gh pr list"]],
    ["docker volume ls", ["=docker volume ls"]],
    ["rm -rf build", ["=rm -rf build"]],
    ["bash deploy.sh 'two words'", ["=bash deploy.sh 'two words'"]],
    ["git status > x", []],
    ["make $HOME", []],
    ["a; b; c; d; e", []],
  ])("%j: %j", (command, wanted) => {
    expect(offered(command)).toEqual(wanted);
  });

  test("without a fence only exact commands are offered", () => {
    rig.hasFence(false);
    expect(offered("git log | ./count")).toEqual(["=git log", "=./count"]);
  });

  test("an edit offers all edits in the folder, and that is all that it writes", () => {
    const decision = rig.decide("write_file", { path: "a.txt", content: "" });
    const given = decision.verdict === "ask" ? (decision.rules ?? []) : [];
    expect(given).toEqual([{ verdict: "allow", path: "**", folder: rig.folder }]);
    rig.policy.remember?.({ conversationId: "c", scope: "session", rules: given });
    expect(rig.write("src/b.ts")).toBe("allow");
    expect(rig.write("../b.ts")).toBe("ask");
    expect(rig.write(".env")).toBe("ask");
    expect(rig.shell("make").verdict).toBe("ask");
  });

  test("holds for the session in its conversation, and always in its folder", () => {
    const decision = rig.shell("npm test");
    const given = decision.verdict === "ask" ? (decision.rules ?? []) : [];
    rig.policy.remember?.({ conversationId: "c", scope: "session", rules: given });
    expect(rig.shell("npm test").verdict).toBe("allow");
    expect(rig.shell("npm test -s").verdict).toBe("ask");
    rig.policy.sessionRules.clear("c");
    expect(rig.shell("npm test").verdict).toBe("ask");
    rig.policy.remember?.({ conversationId: "other", scope: "session", rules: given });
    expect(rig.shell("npm test").verdict).toBe("ask");
    rig.policy.remember?.({ conversationId: "other", scope: "always", rules: given });
    expect(rig.shell("npm test").verdict).toBe("allow");
    expect(rig.settings.permissionRules).toEqual([
      { verdict: "allow", command: "npm test", exact: true, folder: rig.folder },
    ]);
  });

  test("a yes never lets a command run outside of the fence for longer", () => {
    const rule = { verdict: "allow" as const, command: "make", exact: true, folder: rig.folder };
    rig.policy.remember?.({ conversationId: "c", scope: "always", rules: [{ ...rule, outside: true }] });
    expect(rig.settings.permissionRules).toEqual([rule]);
  });

  test("only changes of files may be answered by voice, and only where nothing but the mode asks", () => {
    const spoken = (name: string, input: unknown) => {
      const decision = rig.decide(name, input);
      return decision.verdict === "ask" && decision.mayBeSpoken === true;
    };
    expect(spoken("write_file", { path: "a.txt", content: "" })).toBe(true);
    expect(spoken("write_file", { path: ".env", content: "" })).toBe(false);
    expect(spoken("shell", { command: "make" })).toBe(false);
    expect(spoken("docs__save", {})).toBe(false);
    expect(spoken("web_fetch", { url: "https://example.com" })).toBe(false);
    rig.rules({ verdict: "ask", path: "a.txt" });
    expect(spoken("write_file", { path: "a.txt", content: "" })).toBe(false);
  });
});
