import { describe, expect, test } from "vitest";
import { Redactor } from "../../../../electron/desktop/log/redactor.ts";
import { hasSecretAddress, removed, withoutSecrets } from "../../../../shared/safety/redact.ts";
import { isKeyLine, keyVariable } from "../../../../shared/safety/secrets.ts";
import { endsInTime } from "../../../fixtures/ends-in-time.ts";

describe("what looks like a secret is taken out", () => {
  test.each([
    ["the key sk-ant-api03-abcDEF_123456789-xyz is wrong", `the key ${removed} is wrong`],
    ["sk-proj-0123456789abcdefghij", removed],
    ["?key=AIzaSyA0123456789abcdefghijklmnopqrstuvw", `?key=${removed}`],
    ["ghp_0123456789abcdefghijABCDEFGHIJ012345", removed],
    ["Authorization: Bearer abcdefghijkl.mnop", `Authorization: Bearer ${removed}`],
    ["https://me:hunter22@proxy.example.com/", `https://${removed}@proxy.example.com/`],
    ["postgres://me:hunter22@db.example.com/", `postgres://me:${removed}@db.example.com/`],
    ['{"API_KEY": "no-form-of-its-own"}', `{"API_KEY": "${removed}"}`],
    ['"{\\"token\\":\\"abcdefgh\\"}"', `"{\\"token\\":\\"${removed}\\"}"`],
    ["--password=correcthorse --verbose", `--password=${removed} --verbose`],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_def", removed],
    ["-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nafter", `${removed}\nafter`],
    ["AKIAIOSFODNN7EXAMPLE", removed],
  ])("%s", (text, expected) => {
    expect(withoutSecrets(text)).toBe(expected);
  });
});

// Bug: the log and fenced commands had tokens that stood in an address with no password behind them.
describe("a token in an address is taken out", () => {
  test.each([
    ["url = https://abcdefghij0123456789@dev.azure.com/x", `url = https://${removed}@dev.azure.com/x`],
    ["https://abc-123:@pypi.fury.io/me", `https://${removed}@pypi.fury.io/me`],
    ["git+https://abc:x-oauth-basic@github.com/a/b.git", `git+https://${removed}@github.com/a/b.git`],
    ["http://me@example.com:pass@proxy.example.com", `http://${removed}@proxy.example.com`],
    ["HTTPS://0123456789-ABCDEF@a.example,b", `HTTPS://${removed}@a.example,b`],
  ])("%s", (text, expected) => {
    expect(withoutSecrets(text)).toBe(expected);
    expect(hasSecretAddress(text)).toBe(true);
  });

  test.each([
    "https://git@github.com/a/b.git",
    "https://organization@dev.azure.com/organization/x",
    "https://example.com/a-long-enough-way/me@example.com",
    "https://example.com?mail=somebody-at-home@example.com",
    '["https://registry.example.com","somebody@example.com"]',
    "ssh://git@github.com:22/a/b.git",
    "git@github.com:a/b.git",
  ])("%s has none", (text) => {
    expect(withoutSecrets(text)).toBe(text);
    expect(hasSecretAddress(text)).toBe(false);
  });
});

describe("what is no secret stays", () => {
  test.each([
    "retry 2 in 500 ms: overloaded",
    "maxTokens: 200000 and token: 123456789",
    `"GITHUB_TOKEN": "\${GITHUB_TOKEN}"`,
    "a task-list, a disk-based-something-long-enough",
    "http://127.0.0.1:8080/path@home",
    "That API key did not work. Type /key to change ANTHROPIC_API_KEY.",
    "basic questions about tokens",
    "",
  ])("%s", (text) => {
    expect(withoutSecrets(text)).toBe(text);
  });
});

// Bug: a page of one long word holds up the main process for minutes.
test.each([
  "a",
  "a.",
  "eyJ-",
  "secret",
  "sk-",
  "-----BEGIN ",
  "token=",
  "http://a:",
  "http://a",
  "https://@",
])("a long run of %j is read once", (piece) => {
  const text = piece.repeat(300_000 / piece.length);
  // Reading it again from every place would take minutes.
  expect(() => endsInTime(() => withoutSecrets(text))).not.toThrow();
});

describe("the redactor", () => {
  test("takes out what it was told of, also in JSON and in an address", () => {
    const redactor = new Redactor();
    redactor.know('pass "word"/1');
    const text = `it is pass "word"/1, ${JSON.stringify({ it: 'pass "word"/1' })}, ?p=${encodeURIComponent('pass "word"/1')}`;
    expect(redactor.text(text)).toBe(`it is ${removed}, {"it":"${removed}"}, ?p=${removed}`);
  });

  // Bug: an empty or one-letter “key” takes every letter out of the log.
  test("a value that is too short to be one is left alone", () => {
    const redactor = new Redactor();
    redactor.know("");
    redactor.know("a");
    redactor.know(undefined);
    expect(redactor.text("banana")).toBe("banana");
  });

  test("knows variables by their names, and the strings of a sign-in", () => {
    const redactor = new Redactor();
    redactor.knowVariables({ MY_TOKEN: "plain-words", HOME: "/home/somebody" });
    redactor.knowStrings({ tokens: { access_token: "first-words", token_type: "bearer-something" } });
    const text = "plain-words first-words /home/somebody bearer-something";
    expect(redactor.text(text)).toBe(`${removed} ${removed} /home/somebody bearer-something`);
  });
});

describe("the names of keys", () => {
  test.each([
    ["anthropic", "ANTHROPIC_API_KEY"],
    ["OpenAI", "OPENAI_API_KEY"],
    ["GITHUB_TOKEN", "GITHUB_TOKEN"],
    ["sk-ant-api03-abcdefghijkl", null],
    ["AKIAIOSFODNN7EXAMPLE", null],
    ["token", null],
  ])("%s: %s", (word, variable) => {
    expect(keyVariable(word)).toBe(variable);
  });

  test("a line about keys", () => {
    expect([" /key set anthropic sk-1", "/KEY", "/keys", "a /key"].map(isKeyLine)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
