import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allow, allowed, asked, rules } from "./command-tables.ts";
import { createPolicyRig, type PolicyRig } from "./policy-rig.ts";

let rig: PolicyRig;
beforeAll(async () => {
  rig = await createPolicyRig(rules);
});
afterAll(() => rig.close());

describe("allowing rules for commands", () => {
  test.each(allowed)("%j runs", (command) => {
    expect(rig.shell(command)).toEqual({ verdict: "allow" });
  });

  for (const [what, commands] of asked) {
    test.each(commands.filter((command) => command !== ""))(`${what}: %j asks`, (command) => {
      expect(rig.shell(command).verdict).toBe("ask");
    });
  }

  test("the table is long enough to mean something", () => {
    expect(allowed.length + asked.flatMap(([, commands]) => commands).length).toBeGreaterThan(200);
  });

  // Bug: cmd.exe reads `^`, `%` and quotes in its own way, so that bash's reading says nothing.
  test("on Windows no command is sure", async () => {
    const other = await createPolicyRig(rules);
    Object.defineProperty(other.environment, "platform", { value: "win32" });
    expect(other.shell("git status").verdict).toBe("ask");
    other.close();
  });
});

describe("denying rules for commands", () => {
  let strict: PolicyRig;
  beforeAll(async () => {
    strict = await createPolicyRig([
      { verdict: "deny", command: "git push" },
      { verdict: "deny", command: "rm" },
      allow("git push"),
      allow("ls"),
    ]);
  });
  afterAll(() => strict.close());

  test.each([
    "git push",
    "git -C x push --force",
    "ls && git push",
    "ls; (git push)",
    "sudo git push",
    "/usr/bin/git push",
    "GIT push",
    "ls $(git push)",
    "ls `git push`",
    "if ls; then git push; fi",
    "bash -c 'git push'",
    'eval "ls; git push"',
    "f() { git push; }; f",
    "g\\it push",
    "'git' \"push\"",
    "A=1 git push",
    "rm x",
    "/bin/rm x",
    "find . -exec rm {} +",
    "xargs rm",
    "env rm x",
    "ls <(rm x)",
    "cat <<EOF\n$(rm x)\nEOF",
    "sh -c \"sh -c 'rm x'\"",
  ])("%j is refused", (command) => {
    expect(strict.shell(command).verdict).toBe("deny");
  });

  test.each(["git status", "ls push", "echo 'please do not'"])("%j is none of theirs", (command) => {
    expect(strict.shell(command).verdict).not.toBe("deny");
  });
});
