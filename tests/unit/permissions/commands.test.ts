import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readShellScript } from "../../../electron/permissions/commands/shell-script.ts";
import { endsInTime } from "../../fixtures/ends-in-time.ts";
import { allow, allowed, asked, rules } from "./command-tables.ts";
import { createPolicyRig, type PolicyRig } from "./policy-rig.ts";

let rig: PolicyRig;
beforeAll(async () => {
  rig = await createPolicyRig(rules);
});
afterAll(() => rig.close());

describe("allowing rules for commands", () => {
  test.each(allowed)("%j runs", (command) => {
    expect(rig.shell(command)).toMatchObject({ verdict: "allow", confinement: "change" });
  });

  for (const [what, commands] of asked) {
    test.each(commands)(`${what}: %j is allowed by no rule`, (command) => {
      const decision = rig.shell(command);
      // What only looks runs all the same, where it can write nothing.
      if (decision.verdict === "allow") expect(decision.confinement).toBe("look");
      else expect(decision.verdict).toBe("ask");
    });
  }

  test("without a fence only exact rules hold, and nothing runs because it looks", async () => {
    const other = await createPolicyRig(rules);
    other.hasFence(false);
    const exact = [
      "git add",
      "git commit -m x",
      "git commit -m 'x'",
      "make build",
      "rm -rf build",
      "bash deploy.sh",
    ];
    const running = allowed.filter((command) => other.shell(command).verdict === "allow");
    expect(running).toEqual(exact);
    for (const command of asked.flatMap(([, commands]) => commands)) {
      expect([command, other.shell(command).verdict]).toEqual([command, "ask"]);
    }
    other.close();
  });

  test("a rule holds in its own folder only, and not below it", () => {
    expect(rig.shell("make build", null, "src").verdict).toBe("ask");
    expect(rig.shell("npm test", null, "src").verdict).toBe("ask");
    // By another way to the same place.
    expect(rig.shell("make build", null, "src/..").verdict).toBe("allow");
    expect(rig.shell("make build", null, "way-in/..").verdict).toBe("allow");
    expect(rig.shell("make build", null, "way-out").verdict).toBe("ask");
  });

  test.each(["cd src", "pushd src", "popd", "alias git", "export PATH", "unset PATH", "set -e", "hash -r"])(
    "%j may be allowed, and what comes behind it is another command than without it",
    async (first) => {
      const other = await createPolicyRig([allow(first, true), allow("git fetch", true)]);
      const runs = { verdict: "allow", confinement: "change" };
      expect(other.shell("git fetch; git fetch")).toMatchObject(runs);
      expect(other.shell(first)).toMatchObject(runs);
      expect(other.shell(`${first}; git fetch`)).not.toMatchObject(runs);
      other.close();
    },
  );

  test("the table is long enough to mean something", () => {
    expect(allowed.length + asked.flatMap(([, commands]) => commands).length).toBeGreaterThan(200);
  });

  // Bug: cmd.exe reads `^`, `%` and quotes in its own way, so that bash's reading says nothing.
  test("on Windows no command is sure", async () => {
    const other = await createPolicyRig(rules);
    Object.defineProperty(other.environment, "platform", { value: "win32" });
    expect(other.shell("git fetch").verdict).toBe("ask");
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
      { verdict: "deny", command: "npm run deploy" },
      allow("git push"),
      allow("ls"),
    ]);
  });
  afterAll(() => strict.close());

  test.each([
    "git push",
    "npm run --silent deploy",
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
    "cat <<< $(rm x)",
    "for it in pull push; do git $it; done",
    "G=git; $G push",
    "C='git push'; $C",
    "C='ls; git push'; eval \"$C\"",
    "C='git push'; bash <<< $C",
    "sh -c \"sh -c 'rm x'\"",
    // Bug: what a shell is given to read, what is glued to an option or a value, and braces were not looked at.
    "sh <<< 'git push'",
    "sudo -u me bash <<< 'git push'",
    "sh <<'E'\nls\ngit push\nE",
    "cat <<E | ssh host\ngit push\nE",
    "sh -c \"$(cat <<'E'\ngit push\nE\n)\"",
    "git -c alias.x='!git push' x",
    "git rebase --exec='git push' HEAD~1",
    "env -S'git push'",
    "git -calias.x='!git push' x",
    "watch 'ls --exec=git push'",
    "make X='ls\ngit push'",
    "env -S'if ls\nthen git push\nfi'",
    "git rebase --exec='if ls\nthen git push\nfi'",
    "{git,push}",
    "{git,{push,x}}",
    ["git push", ...Array(5)].reduce((inner: string) => `sh -c '${inner.replaceAll("'", `'\\''`)}'`),
  ])("%j is refused", (command) => {
    expect(strict.shell(command).verdict).toBe("deny");
  });

  test.each([
    "git status",
    "ls push",
    "npm deploy run",
    "echo 'please do not'",
    // What is written to a file, or said in a message, is a text.
    "cat > notes.md <<'E'\nThen git push and rm x.\nE",
    "cat > notes.md <<'E' && npm test\nThen git push.\nE",
    "git commit -m \"$(cat <<'E'\nSay when to git push\nE\n)\"",
    "git commit -F - <<'E'\nSay when to git push\nE",
    "python3 - <<'E'\nprint('a') # git push\nE",
    "tr a b <<< 'git push'",
    "M='then git push'; git commit -m \"$M\"",
  ])("%j is none of theirs", (command) => {
    expect(strict.shell(command).verdict).not.toBe("deny");
  });
});

describe("what is seen of a command", () => {
  test.each<[string, string[][]]>([
    ["cat < a", [["cat"], ["a"]]],
    ["{ cat; } < a", [["cat"], ["a"]]],
    ["x >> a 2>&1 2>/dev/null", [["x"], ["a"]]],
    ["sh <<< 'git push'", [["sh"], ["git", "push"]]],
    [
      "cat {a,b}/c '{a,b}'",
      [
        ["cat", "{a,b}/c", "{a,b}"],
        ["cat", "a/c", "b/c", "{a,b}"],
      ],
    ],
    ["cat > a <<E\ngit push\nE", [["cat"], ["a"]]],
  ])("%j", (source, seen) => {
    const found = readShellScript(source);
    expect([found.seen, found.isCutOff]).toEqual([seen, false]);
  });

  const nested = (levels: number) =>
    Array.from({ length: levels }).reduce<string>((inner) => `echo "$(${inner} b)"`, "a");

  // Bug: 60 levels, 600 letters, took 13 seconds, and three times as many all of the memory.
  test("what is nested deeply is read in time, and not taken for all of it", () => {
    for (const levels of [200, 255, 300]) {
      const { seen, isCutOff } = endsInTime(() => readShellScript(nested(levels)));
      expect([seen.length <= 2000, isCutOff]).toEqual([true, true]);
    }
    expect(readShellScript(nested(10)).isCutOff).toBe(false);
  });

  test("what variables may come to is bounded, however they are built up", () => {
    const values = (count: number) => Array.from({ length: count }, (_, at) => `v${at}`).join(" ");
    const isCutOff = (source: string) => endsInTime(() => readShellScript(source)).isCutOff;
    expect(isCutOff(`for a in ${values(30)}; do for b in ${values(30)}; do cat $a$b; done; done`)).toBe(true);
    expect(isCutOff(`for a in ${values(20)}; do for b in ${values(20)}; do cat $a$b; done; done`)).toBe(
      false,
    );
    // Each value counts once, and in what comes next the last one alone.
    expect(isCutOff(`A=a; ${"A+=b; B=$B:$A; ".repeat(400)} cat $A`)).toBe(false);
    expect(isCutOff(`A=a; ${"A=$A$A; ".repeat(1000)} cat $A`)).toBe(false);
    expect(isCutOff(`A='${"a ".repeat(501)}'; cat "$A"`)).toBe(false);
  });

  test.each([
    ["more commands than anybody reads", "ls;".repeat(3000)],
    ["deeper than the parser goes", `${"(".repeat(300)}git push${")".repeat(300)}`],
    ["longer than what is read", `git push #${"a".repeat(40_001)}`],
    ["more braces than are taken apart", `cat ${"{,}".repeat(9)}{secrets,x}/a`],
    ["braces that would take long to take apart", `cat ${"{a,b}".repeat(8)}${"{a}".repeat(9000)}`],
  ])("%s is cut off", (_, source) => {
    expect(endsInTime(() => readShellScript(source)).isCutOff).toBe(true);
  });

  // Bug: more than five braces in one word asked, however few names they stand for.
  test("braces are taken apart as long as they stand for few words", () => {
    const { seen, isCutOff } = readShellScript("mkdir -p a/{b,c}/{d,e}/{f,g}/{h,i}/{j,k}/{l,m}");
    expect([seen[1]?.length, seen[1]?.at(-1), isCutOff]).toEqual([2 + 64, "a/c/e/g/i/k/m", false]);
  });

  // Bug: a program in quotes that begins with an assignment was read twice, and 1,100 of its lines were too many.
  test.each(["python3 -c 'a=1\n", "make X='\n", "python3 -c'"])(
    "of %j and many lines each is read once",
    (start) => {
      const program = (lines: number) => readShellScript(`${start}${"f(a)\n".repeat(lines)}'`);
      expect(program(200).seen.length - program(100).seen.length).toBe(100);
      expect(program(1100).isCutOff).toBe(false);
    },
  );

  // Bug: what was written to a file counted as a script where any command beside it runs one.
  test.each([
    "if ls; then cat > a <<'E'\nSECRET\nE\nbash a; fi",
    "{ cat > a <<'E'\nSECRET\nE\nsource a; }",
    "(cat > a <<'E'\nSECRET\nE\nbash a) > log 2>&1",
    "{ cat > a <<'E'\nSECRET\nE\nbash a; } | tee log",
    "for x in 1 2; do cat > a <<< SECRET; sh a; done",
    "bash a | cat - <(cat <<'E'\nSECRET\nE\n)",
  ])("%j: no shell is given it", (source) => {
    expect(readShellScript(source).seen.flat()).not.toContain("SECRET");
  });

  test.each([
    "if ls; then bash <<'E'\nSECRET\nE\nfi",
    "{ ls; sh; } <<'E'\nSECRET\nE",
    "{ cat <<'E'\nSECRET\nE\n} | bash",
    "cat <<'E' | { tee a | sh; }\nSECRET\nE",
    "cat <<'E' | tee a | (cd b; sh)\nSECRET\nE",
    "(cat <<'E'\nSECRET\nE\n) | while read -r x; do eval $x; done",
    "source <(cat <<'E'\nSECRET\nE\n)",
    "if ls; then eval \"$(cat <<'E'\nSECRET\nE\n)\"; fi",
  ])("%j: a shell is given it", (source) => {
    expect(readShellScript(source).seen.flat()).toContain("SECRET");
  });
});
