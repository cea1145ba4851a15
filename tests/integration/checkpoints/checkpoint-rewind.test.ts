import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applySteps } from "../../../electron/store/checkpoints/rewind/apply-steps.ts";
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

  test("of the conversation alone touches no file, and its redo says where the path ended", async () => {
    rig.database.exec("UPDATE sessions SET head_message_id = 'reply-9' WHERE id = 'c'");
    await rig.tool("m1", "write_file", { path: "a", content: "1" });
    const id = rig.list()[0]?.id ?? "";
    const both = { overwrite: true, part: "conversation" } as const;
    expect((await rig.engine.rewind("c", id, both, rig.limits)).files).toEqual([]);
    expect(rig.text("a")).toBe("1");
    rig.database.exec("UPDATE sessions SET head_message_id = NULL WHERE id = 'c'");
    expect(await rig.redo()).toMatchObject({ files: [], messageId: "reply-9" });
    await expect(rig.redo()).rejects.toThrow("no rewind to take back");
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
    // Root may write anywhere, so somebody without rights asks.
    spawnSync("chmod", ["-R", "777", rig.base]);
    const root = join(import.meta.dirname, "../../..");
    const source = JSON.stringify(join(root, "electron/store/checkpoints/rewind/apply-steps.ts"));
    const script = `
      import { mkdirSync, writeFileSync, chmodSync, readFileSync, statSync } from "node:fs";
      const { applySteps } = await import(${source});
      if (process.getuid() === 0) process.setuid(65534);
      process.chdir(${JSON.stringify(rig.folder)});
      mkdirSync("d"); writeFileSync("d/x", "new"); chmodSync("d", 0o555);
      const file = (hash) => ({ kind: "file", mode: 0o644, size: 3, hash });
      const results = await applySteps(process.cwd(), [{ path: "d/x", now: file("b"), goal: file("a") }], { read: () => Buffer.from("old"), copyTo: () => false });
      console.log(JSON.stringify([...results]), readFileSync("d/x", "utf8"), (statSync("d").mode & 0o777).toString(8));`;
    const args = ["--import", "tsx", "--input-type=module", "--eval", script];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: root });
    expect(stdout, stderr).toBe('[["d/x",{"result":"restored"}]] old 555\n');
  });
});
