import { describe, expect, test } from "vitest";
import { childEnvironment, ownEnvironment } from "../../../../electron/tools/process/child-environment.ts";

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
const others = ["TOKENIZER", "API_KEYS_FILE", "SECRET_SANTA", "MY_TOKEN_COUNT", "KEYBOARD"];
const all = Object.fromEntries([...secrets, ...kept, ...others].map((name) => [name, "/value"]));

/** What passed while names of secrets were listed, not names of what may pass. */
const passedOnce = [
  "DATABASE_URL",
  "PGPASSWORD",
  "MYSQL_PWD",
  "DB_PASS",
  "STRIPE_KEY",
  "STRIPE_APIKEY",
  "GH_PAT",
  "API_KEYS",
  "MY_SECRETS",
  "OPENAI_KEY",
  "SMTP_PASS",
  "DOCKER_AUTH_CONFIG",
  "AWS_ACCESS_KEY_ID",
];

describe("variables of a child process", () => {
  test.each([...secrets, ...others, ...passedOnce])("filtered: not %s", (name) => {
    expect(childEnvironment("filtered", { [name]: "/value" })).toEqual({});
  });

  test("filtered: what shells, languages and builds go by", () => {
    const names = [...kept, "EDITOR", "NODE_ENV", "LC_TIME", "CC", "PYTHONPATH", "SSL_CERT_FILE"];
    const own = Object.fromEntries(names.map((name) => [name, "/value"]));
    expect(Object.keys(childEnvironment("filtered", own)).sort()).toEqual([...names].sort());
  });

  test("not what has the form of a key, under a name that may pass", () => {
    expect(childEnvironment("filtered", { EDITOR: "sk-ant-api03-0123456789abcdef" })).toEqual({});
  });

  test.each(["inherit all", "filtered", "core", "none"] as const)(
    "%s: never an address with a password",
    (policy) => {
      const own = {
        HTTPS_PROXY: "http://me:secret@proxy.example.com",
        HOME: "ftp://a:b@c",
        PATH: "/usr/bin",
      };
      expect(childEnvironment(policy, own)).toEqual({ PATH: "/usr/bin" });
    },
  );

  // Bug: programs that the model starts had a token that stood in an address with no password behind it.
  test.each(["inherit all", "filtered"] as const)("%s: nor one with a token", (policy) => {
    const own = {
      PIP_INDEX_URL: "https://short-1:@pypi.example.com/simple",
      GOPROXY: "https://0123456789abcdefghij@go.example.com,direct",
      NPM_CONFIG_REGISTRY: "https://git@npm.example.com/",
    };
    expect(childEnvironment(policy, own)).toEqual({ NPM_CONFIG_REGISTRY: "https://git@npm.example.com/" });
  });

  test("core: only what a shell and language tools need", () => {
    expect(Object.keys(childEnvironment("core", all)).sort()).toEqual([...kept].sort());
  });

  test("none: what a shell needs to find a program", () => {
    expect(Object.keys(childEnvironment("none", all)).sort()).toEqual([
      "HOME",
      "LANG",
      "PATH",
      "TERM",
      "TMPDIR",
    ]);
  });

  test("inherit all: all of them; one without a value is none", () => {
    expect(childEnvironment("inherit all", { ...all, GONE: undefined })).toEqual(all);
  });

  test("Parley's own programs: what the user tells Parley by, too", () => {
    const told = { PARLEY_STT_MODEL: "/models/de", https_proxy: "http://me:secret@proxy.example.com" };
    const own = { PATH: "/usr/bin", ...told, PARLEY_OTHER: "x", OTHER_URL: "http://me:secret@example.com" };
    expect(ownEnvironment(own)).toEqual({ PATH: "/usr/bin", ...told });
  });
});
