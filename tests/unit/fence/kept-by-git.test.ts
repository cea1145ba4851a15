import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keptByGit } from "../../../electron/fence/view/git-identity.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-kept-"));
  writeFileSync(join(folder, ".env"), "A=1\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "ignore" });

test("what git keeps is told anew after each change of its index", async () => {
  expect(await keptByGit(folder, [".env"])).toEqual([]);
  git("init", "-q");
  expect(await keptByGit(folder, [".env"])).toEqual([]);
  git("add", "-f", ".env");
  expect(await keptByGit(folder, [".env"])).toEqual([".env"]);
  expect(await keptByGit(folder, [".env"])).toEqual([".env"]);
  expect(await keptByGit(folder, ["other.env"])).toEqual([]);
  git("rm", "-q", "--cached", ".env");
  expect(await keptByGit(folder, [".env"])).toEqual([]);
});

test("in a folder of a repository, and in a work tree of its own", async () => {
  git("init", "-q");
  mkdirSync(join(folder, "part"));
  writeFileSync(join(folder, "part/.env"), "B=1\n");
  git("add", "-f", "part/.env");
  expect(await keptByGit(join(folder, "part"), [".env"])).toEqual([".env"]);
  git("-c", "user.name=U", "-c", "user.email=u@example.com", "commit", "-qm", "first");
  git("worktree", "add", "-q", "tree");
  expect(await keptByGit(join(folder, "tree"), ["part/.env"])).toEqual(["part/.env"]);
});
