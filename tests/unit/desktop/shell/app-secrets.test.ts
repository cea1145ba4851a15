import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createCommandRegistry } from "../../../../electron/commands/registry.ts";
import { Redactor } from "../../../../electron/desktop/log/redactor.ts";
import { AppSecrets } from "../../../../electron/desktop/shell/app-secrets.ts";
import type { Cipher } from "../../../../electron/settings/secrets.ts";
import { removed } from "../../../../shared/safety/redact.ts";
import { type KeyRequest, shownLine } from "../../../../shared/safety/secrets.ts";

const secret = "sk-ant-api03-the-key-of-this-test";
let folder: string;
let working: string;
let isTrusted: boolean;
let real: Record<string, string>;
let isGuarded: boolean;
/** The key store was locked after the start. */
let isLocked: boolean;
let told: string[];
let asked: KeyRequest[];
let secrets: AppSecrets;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-keys-"));
  working = mkdtempSync(join(tmpdir(), "parley-keys-folder-"));
  isTrusted = true;
  real = {};
  isGuarded = true;
  isLocked = false;
  told = [];
  asked = [];
  secrets = open();
});

function open(): AppSecrets {
  const cipher = (): Cipher => ({
    backend: isGuarded ? "the keyring" : "basic_text",
    canBeWeak: !isGuarded,
    isGuarded: () => isGuarded,
    encrypt: (text) => {
      if (isLocked) throw new Error("it is locked");
      return Buffer.from(text, "utf16le").reverse();
    },
    decrypt: (bytes) => {
      if (isLocked) throw new Error("it is locked");
      return Buffer.from(bytes).reverse().toString("utf16le");
    },
  });
  return new AppSecrets({
    userData: folder,
    workingFolder: working,
    redactor: new Redactor(),
    isTrusted: () => isTrusted,
    real,
    cipher,
    onProblem: ({ code, message }) => told.push(`${code}: ${message}`),
    onFailure: (line) => told.push(line),
    ask: (request) => asked.push(request),
    onChange: () => {},
  });
}

const type = async (line: string) =>
  (await createCommandRegistry([secrets.command]).answer(line, { conversationId: "c" })).output;

describe("/key", () => {
  test("set opens the form for the variable, and says where the key will be", async () => {
    expect(await type("/key set anthropic")).toBe("The form for `ANTHROPIC_API_KEY` is open.");
    expect(asked).toEqual([
      { variable: "ANTHROPIC_API_KEY", place: "system", canBeWeak: false, backend: "the keyring" },
    ]);
  });

  // Bug: the answer repeats the key, and the transcript keeps it.
  test.each([
    `/key set anthropic ${secret}`,
    `/key set ${secret}`,
    `/key ${secret}`,
    `/key remove ${secret}`,
    `/key weak ${secret}`,
    `/KEY Set openai=${secret} x`,
    `/key set anthropic "two words of a ${secret}`,
  ])("%s: the key is not taken, and neither line nor answer shows it", async (line) => {
    const answer = await type(line);
    expect(answer).not.toContain("key-of-this-test");
    expect(shownLine(line, (text) => text)).not.toContain("key-of-this-test");
    expect(secrets.environment().ANTHROPIC_API_KEY).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("list names them and where they are, never what they are", async () => {
    expect(await type("/key")).toContain("There are no keys.");
    real.OPENAI_API_KEY = "from-outside";
    secrets.setKey("ANTHROPIC_API_KEY", secret, false);
    secrets.setKey("OPENAI_API_KEY", secret, false);
    writeFileSync(join(folder, ".env"), "GEMINI_API_KEY=from-a-file\n");
    expect(await type("/key list")).toBe(
      [
        "- `ANTHROPIC_API_KEY`: kept, guarded by the keyring.",
        "- `OPENAI_API_KEY`: kept, guarded by the keyring. Not used: the one in the environment comes first.",
        "- `GEMINI_API_KEY`: from a `.env` file.",
      ].join("\n"),
    );
  });

  test("remove takes it away, and says what counts then", async () => {
    writeFileSync(join(folder, ".env"), "ANTHROPIC_API_KEY=from-a-file\n");
    secrets.setKey("ANTHROPIC_API_KEY", secret, false);
    expect(await type("/key remove anthropic")).toBe(
      "The key for `ANTHROPIC_API_KEY` is removed. The one from a `.env` file is used now.",
    );
    expect(secrets.environment().ANTHROPIC_API_KEY).toBe("from-a-file");
    expect(await type("/key remove anthropic")).toContain("No key was given here");
  });
});

describe("a key that a window asks for", () => {
  test("has the form shown", () => {
    secrets.askKey("GEMINI_API_KEY");
    expect(asked).toMatchObject([{ variable: "GEMINI_API_KEY", place: "system" }]);
  });

  test("that the environment sets has none: what is given there would not be used", () => {
    real.GEMINI_API_KEY = "from-outside";
    expect(() => secrets.askKey("GEMINI_API_KEY")).toThrow("GEMINI_API_KEY is set in the environment");
    expect(asked).toEqual([]);
  });
});

describe("a folder's .env", () => {
  const address = "ANTHROPIC_BASE_URL=http://evil.example\nHTTPS_PROXY=http://evil.example\n";

  test("gives keys of models by the user's word, and nothing else; the user's own variables are their own", () => {
    writeFileSync(
      join(working, ".env"),
      `ANTHROPIC_API_KEY=theirs\nGITHUB_API=http://evil.example\n${address}`,
    );
    writeFileSync(join(folder, ".env"), "GITHUB_TOKEN=mine\nANTHROPIC_BASE_URL=https://gate.example\n");
    expect(secrets.modelKeys()).toEqual({ ANTHROPIC_API_KEY: "theirs" });
    expect(secrets.environment()).toEqual({
      GITHUB_TOKEN: "mine",
      ANTHROPIC_BASE_URL: "https://gate.example",
    });
    isTrusted = false;
    expect(secrets.modelKeys()).toEqual({});
    expect(secrets.serverVariables(working).folder).toEqual({});
  });

  test("fills in what comes with the folder, and nothing of the user's own entries", () => {
    writeFileSync(join(working, ".env"), `A=theirs\nB=theirs\n${address}`);
    writeFileSync(join(folder, ".env"), "A=file\nANTHROPIC_BASE_URL=https://gate.example\n");
    real.B = "real";
    expect(secrets.serverVariables(working)).toEqual({
      own: { A: "file", B: "real", ANTHROPIC_BASE_URL: "https://gate.example" },
      folder: { A: "theirs", B: "theirs" },
    });
    expect(secrets.serverVariables(null).folder).toEqual({});
  });

  test("brings no key of a maker whose key the user gave in the app", () => {
    writeFileSync(join(working, ".env"), "ANTHROPIC_AUTH_TOKEN=theirs\n");
    secrets.setKey("ANTHROPIC_API_KEY", secret, false);
    expect(secrets.modelKeys()).toEqual({});
  });
});

describe("without a key store", () => {
  beforeEach(() => {
    isGuarded = false;
    secrets = open();
  });

  test("the key is in memory, unless the user accepts what the form calls weak", async () => {
    secrets.setKey("ANTHROPIC_API_KEY", secret, false);
    expect(await type("/key")).toContain("in memory until you quit");
    expect(readdirSync(folder)).toEqual([]);
    secrets.setKey("OPENAI_API_KEY", secret, true);
    expect(await type("/key")).toContain("weakly protected");
    expect(open().environment().OPENAI_API_KEY).toBe(secret);
    // Who accepted it once can still want another key in memory only.
    secrets.setKey("GEMINI_API_KEY", secret, false);
    expect(open().environment().GEMINI_API_KEY).toBeUndefined();
    expect(secrets.environment().GEMINI_API_KEY).toBe(secret);
  });

  test("weak off clears the file", async () => {
    secrets.setKey("OPENAI_API_KEY", secret, true);
    expect(await type("/key weak off")).toContain("removed from the file");
    expect(open().environment().OPENAI_API_KEY).toBeUndefined();
    expect(secrets.environment().OPENAI_API_KEY).toBe(secret);
  });
});

describe("what is known to be secret is taken out of any text", () => {
  test("keys that were given, variables by their names, tokens of servers", async () => {
    real.DEPLOY_TOKEN = "plain words of one";
    secrets = open();
    secrets.setKey("MY_THING", "no form of a key", false);
    const tokens = { tokens: { access_token: "opaque-one" } };
    await secrets.serverSecrets.write("mcp-oauth:x", JSON.stringify(tokens));
    const text = "plain words of one, no form of a key, opaque-one";
    expect(secrets.redact(text)).toBe(`${removed}, ${removed}, ${removed}`);
    // At the next start, once they are used.
    const again = open();
    again.environment();
    await again.serverSecrets.read("mcp-oauth:x");
    expect(again.redact(text)).toBe(`${removed}, ${removed}, ${removed}`);
  });

  test("a server's sign-in is kept sealed, and there at the next start", async () => {
    await secrets.serverSecrets.write("mcp-oauth:x", '{"tokens": 1}');
    expect(readFileSync(join(folder, "secrets.json"), "utf8")).not.toContain("tokens");
    expect(await open().serverSecrets.read("mcp-oauth:x")).toBe('{"tokens": 1}');
  });
});

describe("a key store that fails after the start", () => {
  const locked = "The system's key store (the keyring) does not take it: it is locked.";
  /** In the place of the file nothing can be put. */
  const blockFile = () => mkdirSync(join(folder, "secrets.json.new", "in the way"), { recursive: true });

  test("a key that it does not take: whoever gave it is told, the log has it, and it counts until you quit", () => {
    secrets.setKey("ANTHROPIC_API_KEY", "sk-old", false);
    isLocked = true;
    expect(() => secrets.setKey("ANTHROPIC_API_KEY", secret, false)).toThrow(locked);
    expect(told).toEqual([expect.stringContaining(`keys: ${locked}`)]);
    expect(told.join()).not.toContain(secret);
    expect(secrets.environment().ANTHROPIC_API_KEY).toBe(secret);
  });

  test("a key that cannot be opened after a start is known to be there", () => {
    secrets.setKey("ANTHROPIC_API_KEY", secret, false);
    expect(secrets.locked()).toEqual([]);
    isLocked = true;
    secrets = open();
    expect(secrets.environment().ANTHROPIC_API_KEY).toBeUndefined();
    expect(secrets.locked()).toEqual(["ANTHROPIC_API_KEY"]);
  });

  test("a key whose file cannot be written, and one that cannot be removed from it, are told in the same way", async () => {
    secrets.setKey("ANTHROPIC_API_KEY", secret, false);
    blockFile();
    expect(() => secrets.setKey("OPENAI_API_KEY", secret, false)).toThrow("could not be written");
    expect(await type("/key remove anthropic")).toMatch(
      /could not be written: .* works until you quit Parley\./,
    );
    expect(told).toEqual([
      expect.stringMatching(/^keys: .*secrets\.json could not be written/),
      expect.stringMatching(/^keys: .*secrets\.json could not be written/),
    ]);
  });

  // Bug: the key was forgotten where the file of weakly protected ones could not be written.
  test("a key for the weak file counts also where that cannot be written", () => {
    isGuarded = false;
    blockFile();
    expect(() => secrets.setKey("ANTHROPIC_API_KEY", secret, true)).toThrow("could not be written");
    expect(secrets.environment().ANTHROPIC_API_KEY).toBe(secret);
  });

  test("what it does not open any more is said with the reason", async () => {
    await secrets.serverSecrets.write("mcp-oauth:x", "token");
    isLocked = true;
    secrets = open();
    expect(await secrets.serverSecrets.read("mcp-oauth:x")).toBeUndefined();
    expect(told).toEqual([
      expect.stringMatching(/^unopened_secret: .*“mcp-oauth:x” cannot be opened: .* \(it is locked\)\.$/),
    ]);
  });

  test("a server's token that cannot be kept does not fail the sign-in, and is told each time", async () => {
    isLocked = true;
    await secrets.serverSecrets.write("mcp-oauth:x", "token");
    expect(await secrets.serverSecrets.read("mcp-oauth:x")).toBe("token");
    expect(told).toEqual([expect.stringContaining(`unwritten_secret: ${locked}`)]);
  });
});

describe("the key that seals secrets in checkpoints", () => {
  test("is kept where the system guards it, and nowhere else", () => {
    expect(secrets.sealKey.write("the-key")).toBe(true);
    expect(readFileSync(join(folder, "secrets.json"), "utf8")).not.toContain("the-key");
    secrets = open();
    expect(secrets.sealKey.read()).toBe("the-key");

    folder = mkdtempSync(join(tmpdir(), "parley-keys-"));
    isGuarded = false;
    secrets = open();
    expect(secrets.sealKey.write("the-key")).toBe(false);
    expect([secrets.sealKey.read(), readdirSync(folder)]).toEqual([undefined, []]);
  });

  test("is not replaced while it cannot be opened", () => {
    secrets.sealKey.write("the-key");
    isLocked = true;
    secrets = open();
    expect([secrets.sealKey.read(), secrets.sealKey.write("another")]).toEqual([undefined, false]);
    isLocked = false;
    secrets = open();
    expect(secrets.sealKey.read()).toBe("the-key");
  });
});
