import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FolderTree } from "../../../../../electron/files/folder-tree.ts";
import { checkpointRows } from "../../../../../electron/store/checkpoints/checkpoint-rows.ts";
import { Contents } from "../../../../../electron/store/checkpoints/contents/contents.ts";
import { absent, type FileState } from "../../../../../electron/store/checkpoints/contents/file-state.ts";
import { type FileRow, fileRows } from "../../../../../electron/store/checkpoints/file-rows.ts";
import { limitsOf } from "../../../../../electron/store/checkpoints/limits.ts";
import { planRewind, previewFiles } from "../../../../../electron/store/checkpoints/rewind/rewind-plan.ts";
import { openDatabase } from "../../../../../electron/store/database/open-database.ts";
import { defaultSettings } from "../../../../../shared/settings.ts";

const limits = limitsOf(defaultSettings);
let base: string;
let folder: string;
let tables: ReturnType<typeof openTables>;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "parley-rewind-plan-"));
  folder = join(base, "work");
  mkdirSync(folder);
  tables = openTables();
});
afterEach(() => {
  tables.database.close();
  rmSync(base, { recursive: true, force: true });
});

/** One conversation with one checkpoint. */
function openTables() {
  const database = openDatabase(join(base, "parley.db"));
  database.exec(
    "INSERT INTO sessions (id, title, model, working_folder, created_at, updated_at) VALUES ('c', '', 'm', '/', 1, 1)",
  );
  const now = () => 1;
  const newId = () => "id";
  const contents = new Contents(database, [], { now, newId });
  const checkpoints = checkpointRows(database);
  const place = { conversationId: "c", messageId: "m", label: "", workingFolder: folder, createdAt: 1 };
  const checkpoint = checkpoints.insert({ id: "one", ...place, kind: "turn", part: "both" });
  return { database, checkpoints, files: fileRows(database), contents, checkpoint, now, newId };
}

/** A file's state whose content is kept, though it stands nowhere. */
function kept(content: string | Buffer, mode = 0o644): FileState {
  const bytes = Buffer.from(content);
  const keeper = tables.contents.keeping(limits);
  const hash = keeper.bytes(bytes, join(folder, "any"));
  tables.contents.flush();
  keeper.release();
  return { kind: "file", mode, size: bytes.length, hash };
}

/** @param at relative to the folder, or absolute */
function put(at: string, content: string | Buffer): void {
  const path = join(at.startsWith("/") ? "" : folder, at);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, 0o644);
}

function touched(
  path: string,
  before: FileState,
  after: FileState | null,
  more: Partial<FileRow> = {},
): void {
  tables.files.add(tables.checkpoint.seq, { folder, path, before, after, why: null, ...more });
}

const plan = () => planRewind(tables, tables.checkpoint, limits);
const planned = async () =>
  (await plan()).map(({ shown, action, isConflict, why }) => [shown, action, isConflict, why]);

describe("a plan", () => {
  test("restores what was there, removes what was not, and leaves what is already so", async () => {
    put("changed", "new");
    put("made", "new");
    put("back", "old");
    touched("back", kept("old"), kept("new"));
    touched("changed", kept("old"), kept("new"));
    touched("gone", kept("old"), absent);
    touched("made", absent, kept("new"));
    expect(await planned()).toEqual([
      ["back", "same", false, null],
      ["changed", "restore", false, null],
      ["gone", "restore", false, null],
      ["made", "remove", false, null],
    ]);
  });

  test("tells what something else changed since, but for the index that git writes anew by itself", async () => {
    for (const path of ["a", "lib/.git/index", ".git/index", "x.git/index", ".git/index.lock"]) {
      put(path, "theirs");
      touched(path, kept("old"), kept("ours"));
    }
    // How Parley left it is not known: nobody can say whose this is.
    put("unknown", "theirs");
    touched("unknown", kept("old"), null);
    expect((await plan()).filter(({ isConflict }) => isConflict).map(({ path }) => path)).toEqual([
      ".git/index.lock",
      "a",
      "x.git/index",
    ]);
  });

  test("says why something cannot be taken back, unless it is so already", async () => {
    put("lost", "new");
    touched("lost", { kind: "file", mode: 0o644, size: 3, hash: "0".repeat(64) }, kept("new"));
    touched("noted", kept("old"), null, { why: "it was too large" });
    touched("noted and absent", absent, null, { why: "it was too large" });
    touched("was a pipe", { kind: "other" }, null);
    spawnSync("mkfifo", [join(folder, "pipe")]);
    touched("pipe", kept("old"), null);
    expect((await plan()).map(({ path, why }) => [path, why])).toEqual([
      ["lost", expect.stringMatching(/\w/)],
      ["noted", "it was too large"],
      ["noted and absent", null],
      ["pipe", "a pipe, a socket or a device stands there"],
      ["was a pipe", "it was a pipe, a socket or a device"],
    ]);
    expect(await previewFiles(tables, await plan())).toEqual([
      { path: "noted and absent", action: "same", isConflict: false, diff: null },
    ]);
  });

  test("shows paths of another folder in full", async () => {
    const other = join(base, "other");
    put(join(other, "a"), "new");
    touched("a", absent, kept("new"), { folder: other });
    touched("b", kept("old"), absent);
    expect((await plan()).map(({ shown }) => shown).toSorted()).toEqual([join(other, "a"), "b"].toSorted());
  });
});

describe("a preview", () => {
  const diffs = async () =>
    Object.fromEntries((await previewFiles(tables, await plan())).map(({ path, diff }) => [path, diff]));

  test("shows what goes and what comes back, from now to then", async () => {
    // What stands there now is kept nowhere.
    put("changed", "new\n");
    put("made", "new\n");
    touched("changed", kept("old\n"), null);
    touched("gone", kept("old\n"), absent);
    touched("made", absent, null);
    expect(await diffs()).toEqual({
      changed: "--- changed\n+++ changed\n@@ -1,1 +1,1 @@\n-new\n+old",
      gone: "--- /dev/null\n+++ gone\n@@ -0,0 +1,1 @@\n+old",
      made: "--- made\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-new",
    });
  });

  test("has no difference for what is no text, no file, or as it was", async () => {
    put("binary", Buffer.from([0, 1, 2]));
    put("same", "old");
    symlinkSync("elsewhere", join(folder, "link"));
    put("was link", "text");
    touched("binary", kept("old"), null);
    touched("folder", { kind: "directory", mode: 0o755 }, absent);
    touched("link", kept("old"), null);
    touched("same", kept("old"), null);
    touched("was link", { kind: "symlink", target: "elsewhere" }, null);
    expect(await diffs()).toEqual({ binary: null, folder: null, link: null, same: null, "was link": null });
  });

  test("has none where one side went away since the plan was made", async () => {
    put("gone now", "new\n");
    touched("gone now", kept("old\n"), null);
    touched("thrown away", kept("old\n"), absent);
    const steps = await plan();
    const compared = async () =>
      (await previewFiles(tables, steps)).filter(({ diff }) => diff !== null).map(({ path }) => path);
    rmSync(join(folder, "gone now"));
    expect(await compared()).toEqual(["thrown away"]);
    tables.database.exec("DELETE FROM file_blobs");
    put("thrown away", "new\n");
    expect(await compared()).toEqual([]);
  });

  // Bug: files were read whole, up to 2 GB, and put aside because of their size.
  test("says which files are too large to be compared, and reads no more of them than it compares", async () => {
    const large = "x".repeat(300_000);
    put("large now", large);
    put("grows", "new\n");
    touched("grows", kept("old\n"), null);
    touched("large now", kept("old\n"), null);
    touched("was large", kept(large), absent);
    const steps = await plan();
    put("grows", large);
    const reads = vi.spyOn(FolderTree.prototype, "readFile");
    const keptReads = vi.spyOn(tables.contents, "read");
    try {
      const files = await previewFiles(tables, steps);
      expect(files.map(({ path, diff, isTooLarge }) => [path, diff, isTooLarge])).toEqual([
        ["grows", null, true],
        ["large now", null, true],
        ["was large", null, true],
      ]);
      expect(reads.mock.calls.map(([path]) => path)).toEqual(["grows"]);
      expect(reads.mock.results.map(({ value }) => value.bytes.length)).toEqual([200_001]);
      expect(keptReads.mock.results.map(({ value }) => String(value))).toEqual(["old\n"]);
    } finally {
      vi.restoreAllMocks();
    }
  });

  test("compares two hundred paths and only names the others", async () => {
    for (let at = 1; at <= 201; at++) touched(String(at).padStart(3, "0"), kept("old\n"), absent);
    const files = await previewFiles(tables, await plan());
    expect(files.map(({ diff }) => diff !== null)).toEqual([...Array(200).fill(true), false]);
  });
});
