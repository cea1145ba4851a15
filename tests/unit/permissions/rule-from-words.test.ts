import { describe, expect, test } from "vitest";
import { ruleAsWritten, ruleFromWords } from "../../../electron/permissions/rule-from-words.ts";

const rule = (words: string) => ruleFromWords(words.split(" "), "/work");

describe("a rule as it is typed", () => {
  test.each([
    ["deny tool shell", { verdict: "deny", tool: "shell" }],
    ["deny tool git*", { verdict: "deny", tool: "git*" }],
    ["ask tool */save", { verdict: "ask", server: "*", tool: "save" }],
    ["allow tool read_file", { verdict: "allow", tool: "read_file" }],
    ["deny command a && b", { verdict: "deny", command: "a && b" }],
    ["allow host example.com", { verdict: "allow", host: "example.com" }],
    ["allow path a b", { verdict: "allow", path: "a b" }],
    ["allow command ls *", { verdict: "allow", command: "ls *", folder: "/work" }],
    ["allow command ls", { verdict: "allow", command: "ls", exact: true, folder: "/work" }],
  ])("%j", (words, means) => {
    expect(rule(words)).toEqual(means);
  });

  test.each([
    ["allow", "a verdict, a kind, and what it applies to"],
    ["allow path", "a verdict, a kind, and what it applies to"],
    ["allow exact command", "a verdict, a kind, and what it applies to"],
    ["deny server github", "about a command, a path, a tool, a host, not `server`"],
    ["maybe path x", "verdict: "],
    ["deny tool /save", "server: "],
    ["deny tool github/", "tool: "],
    ["allow tool git*", "names its server"],
    ["allow tool */save", "names its server"],
    ["allow tool shell", "Say which commands"],
    ["allow command git *", "`git` alone would allow any program. Say more of it"],
    ["allow command a && b", "`a && b` is not one simple command"],
    // Bug: these rules denied nothing, and nobody said so.
    ["deny path secrets/!(a)", "has no !(…)"],
    ["deny path log-{1..9}.txt", "{1,2,3}"],
    ["deny path [[:digit:]]/**", "{0,1,2}"],
    ["allow command a && b *", "not one simple command. Say more"],
  ])("%j is none: %s", (words, why) => {
    expect(rule(words)).toEqual(expect.stringContaining(why));
  });
});

describe("a rule as it is written in the settings", () => {
  const written = { verdict: "allow", kind: "command", folder: null } as const;

  test("counts where the user says", () => {
    expect(ruleAsWritten({ ...written, what: "npm run *", folder: "/work" })).toEqual({
      ...{ verdict: "allow", command: "npm run *", folder: "/work" },
    });
    expect(ruleAsWritten({ ...written, what: "npm test" })).toEqual({
      ...{ verdict: "allow", command: "npm test", exact: true },
    });
    expect(ruleAsWritten({ verdict: "deny", kind: "path", what: "secrets/**", folder: "/work" })).toEqual({
      ...{ verdict: "deny", path: "secrets/**", folder: "/work" },
    });
  });

  test.each([
    ["git *", "would allow any program"],
    ["a && b", "is not one simple command"],
  ])("`%s` is none that allows, and the reason is said", (what, why) => {
    expect(ruleAsWritten({ ...written, what })).toContain(why);
  });
});
