import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findGit } from "../../../../electron/fence/watch/find-git.ts";
import { findSteeringFiles, maxEntries } from "../../../../electron/fence/watch/steering-files.ts";
import { isProtected } from "../../../../shared/safety/protected-files.ts";
import { isSecretPath } from "../../../../shared/safety/secret-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "steering-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  }
}
const find = async (remade: readonly string[] = ["node_modules", ".next", "target"]) => {
  const found = await findSteeringFiles(folder, {
    ...{ isProtected, isHidden: isSecretPath, remade },
    findGit: (folders) => findGit(folder, folders),
  });
  return { hidden: [...found.hidden].sort(), protected: [...found.protected].sort() };
};

test("keys are hidden and what decides what runs is protected, wherever they lie", async () => {
  put(".env", "a/b/server.pem", ".vscode/tasks.json", "src/main.ts");
  expect(await find()).toEqual({ hidden: [".env", "a/b/server.pem"], protected: [".vscode"] });
});

// Bug: three names that anybody can make switched off what is hidden and protected in a folder.
test("a folder with the names of a repository hides and protects what any does, and what git obeys besides", async () => {
  put("HEAD", "objects/k", "refs/k", ".env", "a/server.pem", ".vscode/tasks.json", "objects/.env");
  put("config", "hooks/pre-commit", "info/attributes");
  expect(await find()).toEqual({
    hidden: [".env", "a/server.pem", "objects/.env"],
    protected: [".vscode", "config", "hooks", "info/attributes"],
  });
});

test("what git keeps in `.git` stays, and what is no file of git's is hidden there, too", async () => {
  put(
    ".git/HEAD",
    ".git/config",
    ".git/refs/heads/server.pem",
    ".git/objects/aa/key.pem",
    ".git/info/exclude",
  );
  put(".git/.env", ".git/worktrees/w/deploy.key");
  expect(await find()).toEqual({
    hidden: [".git/.env", ".git/worktrees/w/deploy.key"],
    protected: [".git/.env", ".git/config", ".git/worktrees/w/deploy.key"],
  });
});

// Bug: a program's copy of the keys in the folder that it makes was there to be read.
test("copies of keys are hidden where programs make all anew; packages are left alone", async () => {
  put(
    ".next/standalone/.env",
    "app/target/release/deploy.key",
    "node_modules/x/.env",
    ".next/node_modules/.env",
  );
  put("target/.vscode/tasks.json");
  expect(await find()).toEqual({
    hidden: [".next/standalone/.env", "app/target/release/deploy.key"],
    protected: [],
  });
});

test("not more is looked at there than a bound", async () => {
  const many = Array.from({ length: 40 }, (_, index) => `target/${index}/x/.env`);
  put(...many);
  expect((await find()).hidden).toHaveLength(40);
  const looking = { isProtected, isHidden: isSecretPath, remade: ["target"] };
  expect((await findSteeringFiles(folder, looking, maxEntries, 39)).hidden).toEqual([]);
  expect((await findSteeringFiles(folder, looking, 39)).hidden).toHaveLength(40);
});

// Bug: git obeyed what a command left in folders that were never looked into, by an entry of the index that leads there.
test("repositories are found where programs make all anew, among packages, in what is hidden, and as modules of any name", async () => {
  put(
    "node_modules/a/b/.git/HEAD",
    "node_modules/a/b/.git/config",
    "node_modules/c/.git",
    "target/x/.git/hooks/h",
  );
  put(".next/node_modules/y/.git/config", "target/bare/HEAD", "target/bare/refs/x", "target/bare/objects/x");
  put("target/bare/config", ".aws/deep/.git/config", ".git/HEAD", ".git/modules/logs/config");
  symlinkSync("c", join(folder, "node_modules/link"));
  expect((await find()).protected).toEqual(
    [
      ...[".aws/deep/.git/config", ".git/modules/logs/config", ".next/node_modules/y/.git/config"],
      ...["node_modules/a/b/.git/config", "node_modules/c/.git", "target/bare/config", "target/x/.git/hooks"],
    ].sort(),
  );
});

test("packages that could not be looked through are told as not seen", async () => {
  put("node_modules/a/index.js");
  const looking = { isProtected, isHidden: isSecretPath, remade: ["node_modules"] };
  const found = await findSteeringFiles(folder, { ...looking, findGit: () => Promise.resolve(null) });
  expect(found.unseen).toEqual(["node_modules"]);
});

// Bug: of what a rule denies, nothing was hidden among packages, and beyond a bound nothing anywhere that programs make anew.
test("what is denied is looked for in all that programs make anew, once, and what could not be looked through is told as not seen", async () => {
  put("node_modules/a/.env", "app/target/release/x/y", "src/a.ts", ".aws/deep/node_modules/b");
  const looking = { isProtected, isHidden: isSecretPath, remade: ["node_modules", "target"] };
  const asked: (readonly string[])[] = [];
  const findDenied = async (folders: readonly string[]) => {
    asked.push([...folders].sort());
    return ["node_modules/a/.env"];
  };
  const found = await findSteeringFiles(folder, { ...looking, findDenied }, maxEntries, 0);
  expect(found.hidden).toContain("node_modules/a/.env");
  expect(asked).toEqual([["app/target", "node_modules"]]);
  const failed = await findSteeringFiles(folder, { ...looking, findDenied: async () => null });
  expect([...failed.unseen].sort()).toEqual(["app/target", "node_modules"]);
});
