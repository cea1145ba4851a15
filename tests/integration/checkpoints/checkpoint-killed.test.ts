import { spawn } from "node:child_process";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openCheckpoints } from "../../../electron/store/checkpoints/thread/open-checkpoints.ts";
import { draftName, isDraftName } from "../../../shared/conversation/draft-file.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { CheckpointRig } from "./checkpoint-rig.ts";

let rig: CheckpointRig;
beforeEach(async () => {
  rig = await CheckpointRig.open();
});
afterEach(() => rig.close());

const root = join(import.meta.dirname, "../../..");
const source = (path: string) => JSON.stringify(join(root, "electron/store", path));
const drafts = () => readdirSync(rig.folder).filter(isDraftName);

/** Another process rewinds to the newest checkpoint, and is killed as it puts a file in its place. */
async function killedInRewind(): Promise<void> {
  const how = { overwrite: true, part: "files" };
  const script = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    const { checkpointEngine } = await import(${source("checkpoints/checkpoint-engine.ts")});
    const { connectAgain } = await import(${source("database/open-database.ts")});
    const database = connectAgain(${JSON.stringify(rig.file)});
    const engine = checkpointEngine(database, { now: Date.now, newId: () => "killed" });
    fs.renameSync = () => process.kill(process.pid, "SIGKILL");
    syncBuiltinESMExports();
    const args = ${JSON.stringify(["c", rig.list()[0]?.id, how, rig.limits])};
    await engine.rewind(...args);`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", script];
  const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
  const signal = await new Promise((done) => child.once("exit", (_, by) => done(by)));
  expect(signal).toBe("SIGKILL");
}

/** Parley starts. */
async function started(): Promise<void> {
  const checkpoints = openCheckpoints({
    file: rig.file,
    entry: join(root, "electron/store/checkpoints/thread/checkpoint-thread-source.mjs"),
    settings: () => defaultSettings,
    reportError: (error) => {
      throw error;
    },
  });
  await checkpoints.settleCutOff();
  await checkpoints.close();
}

// Bug: all that the user did until the conversation was used again counted as done by what the crash had cut off.
test.each([
  ["command", null],
  ["tool", ["a", "new"]],
])("what the user does after a start is a conflict, though Parley died during a %s", async (_, paths) => {
  rig.put("a", "before");
  rig.put("b", "before");
  await rig.engine.before(rig.call("m1", paths), rig.limits);
  rig.put("a", "half");
  rig.put("new", "half");
  rig.reopen();
  await started();
  for (const path of ["a", "b", "own"]) rig.put(path, "mine");
  const { files } = await rig.rewind(rig.list()[0]?.id ?? "", false);
  expect(files).toEqual([
    { path: "a", result: "skipped", why: "it was changed since by something else" },
    { path: "new", result: "removed" },
  ]);
  expect(["a", "b", "own"].map((path) => rig.text(path))).toEqual(["mine", "mine", "mine"]);
});

// Bug: what a killed rewind had half written stayed in the user's folder for good.
test.each([
  ["file", "printf before > a", "printf after > a"],
  ["link", "ln -s before a", "rm a; printf after > a"],
])(
  "a half written %s is removed by the next start, and nothing else of such a name",
  async (_, first, second) => {
    await rig.shell("m1", first);
    const before = rig.tree();
    await rig.shell("m2", second);
    const other = draftName();
    rig.put(other, "somebody else's");
    await killedInRewind();
    expect(drafts()).toHaveLength(2);
    expect(lstatSync(rig.at("a")).isSymbolicLink()).toBe(false);
    rig.reopen();
    await started();
    expect(drafts()).toEqual([other]);
    expect([rig.text("a"), rig.text(other)]).toEqual(["after", "somebody else's"]);
    await rig.rewind(rig.list().find(({ messageId }) => messageId === "m2")?.id ?? "");
    expect(rig.tree()).toEqual({ ...before, [other]: rig.tree()[other] });
  },
);
