import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PermissionMode, PermissionRule } from "../../../shared/permissions.ts";
import { createPolicyRig, type PolicyRig } from "./policy-rig.ts";

let rig: PolicyRig;
beforeEach(async () => {
  rig = await createPolicyRig();
});
afterEach(() => rig.close());

const write = (path: string) => rig.decide("write_file", { path, content: "x" }).verdict;
const rules = (...given: PermissionRule[]) => {
  rig.settings.permissionRules = given;
};

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
    rules({ verdict: "allow", tool: "write_file" }, { verdict: "allow", command: "make", exact: true });
    expect(write("a.txt")).toBe("deny");
    expect(rig.shell("make").verdict).toBe("deny");
    rules({ verdict: "allow", tool: "web_fetch" });
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

describe("paths in accept-edits", () => {
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
    expect(write(path)).toBe("allow");
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
  ])("%j asks", (path) => {
    expect(write(path)).toBe("ask");
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
    "%j asks in every mode",
    (path) => {
      for (const mode of ["plan", "ask", "accept-edits", "auto"] as const) {
        rig.settings.permissionMode = mode;
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
    rules({ verdict: "allow", tool: "read_file" }, { verdict: "allow", path: ".env" });
    expect(rig.decide("read_file", { path: ".env" }).verdict).toBe("ask");
  });
});

describe("rules for paths", () => {
  test("deny before ask before allow, wherever they stand", () => {
    rules(
      { verdict: "allow", path: "docs/**" },
      { verdict: "ask", path: "docs/legal/**" },
      { verdict: "deny", path: "docs/legal/signed/**" },
    );
    expect(write("docs/a.md")).toBe("allow");
    expect(write("docs/legal/a.md")).toBe("ask");
    expect(write("docs/legal/signed/a.md")).toBe("deny");
    rig.settings.permissionMode = "auto";
    expect(write("docs/legal/a.md")).toBe("ask");
    expect(write("docs/legal/signed/a.md")).toBe("deny");
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
    rules({ verdict: "allow", path });
    expect(write(file)).toBe(verdict);
  });

  test.each([
    ["docs/**", "DOCS/a.md"],
    ["docs/**", "src/../docs/a.md"],
    ["src/**", "way-in/a.ts"],
    ["é.md", "e\u0301.md"],
    ["docs/**", "ＤＯＣＳ/a.md"],
  ])("deny %j meets %j, too", (path, file) => {
    rules({ verdict: "deny", path });
    expect(write(file)).toBe("deny");
  });

  test("a denied path is denied to commands and servers as well, as far as they name it", () => {
    rules(
      { verdict: "deny", path: "docs/**" },
      { verdict: "allow", command: "cat" },
      { verdict: "allow", tool: "docs__save" },
    );
    expect(rig.shell("cat docs/a.md").verdict).toBe("deny");
    expect(rig.shell("cat src/../docs/a.md").verdict).toBe("deny");
    expect(rig.decide("docs__save", { where: { file: "docs/a.md" } }).verdict).toBe("deny");
    expect(rig.decide("docs__save", { where: { file: "src/a.md" } }).verdict).toBe("allow");
  });

  test("a rule of another folder says nothing here", () => {
    rules({ verdict: "allow", path: "**", folder: "/elsewhere" });
    expect(write("a.txt")).toBe("ask");
    rules({ verdict: "allow", path: "**", folder: rig.folder });
    expect(write("a.txt")).toBe("allow");
  });
});

describe("rules for hosts", () => {
  const fetched = (url: string) => rig.decide("web_fetch", { url }).verdict;
  test.each([
    ["https://example.com/a", "allow"],
    ["https://EXAMPLE.com./a", "allow"],
    ["https://docs.example.org", "allow"],
    ["https://a.b.example.org", "allow"],
    ["https://example.org", "ask"],
    ["https://example.com.evil.net", "ask"],
    ["https://example.com@evil.net", "ask"],
    ["https://evil.net/example.com", "ask"],
    ["https://evil.net?x=example.com", "ask"],
    ["https://notexample.com", "ask"],
    ["https://xexample.org", "ask"],
    ["https://example.com:8443", "ask"],
    ["https://exаmple.com", "ask"],
    ["ftp://example.com", "ask"],
    ["https://bad.example.org", "deny"],
    ["not an address", "ask"],
  ])("%s: %s", (url, verdict) => {
    rules(
      { verdict: "allow", host: "example.com" },
      { verdict: "allow", host: "*.example.org" },
      { verdict: "deny", host: "bad.example.org" },
    );
    expect(fetched(url)).toBe(verdict);
  });
});

describe("rules for servers", () => {
  test("by server and by tool", () => {
    rules({ verdict: "allow", tool: "docs__*" }, { verdict: "deny", tool: "*__save" });
    expect(rig.decide("docs__search", {}).verdict).toBe("allow");
    expect(rig.decide("docs__save", {}).verdict).toBe("deny");
  });

  test("what a server says of a tool makes a rule stricter, never wider", () => {
    rules({ verdict: "allow", tool: "docs__*" });
    expect(rig.decide("docs__wipe", {}).verdict).toBe("ask");
    rules({ verdict: "allow", tool: "docs__wipe" });
    expect(rig.decide("docs__wipe", {}).verdict).toBe("allow");
    rules();
    expect(rig.decide("docs__peek", {}).verdict).toBe("ask");
  });

  test("a wildcard never covers Parley's own tools, and a path rule never a server's", () => {
    rules({ verdict: "allow", tool: "*" }, { verdict: "allow", path: "**" });
    expect(write("a.txt")).toBe("allow");
    expect(rig.shell("make").verdict).toBe("ask");
    rules({ verdict: "allow", path: "**" }, { verdict: "allow", tool: "shell" });
    expect(rig.decide("docs__save", { path: "a.txt" }).verdict).toBe("ask");
    expect(rig.shell("make").verdict).toBe("ask");
    rules({ verdict: "allow", tool: "*" });
    expect(write("a.txt")).toBe("ask");
  });

  test("a server that is allowed is still asked about keys", () => {
    rules({ verdict: "allow", tool: "docs__*" });
    expect(rig.decide("docs__search", { files: [{ path: "/home/me/.ssh/id_rsa" }] }).verdict).toBe("ask");
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
    rules(
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
    rules({ verdict: "deny", tool: "write_file" });
    expect(rig.decide("write_file", { path: "a", content: "" }, "loopback").verdict).toBe("deny");
  });
});

describe("rules of a project", () => {
  const project = (text: string) => {
    mkdirSync(join(rig.folder, ".parley"), { recursive: true });
    writeFileSync(join(rig.folder, ".parley/permissions.json"), text);
  };

  test("narrow at once, and allow only where the user trusts the folder", () => {
    project(
      JSON.stringify({
        rules: [
          { verdict: "allow", path: "**" },
          { verdict: "deny", path: "docs/**" },
        ],
      }),
    );
    expect(write("docs/a.md")).toBe("deny");
    expect(write("a.txt")).toBe("ask");
    rig.settings.trustedFolders.push(rig.folder);
    expect(write("a.txt")).toBe("allow");
    expect(write("docs/a.md")).toBe("deny");
    expect(write(".parley/permissions.json")).toBe("ask");
  });

  test.each(["{", '{"rules":[{"verdict":"allow"}]}', '{"rules":[{"verdict":"deny","pth":"x"}]}', "[]"])(
    "one that cannot be understood (%s) makes every change ask: what it forbids is not known",
    (text) => {
      project(text);
      rig.settings.permissionMode = "auto";
      expect(write("a.txt")).toBe("ask");
      expect(rig.decide("read_file", { path: "src/a.ts" }).verdict).toBe("allow");
    },
  );
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
    rules({ verdict: "ask", path: "a.txt" });
    expect(spoken("write_file", { path: "a.txt", content: "" })).toBe(false);
  });
});

function all(verdict: "allow" | "ask"): Record<PermissionMode, "allow" | "ask"> {
  return { plan: verdict, ask: verdict, "accept-edits": verdict, auto: verdict };
}
