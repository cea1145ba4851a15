import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StoreError } from "../../electron/agent/ports.ts";
import { indexFolder } from "../../electron/store/checkpoints/folder-index.ts";
import { pruneCheckpoints } from "../../electron/store/checkpoints/prune-checkpoints.ts";
import { CheckpointRig } from "./checkpoint-rig.ts";

let rig: CheckpointRig;
beforeEach(async () => {
  rig = await CheckpointRig.open();
});
afterEach(() => rig.close());

const put = (path: string, content: string | Buffer) => writeFileSync(rig.at(path), content);
const said = (path: string) => readFileSync(rig.at(path), "utf8");

describe("a checkpoint", () => {
  test("is made once a turn, by the first call that changes something", async () => {
    const first = await rig.tool("m1", "write_file", { path: "a", content: "1" });
    const second = await rig.shell("m1", "echo 2 > b");
    const next = await rig.tool("m2", "write_file", { path: "a", content: "2" });
    expect([first, second, next].map(({ report }) => report.isNew)).toEqual([true, false, true]);
    expect(second.report.checkpointId).toBe(first.report.checkpointId);
    expect(rig.list().map(({ messageId, label, files }) => ({ messageId, label, files }))).toEqual([
      { messageId: "m2", label: "Prompt m2", files: 1 },
      { messageId: "m1", label: "Prompt m1", files: 2 },
    ]);
  });

  test("is one for calls that begin together", async () => {
    const calls = [rig.call("m1", ["a"]), rig.call("m1", null), rig.call("m1", ["b"])];
    const reports = await Promise.all(calls.map((call) => rig.engine.before(call, rig.limits)));
    expect(reports.map(({ isNew }) => isNew)).toEqual([true, false, false]);
    expect(new Set(reports.map(({ checkpointId }) => checkpointId)).size).toBe(1);
  });

  test("of a turn whose commands changed nothing is not listed", async () => {
    put("a", "1");
    await rig.shell("m1", "cat a; ls");
    expect(rig.list()).toEqual([]);
  });

  test("made by hand brings back what a turn changes after it, and not before", async () => {
    await rig.tool("m1", "write_file", { path: "a", content: "before" });
    const place = { messageId: "m1", label: "here", workingFolder: rig.folder };
    const { checkpointId } = await rig.engine.create("c", place);
    await rig.tool("m1", "write_file", { path: "a", content: "after" });
    await rig.tool("m1", "write_file", { path: "b", content: "new" });
    await rig.rewind(checkpointId);
    expect(rig.tree()).toEqual({ a: expect.stringContaining(Buffer.from("before").toString("hex")) });
  });

  test("goes with its conversation", async () => {
    await rig.tool("m1", "write_file", { path: "a", content: "1" });
    rig.database.exec("DELETE FROM sessions WHERE id = 'c'");
    expect(rig.all()).toEqual([]);
  });
});

describe("a call", () => {
  test("that changes a path again in its turn leaves the first state as it was kept", async () => {
    put("a", "first");
    await rig.tool("m1", "write_file", { path: "a", content: "second" });
    await rig.shell("m1", "echo third > a");
    await rig.rewind(rig.list()[0]?.id ?? "");
    expect(said("a")).toBe("first");
  });

  test("beside a running command keeps a file as it was before that command", async () => {
    put("a", "first");
    const command = rig.call("m1", null);
    await rig.engine.before(command, rig.limits);
    put("a", "by the command");
    await rig.tool("m1", "write_file", { path: "a", content: "by the tool" });
    await rig.engine.after(command, rig.limits);
    const [made] = rig.list();
    await rig.rewind(made?.id ?? "");
    expect(said("a")).toBe("first");
  });

  test("that ends while another goes on does not take the other's earlier state", async () => {
    put("a", "first");
    const [one, two] = [rig.call("m1", null), rig.call("m1", null)];
    await rig.engine.before(one, rig.limits);
    put("a", "second");
    await rig.engine.before(two, rig.limits);
    put("a", "third");
    await rig.engine.after(two, rig.limits);
    await rig.engine.after(one, rig.limits);
    await rig.rewind(rig.list()[0]?.id ?? "");
    expect(said("a")).toBe("first");
  });

  test("that is going on holds a rewind off", async () => {
    await rig.tool("m1", "write_file", { path: "a", content: "1" });
    await rig.engine.before(rig.call("m2", null), rig.limits);
    await expect(rig.rewind(rig.list()[0]?.id ?? "")).rejects.toThrow("still running");
    expect(said("a")).toBe("1");
  });

  test("through a link keeps what the link leads to", async () => {
    put("real", "first");
    symlinkSync("real", rig.at("link"));
    const before = rig.tree();
    await rig.tool("m1", "write_file", { path: "link", content: "second" });
    expect(said("real")).toBe("second");
    await rig.rewind(rig.list()[0]?.id ?? "");
    expect(rig.tree()).toEqual(before);
  });

  test("behind a link that leads to itself is refused like any other, and the link stays", async () => {
    symlinkSync("a", rig.at("a"));
    const before = rig.tree();
    const { output } = await rig.tool("m1", "write_file", { path: "a/b", content: "text" });
    expect(output.text).toContain("its symbolic links go in a circle");
    expect(rig.tree()).toEqual(before);
  });

  test("is not to run when the disk is full, and nothing is half kept", async () => {
    put("a", randomBytes(400_000));
    await rig.tool("m0", "write_file", { path: "b", content: "1" });
    rig.database.exec("PRAGMA max_page_count = 60");
    const error = await rig.engine
      .before(rig.call("m1", null), rig.limits)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ code: "full" });
    expect(rig.all().map(({ messageId }) => messageId)).toEqual(["m0"]);
    rig.database.exec("PRAGMA max_page_count = 100000");
    expect((await rig.shell("m1", "rm a")).report.isNew).toBe(true);
  });

  test("whose folder did not change since the last one reads no file again", async () => {
    for (const name of ["a", "b", "c"]) put(name, name);
    const read: string[] = [];
    const keep = (bytes: Uint8Array) => {
      read.push(Buffer.from(bytes).toString());
      return `hash of ${Buffer.from(bytes)}`;
    };
    // Long after the files were made: what changed just now may change again within the same tick.
    const now = Date.now() + 60_000;
    const known = await indexFolder(rig.folder, rig.limits, { known: null, now, keep });
    expect(read.splice(0)).toEqual(["a", "b", "c"]);
    put("b", "B");
    const again = await indexFolder(rig.folder, rig.limits, { known, now, keep });
    expect(read).toEqual(["B"]);
    expect([...again.seen.keys()]).toEqual(["a", "b", "c"]);
  });
});

describe("a rewind", () => {
  test("brings back each path's earliest state since, and removes what was not there, folders too", async () => {
    put("a", "1");
    await rig.tool("m1", "write_file", { path: "a", content: "2" });
    const before = rig.tree();
    await rig.tool("m2", "write_file", { path: "a", content: "3" });
    await rig.tool("m3", "write_file", { path: "new/deep/file", content: "x" });
    await rig.shell("m4", "echo 5 > a; mkdir empty");
    const target = rig.list().find(({ messageId }) => messageId === "m2");
    const { files } = await rig.rewind(target?.id ?? "");
    expect(rig.tree()).toEqual(before);
    expect(files.toSorted((x, y) => (x.path < y.path ? -1 : 1))).toEqual([
      { path: "a", result: "restored" },
      { path: "empty", result: "removed" },
      { path: "new", result: "removed" },
      { path: "new/deep", result: "removed" },
      { path: "new/deep/file", result: "removed" },
    ]);
  });

  test("shows first what it will do, with what changed since by something else", async () => {
    put("a", "one\n");
    put("b", "one\n");
    await rig.shell("m1", "echo two > a; echo two > b; echo new > c");
    put("b", "mine\n");
    const [made] = rig.list();
    const preview = await rig.engine.preview("c", made?.id ?? "", "files", rig.limits);
    expect(preview.files.map(({ path, action, isConflict }) => ({ path, action, isConflict }))).toEqual([
      { path: "a", action: "restore", isConflict: false },
      { path: "b", action: "restore", isConflict: true },
      { path: "c", action: "remove", isConflict: false },
    ]);
    expect(preview.files[1]?.diff).toContain("-mine\n+one");
    expect(said("a")).toBe("two\n");

    const careful = await rig.rewind(made?.id ?? "", false);
    expect(careful.files).toEqual([
      { path: "a", result: "restored" },
      { path: "b", result: "skipped", why: "it was changed since by something else" },
      { path: "c", result: "removed" },
    ]);
    expect(said("b")).toBe("mine\n");
    await rig.rewind(made?.id ?? "", true);
    expect(said("b")).toBe("one\n");
    await rig.redo();
    expect(said("b")).toBe("mine\n");
    await rig.redo();
    expect([said("a"), said("c")]).toEqual(["two\n", "new\n"]);
  });

  test("of a redo keeps what a new turn did in between, for a rewind to the redo", async () => {
    await rig.tool("m1", "write_file", { path: "a", content: "first" });
    await rig.rewind(rig.list()[0]?.id ?? "");
    await rig.tool("m2", "write_file", { path: "a", content: "second" });
    await rig.redo(false);
    expect(said("a")).toBe("first");
    await rig.rewind(rig.list()[0]?.id ?? "");
    expect(said("a")).toBe("second");
  });

  test("of the conversation alone touches no file, and its redo says where the path ended", async () => {
    rig.database.exec("UPDATE sessions SET head_message_id = 'reply-9' WHERE id = 'c'");
    await rig.tool("m1", "write_file", { path: "a", content: "1" });
    const id = rig.list()[0]?.id ?? "";
    const both = { overwrite: true, part: "conversation" } as const;
    expect((await rig.engine.rewind("c", id, both, rig.limits)).files).toEqual([]);
    expect(said("a")).toBe("1");
    rig.database.exec("UPDATE sessions SET head_message_id = NULL WHERE id = 'c'");
    expect(await rig.redo()).toMatchObject({ files: [], messageId: "reply-9" });
    await expect(rig.redo()).rejects.toThrow("no rewind to take back");
  });

  test("follows no link that took a folder's place: what it leads to stays as it is", async () => {
    mkdirSync(rig.at("d"));
    put("d/x", "mine");
    const before = rig.tree();
    mkdirSync(join(rig.base, "elsewhere"));
    // The same content: looked at through the link, it would seem not to have gone.
    writeFileSync(join(rig.base, "elsewhere", "x"), "mine");
    await rig.shell("m1", "rm -r d; ln -s ../elsewhere d");
    await rig.rewind(rig.list()[0]?.id ?? "");
    expect(rig.tree()).toEqual(before);
    expect(readFileSync(join(rig.base, "elsewhere", "x"), "utf8")).toBe("mine");
  });

  test("leaves a folder in which something stays that nobody knew of", async () => {
    await rig.tool("m1", "write_file", { path: "new/file", content: "x" });
    put("new/mine", "not Parley's");
    const { files } = await rig.rewind(rig.list()[0]?.id ?? "");
    expect(files).toEqual([
      { path: "new", result: "skipped", why: "there is something in it that stays" },
      { path: "new/file", result: "removed" },
    ]);
    expect(said("new/mine")).toBe("not Parley's");
  });

  test("works in folders that their owner may only read", () => {
    // Root may write anywhere, so somebody without rights asks.
    spawnSync("chmod", ["-R", "777", rig.base]);
    const root = join(import.meta.dirname, "../..");
    const source = JSON.stringify(join(root, "electron/store/checkpoints/apply-steps.ts"));
    const script = `
      import { mkdirSync, writeFileSync, chmodSync, readFileSync, statSync } from "node:fs";
      const { applySteps } = await import(${source});
      if (process.getuid() === 0) process.setuid(65534);
      process.chdir(${JSON.stringify(rig.folder)});
      mkdirSync("d"); writeFileSync("d/x", "new"); chmodSync("d", 0o555);
      const file = (hash) => ({ kind: "file", mode: 0o644, size: 3, hash });
      const results = await applySteps(process.cwd(), [{ path: "d/x", now: file("b"), goal: file("a") }], () => Buffer.from("old"));
      console.log(JSON.stringify([...results]), readFileSync("d/x", "utf8"), (statSync("d").mode & 0o777).toString(8));`;
    const args = ["--import", "tsx", "--input-type=module", "--eval", script];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: root });
    expect(stdout, stderr).toBe('[["d/x",{"result":"restored"}]] old 555\n');
  });
});

describe("beyond the limits", () => {
  const lost = (report: { notRestorable: { path: string }[] }) =>
    report.notRestorable.map(({ path }) => path);

  test("a file that is too large is named before the call, once a turn, and not brought back", async () => {
    rig.limits = { ...rig.limits, maxFileBytes: 1000 };
    put("large", "x".repeat(1001));
    put("small", "x".repeat(1000));
    const call = rig.call("m1", null);
    const report = await rig.engine.before(call, rig.limits);
    expect(report.notRestorable).toEqual([
      { path: "large", why: "it has 0.001 MB; up to 0.001 MB of a file are kept (checkpointMaxFileMb)" },
    ]);
    put("large", "gone");
    put("small", "gone");
    await rig.engine.after(call, rig.limits);
    expect(lost((await rig.shell("m1", "true")).report)).toEqual([]);
    const id = rig.list()[0]?.id ?? "";
    expect(
      (await rig.engine.preview("c", id, "files", rig.limits)).notRestorable.map(({ path }) => path),
    ).toEqual(["large"]);
    const { files } = await rig.rewind(id);
    expect(files.map(({ path, result }) => `${path} ${result}`)).toEqual(["large skipped", "small restored"]);
    expect(said("large")).toBe("gone");
    put("large", "y".repeat(2000));
    expect(lost((await rig.shell("m2", "true")).report)).toEqual(["large"]);
  });

  test("a too large file that a tool names is said before the call as well", async () => {
    rig.limits = { ...rig.limits, maxFileBytes: 1000 };
    put("large", "x".repeat(2000));
    const { report } = await rig.tool("m1", "write_file", { path: "large", content: "" });
    expect(lost(report)).toEqual(["large"]);
  });

  test("all files together, and their number: those near the top are kept", async () => {
    mkdirSync(rig.at("deep/bb"), { recursive: true });
    for (const path of ["a", "b", "deep/c", "deep/d", "deep/bb/e"]) put(path, "x".repeat(400));
    rig.limits = { ...rig.limits, maxBytes: 1000 };
    const bySize = await rig.shell("m1", "rm -r a deep");
    expect(lost(bySize.report)).toEqual(["deep/c", "deep/d", "deep/bb/e"]);
    const { files } = await rig.rewind(rig.list()[0]?.id ?? "");
    expect(Object.fromEntries(files.map(({ path, result }) => [path, result]))).toEqual({
      a: "restored",
      deep: "restored",
      "deep/bb": "restored",
      "deep/c": "skipped",
      "deep/d": "skipped",
      "deep/bb/e": "skipped",
    });

    for (const path of ["deep/c", "deep/d", "deep/bb/e"]) put(path, "again");
    rig.limits = { ...rig.limits, maxBytes: 1e6, maxFiles: 3 };
    const byNumber = await rig.shell(
      "m2",
      "echo changed | tee a b deep/c deep/d deep/bb/e; echo new > deep/new",
    );
    expect(byNumber.report.notRestorable.map(({ path, why }) => `${path}: ${why}`)).toEqual([
      "deep/: more than 3 files are not kept (checkpointMaxFiles): only some of its files are",
      "deep/bb/: more than 3 files are not kept (checkpointMaxFiles)",
    ]);
    await rig.rewind(rig.list()[0]?.id ?? "");
    expect([said("a"), said("b"), said("deep/c")].map((text) => text[0])).toEqual(["x", "x", "a"]);
    expect([said("deep/d"), said("deep/bb/e"), said("deep/new")]).toEqual([
      "changed\n",
      "changed\n",
      "new\n",
    ]);
  });

  test("ignored folders are named, not looked into, and left where they are", async () => {
    mkdirSync(rig.at("node_modules/x"), { recursive: true });
    put("node_modules/x/y", "1");
    const first = await rig.shell(
      "m1",
      "echo 2 > node_modules/x/y; mkdir -p lib/.git; echo 1 > lib/.git/HEAD",
    );
    expect(first.report.notRestorable).toEqual([
      { path: "node_modules/", why: "folders named node_modules are not looked into (checkpointIgnore)" },
    ]);
    const { files } = await rig.rewind(rig.list()[0]?.id ?? "");
    expect(files.map(({ path, result }) => `${path} ${result}`)).toEqual(["lib skipped", "lib/.git skipped"]);
    expect(said("node_modules/x/y")).toBe("2\n");
    expect(existsSync(rig.at("lib/.git/HEAD"))).toBe(true);
  });

  test("pipes are noticed and left alone", async () => {
    spawnSync("mkfifo", [rig.at("pipe")]);
    expect(lost((await rig.shell("m1", "rm pipe; mkfifo other")).report)).toEqual(["pipe"]);
    const { files } = await rig.rewind(rig.list()[0]?.id ?? "");
    expect(files.map(({ path, result }) => `${path} ${result}`)).toEqual(["other skipped", "pipe skipped"]);
    expect(statSync(rig.at("other")).isFIFO()).toBe(true);
  });
});

test("what a command had done when the app died is brought back", async () => {
  put("a", "first");
  mkdirSync(rig.at("d"));
  put("d/b", Buffer.from([0, 255, 10]));
  const before = rig.tree();
  await rig.crashDuring("m1", "echo half > a; rm -r d; echo new > c");
  // Listed though nobody has looked yet at what the command did.
  const [made] = rig.list();
  const preview = await rig.engine.preview("c", made?.id ?? "", "files", rig.limits);
  expect(preview.files.map(({ path, action }) => `${action} ${path}`).sort()).toEqual([
    "remove c",
    "restore a",
    "restore d",
    "restore d/b",
  ]);
  await rig.rewind(made?.id ?? "");
  expect(rig.tree()).toEqual(before);
});

describe("pruning", () => {
  const context = () => ({
    database: () => rig.database,
    breathe: async () => {},
    letOthersIn: async () => {},
    index: () => {
      throw new Error("no search here");
    },
  });
  const contents = () => rig.database.prepare("SELECT count(*) AS count FROM file_blobs").all([]);

  test("takes old checkpoints and contents that nothing holds, and nothing else", async () => {
    put("a", "first");
    put("untouched", "only indexed");
    await rig.shell("m1", "echo second > a");
    await rig.shell("m2", "echo third > a");
    rig.database.exec("UPDATE checkpoints SET created_at = 1 WHERE message_id = 'm1'");
    rig.database.exec("UPDATE file_blobs SET kept_at = 1");
    const rules = { days: 30, megabytes: 0 };
    expect(await pruneCheckpoints(context(), rules, { now: Date.now(), keep: ["c"] })).toBe(0);
    expect(contents()).toEqual([{ count: 2 }]);
    expect(await pruneCheckpoints(context(), rules, { now: Date.now(), keep: [] })).toBe(1);
    expect(contents()).toEqual([{ count: 1 }]);
    const [left] = rig.list();
    await rig.rewind(left?.id ?? "");
    expect(said("a")).toBe("second\n");
  });

  test("never takes what a call relies on that is going on, however little may be kept", async () => {
    put("a", "x".repeat(5000));
    const call = rig.call("m1", null);
    await rig.engine.before(call, rig.limits);
    await pruneCheckpoints(context(), { days: 0, megabytes: 0.000001 }, { now: Date.now() + 1, keep: ["c"] });
    put("a", "changed");
    await rig.engine.after(call, rig.limits);
    await rig.rewind(rig.list()[0]?.id ?? "");
    expect(said("a")).toBe("x".repeat(5000));
  });

  test("makes the next call read again what was thrown away", async () => {
    put("a", "first");
    await rig.shell("m1", "true");
    await pruneCheckpoints(context(), { days: 0, megabytes: 0.000001 }, { now: Date.now() + 1, keep: [] });
    expect(contents()).toEqual([{ count: 0 }]);
    await rig.shell("m2", "echo second > a");
    await rig.rewind(rig.list()[0]?.id ?? "");
    expect(said("a")).toBe("first");
  });
});
