import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applySteps } from "../../../electron/store/checkpoints/rewind/apply-steps.ts";
import { ignoreCase } from "../../fakes/one-name.ts";
import { CheckpointRig } from "./checkpoint-rig.ts";

let rig: CheckpointRig;
beforeEach(async () => {
  rig = await CheckpointRig.open();
});
afterEach(() => rig.close());

describe("a rewind", () => {
  test("brings back each path's earliest state since, and removes what was not there, folders too", async () => {
    rig.put("a", "1");
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

  // Bug: a rewind of one conversation removed what another one had made in the same folder while a command of the first ran.
  test.each(["later", "earlier"] as const)(
    "leaves alone what another conversation made while a command ran, whose turn began %s",
    async (began) => {
      const begins = Date.now();
      rig.database.exec(
        `INSERT INTO sessions (id, title, model, working_folder, created_at, updated_at) VALUES ('d', '', 'm', '/', 1, ${begins + 60_000})`,
      );
      rig.put("own", "before");
      const ofOther = (path: string) => ({ ...rig.call("o1", [path]), conversationId: "d" });
      const writes = async (path: string) => {
        const call = ofOther(path);
        await rig.engine.before(call, rig.limits);
        rig.put(path, "the other's");
        await rig.engine.after(call, rig.limits);
      };
      if (began === "earlier") await writes("first");
      const command = rig.call("m1", null);
      await rig.engine.before(command, rig.limits);
      await writes("two");
      rig.put("one", "1");
      rig.put("own", "after");
      await rig.engine.after(command, rig.limits);
      const { files } = await rig.rewind(rig.list()[0]?.id ?? "", false);
      expect(files).toEqual([
        { path: "one", result: "removed" },
        { path: "own", result: "restored" },
        { path: "two", result: "skipped", why: "it was changed since by something else" },
      ]);
      await rig.redo();
      expect([rig.text("one"), rig.text("own"), rig.text("two")]).toEqual(["1", "after", "the other's"]);
    },
  );

  // Bug: after a command had deleted the working folder itself, nothing of it came back.
  test("makes the working folder again where that is gone", async () => {
    rig.put("a", "first");
    mkdirSync(rig.at("sub"));
    rig.put("sub/b", "second");
    const before = rig.tree();
    const call = rig.call("m1", null);
    await rig.engine.before(call, rig.limits);
    rmSync(rig.folder, { recursive: true });
    await rig.engine.after(call, rig.limits);
    await rig.rewind(rig.list()[0]?.id ?? "");
    expect(rig.tree()).toEqual(before);
  });

  test("says in words where the working folder cannot be made again", async () => {
    rig.put("a", "first");
    const call = rig.call("m1", null);
    await rig.engine.before(call, rig.limits);
    rmSync(rig.folder, { recursive: true });
    await rig.engine.after(call, rig.limits);
    symlinkSync(rig.base, rig.folder);
    const { files } = await rig.rewind(rig.list()[0]?.id ?? "");
    const why = expect.stringContaining("is gone, and cannot be made again: work is in the way");
    expect(files).toEqual([{ path: "a", result: "failed", why }]);
    expect(readdirSync(rig.base)).not.toContain("a");
  });

  test("shows first what it will do, with what changed since by something else", async () => {
    rig.put("a", "one\n");
    rig.put("b", "one\n");
    await rig.shell("m1", "echo two > a; echo two > b; echo new > c");
    rig.put("b", "mine\n");
    const [made] = rig.list();
    const preview = await rig.engine.preview("c", made?.id ?? "", "files", rig.limits);
    expect(preview.files.map(({ path, action, isConflict }) => ({ path, action, isConflict }))).toEqual([
      { path: "a", action: "restore", isConflict: false },
      { path: "b", action: "restore", isConflict: true },
      { path: "c", action: "remove", isConflict: false },
    ]);
    expect(preview.files[1]?.diff).toContain("-mine\n+one");
    expect(rig.text("a")).toBe("two\n");

    const careful = await rig.rewind(made?.id ?? "", false);
    expect(careful.files).toEqual([
      { path: "a", result: "restored" },
      { path: "b", result: "skipped", why: "it was changed since by something else" },
      { path: "c", result: "removed" },
    ]);
    expect(rig.text("b")).toBe("mine\n");
    await rig.rewind(made?.id ?? "", true);
    expect(rig.text("b")).toBe("one\n");
    await rig.redo();
    expect(rig.text("b")).toBe("mine\n");
    await rig.redo();
    expect([rig.text("a"), rig.text("c")]).toEqual(["two\n", "new\n"]);
  });

  test("of a redo keeps what a new turn did in between, for a rewind to the redo", async () => {
    await rig.tool("m1", "write_file", { path: "a", content: "first" });
    await rig.rewind(rig.list()[0]?.id ?? "");
    await rig.tool("m2", "write_file", { path: "a", content: "second" });
    await rig.redo(false);
    expect(rig.text("a")).toBe("first");
    await rig.rewind(rig.list()[0]?.id ?? "");
    expect(rig.text("a")).toBe("second");
  });

  // Bug: a redo that failed on a full disk counted as done, and could not be asked for again.
  test("can be redone again where the redo failed", async () => {
    rig.put("a", "first");
    await rig.shell("m1", "printf second > a");
    await rig.rewind(rig.list()[0]?.id ?? "");
    rig.database.exec("UPDATE file_blobs SET codec = 'deflate' WHERE size = length('second')");
    expect((await rig.redo()).files).toMatchObject([{ path: "a", result: "failed" }]);
    rig.database.exec("UPDATE file_blobs SET codec = 'raw'");
    expect((await rig.redo()).files).toEqual([{ path: "a", result: "restored" }]);
    expect(rig.text("a")).toBe("second");
    await expect(rig.redo()).rejects.toThrow("no rewind to undo");
  });

  test("of one file leaves the others, brings the folder that it needs, and can be taken back", async () => {
    mkdirSync(rig.at("d"));
    for (const path of ["a", "b", "d/x", "d/y"]) rig.put(path, "one\n");
    await rig.shell("m1", "echo two > a; echo two > b; rm -r d; echo new > c");
    const id = rig.list()[0]?.id ?? "";
    const rewind = (path: string, overwrite = false) =>
      rig.engine.rewind("c", id, { overwrite, part: "files", path }, rig.limits);
    const preview = await rig.engine.preview("c", id, "files", rig.limits, "a");
    expect(preview.files.map(({ path, action }) => [path, action])).toEqual([["a", "restore"]]);
    expect((await rewind("a")).files).toEqual([{ path: "a", result: "restored" }]);
    expect([rig.text("a"), rig.text("b"), rig.text("c")]).toEqual(["one\n", "two\n", "new\n"]);
    expect((await rig.redo()).files).toEqual([{ path: "a", result: "restored" }]);
    expect(rig.text("a")).toBe("two\n");
    await rewind("d/x");
    expect(readdirSync(rig.at("d"))).toEqual(["x"]);
    expect((await rewind("c")).files).toEqual([{ path: "c", result: "removed" }]);
    rig.put("b", "mine\n");
    expect((await rewind("b")).files).toMatchObject([{ path: "b", result: "skipped" }]);
    await rewind("b", true);
    expect(rig.text("b")).toBe("one\n");
    expect((await rewind("nothing")).files).toEqual([]);
  });

  test("of the conversation alone touches no file, and its redo says where the path ended", async () => {
    rig.database.exec("UPDATE sessions SET head_message_id = 'reply-9' WHERE id = 'c'");
    await rig.tool("m1", "write_file", { path: "a", content: "1" });
    const id = rig.list()[0]?.id ?? "";
    const both = { overwrite: true, part: "conversation" } as const;
    expect((await rig.engine.rewind("c", id, both, rig.limits)).files).toEqual([]);
    expect(rig.text("a")).toBe("1");
    rig.database.exec("UPDATE sessions SET head_message_id = NULL WHERE id = 'c'");
    expect(await rig.redo()).toMatchObject({ files: [], messageId: "reply-9" });
    await expect(rig.redo()).rejects.toThrow("no rewind to undo");
  });

  // Bug: of a file that a command had renamed in its case alone, nothing was left after a rewind.
  test.each([true, false])(
    "gives a name its case back (on a disk that knows case: %s)",
    async (knowsCase) => {
      const restore = knowsCase ? () => {} : ignoreCase();
      try {
        mkdirSync(rig.at("Dir"));
        rig.put("Readme", "before");
        rig.put("Dir/x", "x");
        const before = rig.tree();
        const call = rig.call("m1", null);
        await rig.engine.before(call, rig.limits);
        spawnSync("sh", ["-c", "mv Readme README; mv Dir dir"], { cwd: rig.folder });
        await rig.engine.after(call, rig.limits);
        const after = rig.tree();
        await rig.rewind(rig.list()[0]?.id ?? "", false);
        expect(rig.tree()).toEqual(before);
        await rig.redo(false);
        expect(rig.tree()).toEqual(after);
      } finally {
        restore();
      }
    },
  );

  test("leaves what the user gave its old case, and changed, since a command had given it another", async () => {
    const restore = ignoreCase();
    try {
      rig.put("Readme", "before");
      const call = rig.call("m1", null);
      await rig.engine.before(call, rig.limits);
      spawnSync("sh", ["-c", "mv Readme README"], { cwd: rig.folder });
      await rig.engine.after(call, rig.limits);
      spawnSync("sh", ["-c", "mv README Readme; echo theirs > Readme"], { cwd: rig.folder });
      const id = rig.list()[0]?.id ?? "";
      const { files } = await rig.engine.preview("c", id, "files", rig.limits);
      expect(files.find(({ path }) => path === "Readme")).toMatchObject({ isConflict: true });
      await rig.rewind(id, false);
      expect(rig.text("Readme")).toBe("theirs\n");
    } finally {
      restore();
    }
  });

  test("brings back what a tool changed by a name of another case", async () => {
    const restore = ignoreCase();
    try {
      rig.put("README", "before");
      for (const [turn, path] of [
        ["m1", "Readme"],
        ["m2", "README"],
      ] as const) {
        const call = rig.call(turn, [path]);
        await rig.engine.before(call, rig.limits);
        rig.put("README", turn);
        await rig.engine.after(call, rig.limits);
      }
      await rig.rewind(rig.list().at(-1)?.id ?? "", true);
      expect(rig.text("README")).toBe("before");
    } finally {
      restore();
    }
  });

  test("follows no link that took a folder's place: what it leads to stays as it is", async () => {
    mkdirSync(rig.at("d"));
    rig.put("d/x", "mine");
    const before = rig.tree();
    mkdirSync(join(rig.base, "elsewhere"));
    // The same content: looked at through the link, it would seem not to have gone.
    writeFileSync(join(rig.base, "elsewhere", "x"), "mine");
    await rig.shell("m1", "rm -r d; ln -s ../elsewhere d");
    await rig.rewind(rig.list()[0]?.id ?? "");
    expect(rig.tree()).toEqual(before);
    expect(readFileSync(join(rig.base, "elsewhere", "x"), "utf8")).toBe("mine");
  });

  test("refuses a working folder that a link took the place of: nothing that it leads to is read or changed", async () => {
    rig.put("a", "one\n");
    rig.put("large", Buffer.alloc(6_000_000, "x"));
    await rig.shell("m1", "echo two > a; rm large; echo new > c");
    renameSync(rig.folder, join(rig.base, "moved"));
    mkdirSync(join(rig.base, "elsewhere"));
    for (const name of ["a", "c"]) writeFileSync(join(rig.base, "elsewhere", name), "theirs\n");
    symlinkSync("elsewhere", rig.folder);
    const id = rig.list()[0]?.id ?? "";
    const preview = await rig.engine.preview("c", id, "files", rig.limits);
    expect(JSON.stringify(preview)).not.toContain("theirs");
    const { files } = await rig.rewind(id);
    expect(files.map(({ path, result }) => [path, result])).toEqual([
      ["a", "failed"],
      ["large", "failed"],
    ]);
    expect(files[0]?.why).toContain("is no folder");
    const elsewhere = join(rig.base, "elsewhere");
    expect(readdirSync(elsewhere).map((name) => readFileSync(join(elsewhere, name), "utf8"))).toEqual([
      "theirs\n",
      "theirs\n",
    ]);
  });

  test("leaves a folder in which something stays that nobody knew of", async () => {
    await rig.tool("m1", "write_file", { path: "new/file", content: "x" });
    rig.put("new/mine", "not Parley's");
    const { files } = await rig.rewind(rig.list()[0]?.id ?? "");
    expect(files).toEqual([
      { path: "new", result: "skipped", why: "there is something in it that stays" },
      { path: "new/file", result: "removed" },
    ]);
    expect(rig.text("new/mine")).toBe("not Parley's");
  });

  // Bug: what the user saved while a long rewind went on was overwritten, and no redo brought it back.
  test.each([false, true])("leaves what is saved while it goes on (overwrite: %s)", async (overwrite) => {
    rig.limits = { ...rig.limits, maxFileBytes: 100 };
    rig.put("a", "large".repeat(100));
    for (const path of ["b", "c", "d"]) rig.put(path, "before");
    await rig.shell("m1", "echo after | tee b c d new; printf %500s > a");
    const saves = [
      // While `a` is kept for the redo, and then when all is.
      () => rig.put("b", "mine"),
      () => ["c", "new"].map((path) => rig.put(path, "mine")),
    ];
    rig.onStep = (step) => step === "id" && saves.shift()?.();
    const call = { overwrite, part: "files" } as const;
    const { files } = await rig.engine.rewind("c", rig.list()[0]?.id ?? "", call, rig.limits);
    const meanwhile = "it was changed while the rewind went on";
    expect(files.slice(overwrite ? 2 : 1)).toEqual([
      ...(overwrite ? [] : [{ path: "b", result: "skipped", why: "it was changed since by something else" }]),
      { path: "c", result: "skipped", why: meanwhile },
      { path: "d", result: "restored" },
      { path: "new", result: "skipped", why: meanwhile },
    ]);
    expect([rig.text("c"), rig.text("new")]).toEqual(["mine", "mine"]);
    if (overwrite) await rig.redo(false);
    expect(rig.text("b")).toBe("mine");
  });

  test("of a file whose content is gone leaves the file, and nothing beside it", async () => {
    rig.put("x", "now");
    const file = (hash: string) => ({ kind: "file" as const, mode: 0o644, size: 3, hash });
    const gone = { read: () => undefined, copyTo: () => false };
    const results = await applySteps(rig.folder, [{ path: "x", now: file("b"), goal: file("a") }], gone);
    expect(results.get("x")).toEqual({ result: "failed", why: "its content is not kept any more" });
    expect(readdirSync(rig.folder)).toEqual(["x"]);
    expect(rig.text("x")).toBe("now");
  });

  test("works in folders that their owner may only read", () => {
    spawnSync("chmod", ["-R", "777", rig.base]);
    const from = "electron/store/checkpoints/rewind/apply-steps.ts";
    const { stdout, stderr } = asNobody(
      "applySteps",
      from,
      `
      process.chdir(${JSON.stringify(rig.folder)});
      mkdirSync("d"); writeFileSync("d/x", "new"); chmodSync("d", 0o555);
      const file = (hash) => ({ kind: "file", mode: 0o644, size: 3, hash });
      const results = await applySteps(process.cwd(), [{ path: "d/x", now: file("b"), goal: file("a") }], { read: () => Buffer.from("old"), copyTo: () => false });
      console.log(JSON.stringify([...results]), readFileSync("d/x", "utf8"), (statSync("d").mode & 0o777).toString(8));`,
    );
    expect(stdout, stderr).toBe('[["d/x",{"result":"restored"}]] old 555\n');
  });

  // Bug: after a command had taken the right to look into a folder, no other one could run, and no rewind gave it back.
  test.each(["444", "000"])("gives back the right to look into a folder that has mode %s", (mode) => {
    const from = "tests/integration/checkpoints/checkpoint-rig.ts";
    const { stdout, stderr } = asNobody(
      "CheckpointRig",
      from,
      `
      const rig = await CheckpointRig.open();
      mkdirSync(rig.at("d"));
      rig.put("d/x", "before");
      await rig.shell("m1", "echo after > d/x; chmod ${mode} d");
      const { report } = await rig.shell("m2", "echo runs > new");
      console.log(report.notRestorable[0].path, rig.text("new").trim());
      const { id } = rig.list().at(-1);
      for (const again of [false, true]) {
        const { files } = await rig.rewind(id, false);
        console.log(files.map(({ path, result }) => path + " " + result).join(", "));
      }
      console.log(rig.text("d/x"));
      rig.close();`,
    );
    expect(stdout, stderr).toBe("d/ runs\nd restored, d/x skipped, new removed\nd/x restored\nbefore\n");
  });
});

const root = join(import.meta.dirname, "../../..");

/** Root may do anything, so somebody without rights runs it. They may not be able to look into this folder: it is read before. */
function asNobody(name: string, from: string, script: string) {
  const start = `
    import { mkdirSync, writeFileSync, chmodSync, readFileSync, statSync } from "node:fs";
    const { ${name} } = await import(${JSON.stringify(join(root, from))});
    if (process.getuid() === 0) process.setuid(65534);`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", start + script];
  return spawnSync(process.execPath, args, { encoding: "utf8", cwd: root });
}
