import { spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { largeFolder } from "../../../electron/store/checkpoints/contents/large-files.ts";
import { CheckpointRig } from "./checkpoint-rig.ts";

let rig: CheckpointRig;
beforeEach(async () => {
  rig = await CheckpointRig.open();
});
afterEach(() => rig.close());

/** A mere question must not write the index anew. */
const locks = { GIT_OPTIONAL_LOCKS: "0" };
const identity = {
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@b",
};

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd: rig.folder,
    encoding: "utf8",
    env: { ...process.env, ...identity, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", ...locks },
  });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** Two branches, a tag, a stash, packed and loose objects, an index with changes, and a repository inside. */
function makeRepository(): void {
  git("init", "-q", "-b", "main");
  mkdirSync(rig.at("src"));
  for (let file = 0; file < 300; file++) rig.put(`src/${file}.ts`, `export const n = ${file};\n`);
  rig.put(".gitignore", "big.bin\n.env\nnested\n");
  git("add", "-A");
  git("commit", "-qm", "one");
  git("tag", "v1");
  git("gc", "-q");
  git("checkout", "-qb", "other");
  rig.put("src/other.ts", "other\n");
  git("add", "-A");
  git("commit", "-qm", "two");
  git("tag", "-am", "with words", "v2");
  rig.put("src/0.ts", "stashed\n");
  git("stash");
  git("checkout", "-q", "main");
  rig.put("src/1.ts", "staged\n");
  git("add", "src/1.ts");
  rig.put("src/1.ts", "and changed again\n");
  rig.put("src/untracked", "never added\n");
  spawnSync("git", ["init", "-q", "nested"], { cwd: rig.folder });
  rig.put("nested/inner", "inner\n");
}

function makeTree(): void {
  makeRepository();
  rig.put("big.bin", randomBytes(20_000_000));
  rig.put(".env", "PASSWORD=hunter2-canary\n");
  rig.put("run.sh", "#!/bin/sh\n");
  chmodSync(rig.at("run.sh"), 0o755);
  symlinkSync("src/2.ts", rig.at("link"));
}

/** Every path with its mode, and the checksum of its content or where it leads. */
function checksums(): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (within: string) => {
    for (const name of readdirSync(join(rig.folder, within)).sort()) {
      const path = join(within, name);
      const target = rig.at(path);
      const stats = lstatSync(target);
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isSymbolicLink()) found[path] = `link ${readlinkSync(target)}`;
      else if (stats.isDirectory()) {
        found[path] = `folder ${mode}`;
        walk(path);
      } else found[path] = `file ${mode} ${createHash("sha256").update(readFileSync(target)).digest("hex")}`;
    }
  };
  walk("");
  return found;
}

const newest = () => rig.list()[0]?.id ?? "";
const isWhole = ({ files }: { files: { result: string }[] }) =>
  files.filter(({ result }) => result !== "restored" && result !== "removed");

describe("a rewind restores what a command did to", () => {
  test("history, large files, sources, a secret file, an executable and a link; so does a redo", async () => {
    makeTree();
    const before = checksums();
    const { report, output } = await rig.shell("m1", "rm -rf .git big.bin src .env run.sh link nested");
    expect(output.isError ?? false, output.text).toBe(false);
    expect(report.notRestorable).toEqual([]);
    expect(report.readOnly).toEqual([]);
    const after = checksums();
    expect(Object.keys(after)).toEqual([".gitignore"]);

    expect(isWhole(await rig.rewind(newest(), false))).toEqual([]);
    expect(checksums()).toEqual(before);
    expect(git("status", "--porcelain")).toBe("MM src/1.ts\n?? link\n?? run.sh\n?? src/untracked\n");
    expect(git("fsck", "--strict")).toBe("");

    expect(isWhole(await rig.redo(false))).toEqual([]);
    expect(checksums()).toEqual(after);
    expect(isWhole(await rig.rewind(newest(), false))).toEqual([]);
    expect(checksums()).toEqual(before);
  });

  test.each([
    ["git reset --hard HEAD~0", "reset --hard"],
    ["git branch -D other", "branch -D"],
    ["git stash clear && git tag -d v1 v2", "stash clear"],
    [
      "git branch -D other && git stash clear && git reflog expire --expire=now --all && git gc -q --prune=now",
      "gc",
    ],
    ["rm -rf .git nested/.git", "rm -rf .git"],
  ])("history: %s", async (command) => {
    makeRepository();
    const before = checksums();
    const { output } = await rig.shell("m1", command);
    expect(output.isError ?? false, output.text).toBe(false);
    expect(checksums()).not.toEqual(before);
    expect(isWhole(await rig.rewind(newest(), false))).toEqual([]);
    const now = checksums();
    expect(now).toMatchObject(before);
    const more = Object.keys(now).filter((path) => !(path in before));
    expect(more.filter((path) => !path.startsWith(".git/objects/"))).toEqual([]);
    expect(git("stash", "list")).toContain("stash@{0}");
    expect(git("rev-parse", "other", "v1", "v2").split("\n")).toHaveLength(4);
  });
});

test("an index that a question wrote anew meanwhile does not stand in the way", async () => {
  makeRepository();
  await rig.shell("m1", "git reset -q --hard other");
  spawnSync("sh", ["-c", "touch src/*; git status"], { cwd: rig.folder });
  const { files } = await rig.rewind(newest(), false);
  expect(files.filter(({ path }) => path === ".git/index")).toEqual([
    { path: ".git/index", result: "restored" },
  ]);
  expect(git("status", "--porcelain")).toBe("MM src/1.ts\n?? src/untracked\n");
});

describe("a repository that somebody goes on with after a command", () => {
  // Bug: a rewind removed the objects that the user's own commits were built upon, and git could not read these any more.
  test("stays whole, and its index fits what is checked out", async () => {
    makeRepository();
    const large = ".git/lfs/objects/ab";
    await rig.shell("m1", `echo new > made; git add made; mkdir -p ${large}; echo large > ${large}/cd`);
    git("commit", "-qm", "mine");
    git("checkout", "-q", "other", "--force");
    const status = git("status", "--porcelain");
    const { files } = await rig.rewind(newest(), false);
    expect(files).toEqual([
      { path: ".git/index", result: "skipped", why: "it was changed since by something else" },
    ]);
    expect(git("status", "--porcelain")).toBe(status);
    expect(git("fsck", "--strict")).toBe("");
    expect(git("show", "main:made")).toBe("new\n");
    expect(rig.text(`${large}/cd`)).toBe("large\n");
  });

  // Bug: of a Mercurial repository what the user had not touched went back, and the rest no longer fitted it.
  test("of another system goes back as a whole or not at all", async () => {
    mkdirSync(rig.at("lib/.hg/store"), { recursive: true });
    for (const path of ["lib/.hg/store/one", "lib/.hg/store/two", "lib/file"]) rig.put(path, "before");
    await rig.shell("m1", "cd lib; for path in .hg/store/* file; do printf after > $path; done");
    rig.put("lib/.hg/store/one", "mine");
    await rig.rewind(newest(), false);
    const texts = ["lib/.hg/store/one", "lib/.hg/store/two", "lib/file"].map((path) => rig.text(path));
    expect(texts).toEqual(["mine", "after", "before"]);
    await rig.rewind(rig.list().at(-1)?.id ?? "", true);
    expect(rig.text("lib/.hg/store/two")).toBe("before");
  });

  // Bug: a rewind took a new repository away from below the user's first commit.
  test("is not removed though the command made it; one that nobody touched is", async () => {
    await rig.shell("m1", "git init -q -b main; mkdir one two; git init -q one; git init -q two");
    rig.put("a", "mine");
    git("add", "a");
    git("commit", "-qm", "mine");
    git("-C", "two", "branch", "-m", "renamed");
    await rig.rewind(newest(), false);
    expect(git("show", "main:a")).toBe("mine");
    expect(git("-C", "two", "status")).toContain("renamed");
    expect(readdirSync(rig.folder)).toEqual([".git", "a", "two"]);
  });
});

test("what a command did before the process was killed is restored by the next one", async () => {
  makeTree();
  const before = checksums();
  await killedAfter("rm -rf .git big.bin src .env");
  expect(checksums()).not.toEqual(before);
  rig.reopen();
  const report = await rig.rewind(newest(), false);
  expect(isWhole(report)).toEqual([]);
  expect(checksums()).toEqual(before);
});

test("an unchanged folder is not copied again, nor after a start", async () => {
  makeTree();
  await rig.shell("m1", "true");
  const state = () => ({
    copies: readdirSync(largeFolder(rig.file)).map(
      (name) => lstatSync(join(largeFolder(rig.file), name)).ino,
    ),
    blobs: rig.database.prepare("SELECT count(*) AS count, max(kept_at) AS last FROM file_blobs").all([]),
  });
  const first = state();
  expect(first.copies).toHaveLength(1);
  await rig.shell("m1", "true");
  rig.reopen();
  await rig.shell("m2", "true");
  expect(state()).toEqual(first);
});

test("a large file that a tool names is saved, too", async () => {
  const bytes = randomBytes(6_000_000);
  rig.put("large", bytes);
  const { report } = await rig.tool("m1", "write_file", { path: "large", content: "short" });
  expect(report.notRestorable).toEqual([]);
  expect(rig.text("large")).toBe("short");
  await rig.rewind(newest(), false);
  expect(readFileSync(rig.at("large")).equals(bytes)).toBe(true);
  await rig.redo(false);
  expect(rig.text("large")).toBe("short");
});

describe("what could not be restored", () => {
  test("is named and is to be read-only: what no room is left for, and folders beyond the limits", async () => {
    rig.limits = { ...rig.limits, maxFileBytes: 1000, maxLargeBytes: 2500, maxFiles: 4, ignore: ["target"] };
    for (const path of ["deep/below", "target"]) mkdirSync(rig.at(path), { recursive: true });
    rig.put("a", "a".repeat(2000));
    rig.put("b", "b".repeat(2000));
    rig.put("target/built", "1");
    rig.put("c", "");
    rig.put("deep/d", "");
    rig.put("deep/below/e", "");
    const { report } = await rig.shell("m1", "true");
    expect(report.readOnly).toEqual([rig.at("deep/below"), rig.at("b")]);
    expect(report.notRestorable.map(({ path }) => path)).toEqual(["target/", "deep/below/", "b"]);
    expect(report.notRestorable[2]?.why).toMatch(
      /^it has 0\.002 MB, others have 0\.002 MB; .*checkpointLargeMb/,
    );
    // Told once, but held for every command.
    const again = await rig.shell("m1", "true");
    expect([again.report.notRestorable, again.report.readOnly]).toEqual([[], report.readOnly]);
  });

  test("makes room by what nothing holds any more", async () => {
    rig.limits = { ...rig.limits, maxFileBytes: 1000, maxLargeBytes: 2500 };
    rig.put("a", "a".repeat(2000));
    await rig.shell("m1", "true");
    rig.put("a", "b".repeat(2000));
    const { report } = await rig.shell("m2", "rm a");
    expect(report.notRestorable).toEqual([]);
    await rig.rewind(newest());
    expect(rig.text("a")).toBe("b".repeat(2000));
    expect(readdirSync(largeFolder(rig.file))).toHaveLength(1);
  });

  // Bug: a rewind kept the present file for its redo by throwing away the very content that it was to restore.
  test("stays kept while a rewind makes room for its redo", async () => {
    rig.limits = { ...rig.limits, maxFileBytes: 1000, maxLargeBytes: 2500 };
    rig.put("a", "a".repeat(2000));
    await rig.shell("m1", "printf %2000s > a");
    rig.aheadMs = 2 * 86_400_000;
    const { files } = await rig.rewind(newest());
    expect(files).toMatchObject([{ path: "a", result: "skipped" }]);
    expect(files[0]?.why).toContain("it could not be kept for a redo");
    rig.limits = { ...rig.limits, maxLargeBytes: 5000 };
    await rig.rewind(newest());
    expect(rig.text("a")).toBe("a".repeat(2000));
  });

  test("leaves a part of the disk free", async () => {
    rig.limits = { ...rig.limits, maxFileBytes: 1000, minFreeBytes: Number.MAX_SAFE_INTEGER };
    rig.put("a", "a".repeat(2000));
    const { report } = await rig.shell("m1", "true");
    expect(report.notRestorable[0]?.why).toContain("checkpointFreeMb");
    expect(report.readOnly).toEqual([rig.at("a")]);
  });

  test("of many files is their folder", async () => {
    rig.limits = { ...rig.limits, maxFileBytes: 10, maxLargeBytes: 0 };
    mkdirSync(rig.at("many/more"), { recursive: true });
    for (let file = 0; file < 150; file++) rig.put(`many/more/${file}`, "x".repeat(11));
    rig.put("one", "x".repeat(11));
    const { report } = await rig.shell("m1", "true");
    expect(report.readOnly).toEqual([rig.at("one"), rig.at("many/more")]);
    expect(report.notRestorable).toContainEqual({
      path: "many/more/",
      why: "too much of what is in it could not be saved",
    });
  });
});

/** A process keeps the folder, runs the command, and is killed before it could look at what the command did. */
async function killedAfter(command: string): Promise<void> {
  const at = (path: string) => JSON.stringify(join(import.meta.dirname, "../../../electron/store", path));
  const call = {
    conversationId: "c",
    messageId: "m1",
    runId: "r1",
    label: "L",
    toolUseId: "t",
    paths: null,
    workingFolder: rig.folder,
  };
  const script = join(rig.base, "killed.mjs");
  writeFileSync(
    script,
    `import { spawnSync } from "node:child_process";
    const { checkpointEngine } = await import(${at("checkpoints/checkpoint-engine.ts")});
    const { connectAgain } = await import(${at("database/open-database.ts")});
    let ids = 0;
    const parts = { now: Date.now, newId: () => "killed-" + ids++ };
    const engine = checkpointEngine(connectAgain(${JSON.stringify(rig.file)}), parts);
    await engine.before(${JSON.stringify(call)}, ${JSON.stringify(rig.limits)});
    spawnSync("sh", ["-c", ${JSON.stringify(command)}], { cwd: ${JSON.stringify(rig.folder)} });
    process.kill(process.pid, "SIGKILL");`,
  );
  const child = spawn(process.execPath, ["--import", "tsx", script], {
    cwd: join(import.meta.dirname, "../../.."),
    stdio: "inherit",
  });
  const signal = await new Promise((done) => child.once("exit", (_, by) => done(by)));
  expect(signal).toBe("SIGKILL");
}
