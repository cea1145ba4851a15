import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PermissionRule } from "../../../shared/safety/permissions.ts";
import { endsInTime } from "../../fixtures/ends-in-time.ts";
import { createPolicyRig, type PolicyRig } from "./policy-rig.ts";

let rig: PolicyRig;
beforeEach(async () => {
  rig = await createPolicyRig();
});
afterEach(() => rig.close());

describe("paths where edits are allowed", () => {
  beforeEach(() => {
    rig.settings.permissionMode = "accept-edits";
  });

  test.each([
    "a.txt",
    "src/a.ts",
    "./src/../b.txt",
    "new/deep/c.txt",
    "way-in/a.ts",
    "größe.txt",
    ".env.example",
    "keyboard.ts",
  ])("%j is written", (path) => {
    expect(rig.write(path)).toBe("allow");
  });

  test.each([
    "../x",
    "src/../../x",
    "/etc/passwd",
    "/tmp/x",
    "~/x",
    "~",
    "way-out/x",
    "innocent.txt",
    "dangling",
    "dangling/x",
    "way-out/new/deep/x",
    ".env",
    ".ENV",
    "./.env",
    "src/../.env",
    ".env.local",
    "prod.env",
    "\uff0eenv",
    ".env.",
    ".env ",
    ".env::$DATA",
    "notes.txt",
    "id_rsa",
    "ID_RSA",
    "keys/id_ed25519.pub",
    "server.pem",
    "Server.KEY",
    ".ssh/config",
    "sub/.SSH/authorized_keys",
    ".aws/credentials",
    "credentials.json",
    "secrets.yaml",
    ".npmrc",
    ".netrc",
    ".git/hooks/pre-commit",
    ".GIT/config",
    "sub/.git/config",
    ".gitmodules",
    ".parley/permissions.json",
    ".Parley/permissions.json",
    "way-in/../.parley/permissions.json",
    ".vscode/tasks.json",
    ".mcp.json",
    ".husky/pre-push",
    ".envrc",
    ".zprofile",
    ".config/Parley/settings.json",
    ".github/workflows/ci.yml",
    "AGENTS.md",
    "node_modules/.bin/tsc",
    ".claude/settings.json",
    ".g\u200cit/hooks/x",
    "GIT~1/hooks/x",
    ".git/HEAD",
  ])("%j asks", (path) => {
    expect(rig.write(path)).toBe("ask");
  });

  test("a patch is judged by every file in it, and one that cannot be read asks", () => {
    const patch = (...paths: string[]) =>
      rig.decide("apply_patch", {
        patch: [
          "*** Begin Patch",
          ...paths.flatMap((path) => [`*** Add File: ${path}`, "+x"]),
          "*** End Patch",
        ].join("\n"),
      }).verdict;
    expect(patch("a.txt", "src/b.txt")).toBe("allow");
    expect(patch("a.txt", "../b.txt")).toBe("ask");
    expect(patch("a.txt", ".env")).toBe("ask");
    expect(rig.decide("apply_patch", { patch: "nonsense" }).verdict).toBe("ask");
    const moved = "*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: .git/hooks/x\n*** End Patch";
    expect(rig.decide("apply_patch", { patch: moved }).verdict).toBe("ask");
  });
});

describe("reading", () => {
  test.each([".env", "notes.txt", "src/../.ENV", "id_rsa", ".ssh/id_ed25519"])(
    "%j asks in every level",
    (path) => {
      for (const level of ["look", "ask", "accept-edits", "work"] as const) {
        rig.settings.permissionMode = level;
        expect(rig.decide("read_file", { path }).verdict).toBe("ask");
        expect(rig.decide("read_many_files", { paths: ["src/a.ts", path] }).verdict).toBe("ask");
      }
    },
  );

  test.each([
    ["src/**/*.ts", "allow"],
    ["**/*", "allow"],
    [".env*", "ask"],
    ["**/*.pem", "ask"],
    [".e?v", "ask"],
    [".{env,x}", "ask"],
    ["id_*", "ask"],
  ])("the pattern %j: %s", (pattern, verdict) => {
    expect(rig.decide("read_many_files", { paths: [pattern] }).verdict).toBe(verdict);
  });

  test("an allowing rule does not open keys", () => {
    rig.rules({ verdict: "allow", tool: "read_file" }, { verdict: "allow", path: ".env" });
    expect(rig.decide("read_file", { path: ".env" }).verdict).toBe("ask");
  });
});

describe("rules for paths", () => {
  test("deny before ask before allow, wherever they stand", () => {
    rig.rules(
      { verdict: "allow", path: "docs/**" },
      { verdict: "ask", path: "docs/legal/**" },
      { verdict: "deny", path: "docs/legal/signed/**" },
    );
    expect(rig.write("docs/a.md")).toBe("allow");
    expect(rig.write("docs/legal/a.md")).toBe("ask");
    expect(rig.write("docs/legal/signed/a.md")).toBe("deny");
    rig.settings.permissionMode = "work";
    expect(rig.write("docs/legal/a.md")).toBe("ask");
    expect(rig.write("docs/legal/signed/a.md")).toBe("deny");
  });

  test.each<[PermissionRule["path"], string, "allow" | "ask"]>([
    ["docs/**", "docs/a/b.md", "allow"],
    ["docs", "docs/a/b.md", "allow"],
    ["docs/*.md", "docs/a.md", "allow"],
    ["docs/*.md", "docs/a/b.md", "ask"],
    ["docs/*.md", "docs/a.mdx", "ask"],
    ["**/*.md", "a.md", "allow"],
    ["*.{md,txt}", "a.txt", "allow"],
    ["a?.md", "ab.md", "allow"],
    ["docs/**", "docs/../src/b.ts", "ask"],
    ["docs/**", "docs2/b.md", "ask"],
    ["docs/**", "Docs2/../DOCS/a.md", "ask"],
    ["src/**", "way-in/b.ts", "allow"],
    ["way-in/**", "way-in/b.ts", "ask"],
    ["way-out/**", "way-out/b.ts", "ask"],
    ["e\u0301.md", "é.md", "allow"],
    ["é.md", "e\u0301.md", "ask"],
    ["a.b", "axb", "ask"],
    ["docs/(x)", "docs/(x)", "allow"],
  ])("allow %j, write %j: %s", (path, file, verdict) => {
    rig.rules({ verdict: "allow", path });
    expect(rig.write(file)).toBe(verdict);
  });

  test.each([
    ["docs/**", "DOCS/a.md"],
    ["docs/**", "src/../docs/a.md"],
    ["src/**", "way-in/a.ts"],
    ["é.md", "e\u0301.md"],
    ["docs/**", "ＤＯＣＳ/a.md"],
  ])("deny %j meets %j, too", (path, file) => {
    rig.rules({ verdict: "deny", path });
    expect(rig.write(file)).toBe("deny");
  });

  test("a denied path is denied to commands and servers as well, as far as they name it", () => {
    rig.rules(
      { verdict: "deny", path: "docs/**" },
      { verdict: "allow", command: "cat" },
      { verdict: "allow", server: "docs", tool: "save" },
    );
    expect(rig.shell("cat docs/a.md").verdict).toBe("deny");
    expect(rig.shell("cat src/../docs/a.md").verdict).toBe("deny");
    expect(rig.decide("docs__save", { where: { file: "docs/a.md" } }).verdict).toBe("deny");
    expect(rig.decide("docs__save", { where: { file: "src/a.md" } }).verdict).toBe("allow");
  });

  // Bug: what a command reads by `<` or writes by `>` did not count.
  test.each([
    "cat < docs/a.md",
    "{ cat; } < docs/a.md",
    "while read -r line; do echo; done < docs/a.md",
    "make > docs/a.md",
    "cat {docs,src}/a.md",
    "sh <<'E'\ncat docs/a.md\nE",
  ])("%j names a denied path", (command) => {
    rig.rules({ verdict: "deny", path: "docs/a.md" });
    for (const level of ["look", "ask", "work"] as const) {
      rig.settings.permissionMode = level;
      expect(rig.shell(command).verdict).toBe("deny");
    }
  });

  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the shell's own
  // Bug: these only asked, or ran, and no reason was given.
  test.each([
    "for f in docs/a.md; do cat $f; done",
    'for f in src/* docs/*.md; do wc -l "$f"; done',
    "for f in {src,docs}/*.md; do ls; done",
    "select f in docs/*.md; do break; done",
    "[[ -f docs/a.md ]] && ls",
    "if [[ ! ( -d src || src -nt docs/a.md ) ]]; then ls; fi",
    "all=(docs/*.md); ls",
    "declare -a all=(src docs/a.md)",
    "F=docs/a.md; cat $F",
    'F=docs/a.md && cat < "$F"',
    "cat() { less $F; }; F=docs/a.md; cat",
    "D=docs F=$D/a.md; cat ./${F}",
    "D=do; D+=cs; cat $D/a.md",
    "F='src docs/a.md'; cat $F",
    "F='cat docs/a.md'; bash -c \"$F\"",
    "F=docs/a.md; bash -c 'cat $F'",
    "bash -c 'F=docs/a.md; cat $F'",
    'for d in src docs; do cat "$d/a.md"; done',
    'all=(src docs); cat "${all[1]}/a.md"',
    "for f in src docs; do [[ -e $f/a.md ]]; done",
    "cat ${1:-docs/a.md}",
    'cat "${F:-${G-docs}}/a.md"',
    ": ${D:=docs}; cat $D/a.md",
    "cat {$D,${D:-docs}}/a.md",
  ])("%j names a denied path in another way", (command) => {
    rig.rules({ verdict: "deny", path: "docs/**/*.md" });
    expect(rig.shell(command)).toMatchObject({ verdict: "deny", reason: expect.stringContaining("docs/**") });
  });

  test.each([
    "for f in src/*; do cat docs2/$f; done",
    "[[ $F == docs/a.md || -n docs/a.md ]]",
    "F=docs/a.md; ls src",
    "F=docs; cat $FF/a.md ${#F}/a.md",
    "F=docs; cat src/${F%s}/a.txt",
    "cat ${F:?docs/a.md is missing}",
  ])("%j names none", (command) => {
    rig.rules({ verdict: "deny", path: "docs/**/*.md" });
    expect(rig.shell(command).verdict).not.toBe("deny");
  });
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the shell's own

  // Bug: a server's tool got at a denied path by a longer or another way to write it.
  test.each<[string, unknown]>([
    ["with many detours", { path: `${"./".repeat(2100)}docs/a.md` }],
    ["as an address", { path: "file:///FOLDER/docs/a.md" }],
    ["as an address with a host", { path: "file://localhost/FOLDER/docs/a.md" }],
    ["as a relative address", { path: "file:docs/a.md" }],
    ["as an address with escapes", { path: "FILE:///FOLDER/doc%73/a.md" }],
    ["with a query", { path: "docs%2Fa.md?x=1#y" }],
    ["deep down", Array.from({ length: 20 }).reduce<object>((inner) => ({ inner }), { path: "docs/a.md" })],
    ["as a name", { files: { "docs/a.md": true } }],
  ])("a server's tool that names one %s is refused", (_, input) => {
    rig.rules({ verdict: "deny", path: "docs/**" }, { verdict: "allow", server: "docs" });
    const ofFolder = JSON.parse(JSON.stringify(input).replace("/FOLDER", rig.folder));
    expect(rig.decide("docs__search", ofFolder).verdict).toBe("deny");
  });

  test("a rule of another folder says nothing here", () => {
    rig.rules({ verdict: "allow", path: "**", folder: "/elsewhere" });
    expect(rig.write("a.txt")).toBe("ask");
    rig.rules({ verdict: "allow", path: "**", folder: rig.folder });
    expect(rig.write("a.txt")).toBe("allow");
  });
});

describe("commands and calls that name more than anybody reads", () => {
  const many = Array.from({ length: 2000 }, (_, index) => `n${index}`);

  // Bug: the whole app stood still for 17 seconds because of one short command or file name.
  test.each<[string, () => unknown]>([
    ["a word of thousands of pieces", () => rig.shell(`cat ./${"a/b=".repeat(4500)}`)],
    ["a name of nothing but colons", () => rig.decide("read_file", { path: `${":".repeat(60_000)}\nx` })],
    ["a long path", () => rig.shell(`cat ${"a/".repeat(1900)}`)],
  ])("%s is decided about at once", (_, decide) => {
    expect(() => endsInTime(decide)).not.toThrow();
  });

  test("many long paths are decided about soon", () => {
    const paths = many.map((name) => name + "/a".repeat(1900));
    // It was two minutes.
    expect(() => endsInTime(() => rig.decide("docs__save", { paths }))).not.toThrow();
  });

  // Bug: what stood behind the 500th word of a command was not looked at, and ran without asking.
  test.each<[string, () => unknown]>([
    ["a word of many pieces", () => rig.shell(`cat ${many.join(",")}`)],
    ["many words", () => rig.shell(`cat ${many.join(" ")}`)],
    ["a server's call with many texts", () => rig.decide("docs__search", { paths: many })],
  ])("%s asks, and says why", (_, decide) => {
    rig.rules({ verdict: "allow", server: "docs", tool: "*" });
    for (const level of ["look", "ask", "work"] as const) {
      rig.settings.permissionMode = level;
      expect(decide()).toMatchObject({
        verdict: "ask",
        why: expect.stringContaining("more than Parley looks"),
      });
    }
  });

  // Bug: of a command of more than 40,000 characters nothing was looked at, and it ran without asking.
  test.each(["git push #", "cat node_modules/x/.env #"])(
    "%j and 40,000 letters ask, whatever they would",
    (command) => {
      for (const verdict of ["deny", "ask"] as const) {
        rig.rules({ verdict, command: "git push" });
        for (const level of ["look", "ask", "work"] as const) {
          rig.settings.permissionMode = level;
          expect(rig.shell(command + "a".repeat(40_001)).verdict).toBe("ask");
        }
      }
    },
  );

  test("the same word again and again is one", () => {
    expect(rig.shell(`cat ${"src/a.ts ".repeat(800)}`).verdict).toBe("allow");
  });
});

describe("keys that a server's tool names", () => {
  beforeEach(() => rig.rules({ verdict: "allow", server: "docs", tool: "*" }));

  test.each([
    ".env",
    `${"./".repeat(2100)}.env`,
    "file:///work/.%65nv",
    "src/.env?x=1",
    "src/.env#x",
    "src/%2Eenv?x",
  ])("%j asks", (path) => {
    expect(rig.decide("docs__search", { files: [{ path }] })).toMatchObject({
      verdict: "ask",
      why: expect.stringContaining("keys or passwords"),
    });
  });

  // A file's content is nothing that a server opens.
  test.each([
    ["a long text", `# Notes\n\n${"The whole of it, and what it costs (50% less).\n".repeat(2000)}`],
    ["a text of some lines", `# Notes\n\n${"Is it a file? It may be.\n".repeat(120)}`],
    ["a question", "Where does the .env come from? I have none."],
  ])("%s runs", (_, content) => {
    expect(rig.decide("docs__save", { path: "src/a.md", content }).verdict).toBe("allow");
  });
});

describe("keys outside of the working folder", () => {
  // Bug: a command that named the user's keys in the home folder ran without asking.
  test.each([
    "cat ~/.rye/credentials",
    "cat $HOME/.npm-global/etc/npmrc",
    "head -1 ../outside/.env",
    "grep -r token --include=x ~/.aws/config",
    "cat ~/.fly/*.pem",
    "cd way-out && cat way-out/server.key",
    // Bug: behind `<` they did not count.
    "cat < ../outside/.env",
    "cat < node_modules/x/.env",
    "cat node_modules/x/{a,.env}",
    "sh <<E\ncat node_modules/x/.env\nE",
  ])("%j asks in every level, also in a fence", (command) => {
    for (const level of ["look", "ask", "work"] as const) {
      rig.settings.permissionMode = level;
      expect(rig.shell(command)).toMatchObject({
        verdict: "ask",
        why: expect.stringContaining("keys or passwords"),
      });
    }
  });

  test.each([
    ["cat < .env", "keys or passwords"],
    ["echo x >> ~/.bashrc", "decides what runs"],
    ["echo x > .git/hooks/pre-commit", "decides what runs"],
  ])("without a fence %j says why it asks", (command, why) => {
    rig.hasFence(false);
    expect(rig.shell(command)).toMatchObject({ verdict: "ask", why: expect.stringContaining(why) });
  });

  test.each([
    "cat .env",
    "cat < .env",
    "cat < src/a.ts > /dev/null",
    "cat ~/.rye/config.toml",
    "ls /usr/bin",
    "cat src/server.key",
    "grep -r secret src",
  ])("%j runs: the fence hides what it must", (command) => {
    expect(rig.shell(command).verdict).toBe("allow");
  });
});
