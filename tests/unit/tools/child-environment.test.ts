import { describe, expect, test } from "vitest";
import { childEnvironment } from "../../../electron/tools/child-environment.ts";

const secrets = [
  "ANTHROPIC_API_KEY",
  "openai_api_key",
  "CLIENT_SECRET",
  "GITHUB_TOKEN",
  "Db_Password",
  "AWS_CREDENTIAL",
  "TOKEN",
  "AWS_SECRET_ACCESS_KEY",
];
const kept = ["PATH", "HOME", "USER", "SHELL", "LANG", "TERM", "TMPDIR", "GOPATH", "CARGO_HOME", "NVM_DIR"];
const others = ["EDITOR", "TOKENIZER", "API_KEYS_FILE", "SECRET_SANTA", "MY_TOKEN_COUNT", "KEYBOARD"];
const all = Object.fromEntries([...secrets, ...kept, ...others].map((name) => [name, "value"]));

describe("variables of a child process", () => {
  test("filtered: all but what is named like a secret, in any case", () => {
    expect(Object.keys(childEnvironment("filtered", all)).sort()).toEqual([...kept, ...others].sort());
  });

  // Bug: a key under a name of the user's own goes to every command.
  test("filtered: nor what has the form of a key; an address with a password is needed to get anywhere", () => {
    const own = { WORK: "sk-ant-api03-0123456789abcdef", https_proxy: "http://me:secret@proxy.example.com" };
    expect(Object.keys(childEnvironment("filtered", own))).toEqual(["https_proxy"]);
  });

  test("core: only what a shell and language tools need", () => {
    expect(Object.keys(childEnvironment("core", all)).sort()).toEqual([...kept].sort());
  });

  test("inherit all: all of them; one without a value is none", () => {
    expect(childEnvironment("inherit all", { ...all, GONE: undefined })).toEqual(all);
  });
});
