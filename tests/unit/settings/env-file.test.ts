import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readEnvironment } from "../../../electron/settings/env-file.ts";

const folder = (env?: string) => {
  const path = mkdtempSync(join(tmpdir(), "parley-env-"));
  if (env !== undefined) writeFileSync(join(path, ".env"), env);
  return path;
};

test("the real environment wins over the working folder's .env, which wins over the user's", () => {
  const working = folder("A=working\nB=working\n");
  const user = folder("A=user\nB=user\nC=user\n");
  expect(readEnvironment({ A: "real" }, [working, user])).toEqual({ A: "real", B: "working", C: "user" });
});

// Bug: a key that was just typed does nothing, because a project's .env has an old one.
test("what was given in the app stands between the two", () => {
  const working = folder("A=working\nB=working\n");
  expect(readEnvironment({ A: "real" }, [working], { A: "given", B: "given" })).toEqual({
    A: "real",
    B: "given",
  });
});

test("an empty value counts as not set, wherever it stands", () => {
  expect(readEnvironment({ KEY: "" }, [folder("KEY=\n"), folder("KEY=there\n")])).toEqual({ KEY: "there" });
});

test("a folder without .env changes nothing", () => {
  expect(readEnvironment({ A: "1" }, [folder(), "/nonexistent"])).toEqual({ A: "1" });
});
