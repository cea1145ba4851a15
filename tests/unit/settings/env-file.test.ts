import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  folderVariables,
  modelKeysOf,
  readFolderEnvironment,
  readOwnEnvironment,
} from "../../../electron/settings/env-file.ts";
import { endsInTime } from "../../fixtures/ends-in-time.ts";

const folder = (env?: string) => {
  const path = mkdtempSync(join(tmpdir(), "parley-env-"));
  if (env !== undefined) writeFileSync(join(path, ".env"), env);
  return path;
};
const trusted = () => true;

test("the real environment wins over what was given in the app, which wins over the user's .env", () => {
  const user = folder("A=user\nB=user\nC=user\nEMPTY=\n");
  expect(readOwnEnvironment({ A: "real", B: "" }, { A: "given", B: "given" }, user)).toEqual({
    A: "real",
    B: "given",
    C: "user",
  });
  expect(readOwnEnvironment({ A: "1" }, {}, folder())).toEqual({ A: "1" });
  expect(readOwnEnvironment({ A: "1" }, {}, "/nonexistent")).toEqual({ A: "1" });
});

test("a folder's .env is read by the user's word alone, with the content that it has", () => {
  const path = folder("OPENAI_API_KEY=k\n");
  expect(readFolderEnvironment(path, () => false)).toEqual({});
  const asked: unknown[] = [];
  const answer = (...what: unknown[]) => asked.push(what) > 0;
  expect(readFolderEnvironment(path, answer)).toEqual({ OPENAI_API_KEY: "k" });
  expect(asked).toEqual([[join(path, ".env"), "OPENAI_API_KEY=k\n"]]);
});

test("what says where requests go, or what runs, is not taken from a folder", () => {
  const names = [
    "ANTHROPIC_BASE_URL",
    "openai_base_url",
    "HTTPS_PROXY",
    "all_proxy",
    "NODE_OPTIONS",
    "NODE_EXTRA_CA_CERTS",
    "LD_PRELOAD",
    "DYLD_INSERT_LIBRARIES",
    "PATH",
    "BASH_ENV",
    "GIT_SSH_COMMAND",
    "ELECTRON_RUN_AS_NODE",
    "PARLEY_SPEECH_CATALOGUE",
    "MCP_INPUT_TOKEN",
  ];
  expect(folderVariables(names.map((name) => `export ${name}=x`).join("\n"))).toEqual({});
});

test("lines are read as other programs do", () => {
  const text =
    "# a note\nexport A = 'one # two'\r\n  B=\"x y\" # note\nC=1\nEMPTY=\nnot a line\n__proto__=x\n";
  expect(folderVariables(text)).toEqual({ A: "one # two", B: "x y", C: "1" });
});

test.each([
  ["blank lines", "\n".repeat(600_000)],
  ["blanks", `A=${" ".repeat(600_000)}`],
  ["quotes", `A=${"'".repeat(600_000)}`],
  ["escaped quotes", `A="${'\\"'.repeat(300_000)}`],
  ["names", "a".repeat(600_000)],
  ["many names", Array.from({ length: 80_000 }, (_, at) => `A${at}=1`).join("\n")],
])("%s are read once", (_, text) => {
  expect(() => endsInTime(() => folderVariables(text))).not.toThrow();
});

test("of the folder's variables only keys of models are for models, and none of a maker whose key was given", () => {
  const ofFolder = { OPENAI_API_KEY: "o", ANTHROPIC_AUTH_TOKEN: "t", GEMINI_API_KEY: "g", DATABASE_URL: "d" };
  expect(modelKeysOf(ofFolder, {})).toEqual({
    OPENAI_API_KEY: "o",
    ANTHROPIC_AUTH_TOKEN: "t",
    GEMINI_API_KEY: "g",
  });
  expect(modelKeysOf(ofFolder, { ANTHROPIC_API_KEY: "mine", GOOGLE_API_KEY: "mine" })).toEqual({
    OPENAI_API_KEY: "o",
  });
});

test("a .env that is a link out of its folder is not read", () => {
  const path = folder();
  symlinkSync(join(folder("OPENAI_API_KEY=elsewhere"), ".env"), join(path, ".env"));
  expect(readFolderEnvironment(path, trusted)).toEqual({});
});
