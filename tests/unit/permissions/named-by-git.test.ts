import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isNamedByGit } from "../../../electron/permissions/named-by-git.ts";
import { createPolicyRig } from "./policy-rig.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "named-")));
  execFileSync("git", ["init", "-q"], { cwd: folder });
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (path: string, text = "") => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const isNamed = (path: string) => isNamedByGit([{ real: join(folder, path), isInside: true }]);
const set = (...words: string[]) => execFileSync("git", ["config", ...words], { cwd: folder });

// Bug: a tool wrote hooks without asking, in a folder that git's settings name.
test.each([
  ["core.hooksPath", "tools/hooks", "tools/hooks/pre-commit"],
  ["core.hooksPath", "./tools/hooks/", "tools/hooks"],
  ["include.path", "../conf/git", "conf/git"],
  ["includeIf.gitdir:~/work/.path", "../conf/git", "conf/git"],
  ["core.attributesFile", "conf/attributes", "conf/attributes"],
  ["filter.a.clean", "sh 'scripts/clean' %f", "scripts/clean"],
  ["alias.x", "!scripts/x --now", "scripts/x"],
])("what %s = %s names decides what runs: %s", (key, value, path) => {
  expect(isNamed(path)).toBe(false);
  set(key, value);
  expect(isNamed(path)).toBe(true);
  expect(isNamed("src/main.ts")).toBe(false);
});

test("so does what included settings name, from where they lie, in a repository below as well", () => {
  execFileSync("git", ["init", "-q", "sub"], { cwd: folder });
  put("sub/conf/git", "[include]\n\tpath = more\n");
  put("sub/conf/more", '[core]\n\thooksPath = "our hooks" # not these: other\n');
  execFileSync("git", ["config", "include.path", "../conf/git"], { cwd: join(folder, "sub") });
  expect(["sub/conf/more", "sub/our hooks/x", "our hooks/x", "other"].map(isNamed)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("so does what links among the hooks lead to, and a folder of hooks behind a link", () => {
  put("scripts/check");
  symlinkSync("../../scripts/check", join(folder, ".git/hooks/pre-commit"));
  put("real/hooks/x");
  symlinkSync("real", join(folder, "tools"));
  set("core.hooksPath", "tools/hooks");
  expect(["scripts/check", "real/hooks/x", "scripts/other"].map(isNamed)).toEqual([true, true, false]);
});

test("a work tree of its own has the settings of its repository", () => {
  set("core.hooksPath", "tools/hooks");
  const identity = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
  execFileSync("git", [...identity, "commit", "-q", "--allow-empty", "-m", "one"], { cwd: folder });
  execFileSync("git", ["worktree", "add", "-q", "tree"], { cwd: folder });
  expect(isNamed("tree/tools/hooks/x")).toBe(true);
});

test("a tool asks before it writes there, whatever the level", async () => {
  const rig = await createPolicyRig();
  rig.settings.permissionMode = "work";
  execFileSync("git", ["init", "-q"], { cwd: rig.folder });
  expect(rig.write("tools/hooks/pre-commit")).toBe("allow");
  execFileSync("git", ["config", "core.hooksPath", "tools/hooks"], { cwd: rig.folder });
  expect(rig.write("tools/hooks/pre-commit")).toBe("ask");
  rig.close();
});
