import { randomBytes } from "node:crypto";
import { symlinkSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StoreError } from "../../../electron/agent/ports/ports.ts";
import { indexFolder } from "../../../electron/store/checkpoints/folder-index.ts";
import { CheckpointRig } from "./checkpoint-rig.ts";

let rig: CheckpointRig;
beforeEach(async () => {
  rig = await CheckpointRig.open();
});
afterEach(() => rig.close());

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
    rig.put("a", "1");
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
    rig.put("a", "first");
    await rig.tool("m1", "write_file", { path: "a", content: "second" });
    await rig.shell("m1", "echo third > a");
    await rig.rewind(rig.list()[0]?.id ?? "");
    expect(rig.text("a")).toBe("first");
  });

  test("beside a running command keeps a file as it was before that command", async () => {
    rig.put("a", "first");
    const command = rig.call("m1", null);
    await rig.engine.before(command, rig.limits);
    rig.put("a", "by the command");
    await rig.tool("m1", "write_file", { path: "a", content: "by the tool" });
    await rig.engine.after(command, rig.limits);
    const [made] = rig.list();
    await rig.rewind(made?.id ?? "");
    expect(rig.text("a")).toBe("first");
  });

  test("that ends while another goes on does not take the other's earlier state", async () => {
    rig.put("a", "first");
    const [one, two] = [rig.call("m1", null), rig.call("m1", null)];
    await rig.engine.before(one, rig.limits);
    rig.put("a", "second");
    await rig.engine.before(two, rig.limits);
    rig.put("a", "third");
    await rig.engine.after(two, rig.limits);
    await rig.engine.after(one, rig.limits);
    await rig.rewind(rig.list()[0]?.id ?? "");
    expect(rig.text("a")).toBe("first");
  });

  test("that is going on holds a rewind off", async () => {
    await rig.tool("m1", "write_file", { path: "a", content: "1" });
    await rig.engine.before(rig.call("m2", null), rig.limits);
    await expect(rig.rewind(rig.list()[0]?.id ?? "")).rejects.toThrow("still running");
    expect(rig.text("a")).toBe("1");
  });

  test("through a link keeps what the link leads to", async () => {
    rig.put("real", "first");
    symlinkSync("real", rig.at("link"));
    const before = rig.tree();
    await rig.tool("m1", "write_file", { path: "link", content: "second" });
    expect(rig.text("real")).toBe("second");
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
    rig.put("a", randomBytes(400_000));
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
    for (const name of ["a", "b", "c"]) rig.put(name, name);
    const read: string[] = [];
    const keeper = {
      bytes: (bytes: Uint8Array) => {
        read.push(Buffer.from(bytes).toString());
        return `hash of ${Buffer.from(bytes)}`;
      },
      large: () => "too large",
    };
    // Long after the files were made: what changed just now may change again within the same tick.
    const now = Date.now() + 60_000;
    const known = await indexFolder(rig.folder, rig.limits, { known: null, now, keeper });
    expect(read.splice(0)).toEqual(["a", "b", "c"]);
    rig.put("b", "B");
    const again = await indexFolder(rig.folder, rig.limits, { known, now, keeper });
    expect(read).toEqual(["B"]);
    expect([...again.seen.keys()]).toEqual(["a", "b", "c"]);
  });
});
