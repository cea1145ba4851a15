import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keptByGit as keptIn } from "../../../electron/fence/view/kept-by-git.ts";

let folder: string;
let runtime: string;
const keptByGit = (folder: string, paths: readonly string[]) => keptIn(folder, paths, runtime);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-kept-"));
  runtime = mkdtempSync(join(tmpdir(), "parley-runtime-"));
  writeFileSync(join(folder, ".env"), "A=1\n");
});
afterEach(() => {
  for (const one of [folder, runtime]) rmSync(one, { recursive: true, force: true });
});

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

/** A repository whose index leaves out what its settings say is to be fetched by a program. */
function sparseWithEvilSettings(): string {
  const ran = join(folder, "ran");
  mkdirSync(join(folder, "a/b"), { recursive: true });
  writeFileSync(join(folder, "a/b/file"), "x\n");
  writeFileSync(join(folder, "top"), "x\n");
  git("init", "-q");
  git("add", "-f", ".");
  git("-c", "user.name=U", "-c", "user.email=u@example.com", "commit", "-qm", "first");
  git("sparse-checkout", "init", "--cone", "--sparse-index");
  const tree = execFileSync("git", ["rev-parse", "HEAD:a"], { cwd: folder, encoding: "utf8" }).trim();
  rmSync(join(folder, ".git/objects", tree.slice(0, 2), tree.slice(2)));
  writeFileSync(
    join(folder, ".git/config"),
    `[core]\n\trepositoryformatversion = 1\n\tsparsecheckout = true\n\tsparsecheckoutcone = true\n[index]\n\tsparse = true\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = .\n\tpromisor = true\n\tuploadpack = "touch ${ran}; git-upload-pack"\n`,
  );
  writeFileSync(join(folder, ".env"), "A=1\n");
  return ran;
}

// Bug: git fetched what its index left out, by the program that the repository's settings named, outside of the fence.
test("what a repository's settings say is not obeyed", async () => {
  const ran = sparseWithEvilSettings();
  // The settings do what is feared: git itself, asked the same there, runs the program.
  execFileSync("git", ["ls-files", "--", ".env"], { cwd: folder, stdio: "ignore" });
  expect(existsSync(ran)).toBe(true);
  rmSync(ran);
  expect(await keptByGit(folder, [".env"])).toEqual([".env"]);
  expect(existsSync(ran)).toBe(false);
});

test("nor what those of another repository say that it is led to", async () => {
  const ran = sparseWithEvilSettings();
  renameSync(join(folder, ".git"), join(folder, "evil"));
  writeFileSync(join(folder, ".git"), "gitdir: evil\n");
  await keptByGit(folder, [".env"]);
  expect(existsSync(ran)).toBe(false);
});

test("an index that cannot be read keeps all of them, and one that is no file none", async () => {
  git("init", "-q");
  writeFileSync(join(folder, ".git/index"), "no index");
  expect(await keptByGit(folder, [".env"])).toEqual([".env"]);
  rmSync(join(folder, ".git/index"));
  execFileSync("mkfifo", [join(folder, ".git/index")]);
  expect(await keptByGit(folder, [".env"])).toEqual([]);
});
