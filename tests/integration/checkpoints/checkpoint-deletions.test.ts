import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type {
  Confinement,
  Fence,
  Permissions,
  Tool,
  ToolContext,
} from "../../../electron/agent/ports/ports.ts";
import { deletedFiles } from "../../../electron/store/checkpoints/rewind/deleted-files.ts";
import {
  type OpenCheckpoints,
  openCheckpoints,
} from "../../../electron/store/checkpoints/thread/open-checkpoints.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { defaultSettings, type Settings } from "../../../shared/settings.ts";
import { createRig, eventsOf, ofType, type Rig, type RigOptions, typed } from "../agent/agent-rig.ts";

let base: string;
let checkpoints: OpenCheckpoints;
let rig: Rig;
let store: ReturnType<typeof openSqliteStore>;
let settings: Settings;
const faults: unknown[] = [];
const entry = join(
  import.meta.dirname,
  "../../../electron/store/checkpoints/thread/checkpoint-thread-source.mjs",
);

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "parley-run-"));
  const file = join(base, "parley.db");
  faults.length = 0;
  settings = defaultSettings;
  store = openSqliteStore(file, (error) => faults.push(error));
  const reportError = (error: unknown) => faults.push(error);
  checkpoints = openCheckpoints({ file, entry, settings: () => settings, reportError });
});
afterEach(async () => {
  await rig.close();
  await checkpoints.close();
  store.close();
  rmSync(base, { recursive: true });
  expect(faults).toEqual([]);
});

async function setUp(options: RigOptions = {}) {
  rig = await createRig({ store, checkpoints, ...options });
  return rig.conversations.create();
}
const asks = (...calls: { name: string; input?: object }[]) =>
  typed(`Please [[script:tools ${JSON.stringify({ calls })}]]`);
const runs = (command: string) => ({ name: "shell", input: { command } });
const at = (path: string) => join(rig.folder, path);
const many = (folder: string, count: number) => {
  mkdirSync(at(folder), { recursive: true });
  for (let file = 0; file < count; file++) writeFileSync(at(`${folder}/${file}`), `${folder} ${file}`);
};

describe("a command that deletes", () => {
  test("a few files is told in a line; the checkpoint that it names brings them back", async () => {
    const conversation = await setUp();
    many("src", 40);
    const events = await eventsOf(conversation.submit(asks(runs("rm -r src"))));
    const [told, ...more] = ofType(events, "checkpoint.deleted");
    expect(more).toEqual([]);
    expect(told).toMatchObject({ files: 40, isStopped: false });
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("end_turn");
    await checkpoints.rewindFiles(told?.checkpointId ?? "", false);
    expect(readdirSync(at("src"))).toHaveLength(40);
  });

  test("fewer than five, what can be made again, or what only moved is not told", async () => {
    const conversation = await setUp();
    many("few", 4);
    many("node_modules", 300);
    many("src", 300);
    const events = await eventsOf(conversation.submit(asks(runs("rm -r few node_modules; mv src lib"))));
    expect(ofType(events, "checkpoint.deleted")).toEqual([]);
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("end_turn");
  });

  test("more than the limit ends the run: its result says so, and nothing runs after it", async () => {
    const conversation = await setUp({ settings: { maxParallelTools: 1 } });
    many("src", 101);
    const events = await eventsOf(conversation.submit(asks(runs("rm -r src"), runs("echo later > later"))));
    expect(ofType(events, "checkpoint.deleted")).toMatchObject([{ files: 101, isStopped: true }]);
    const [first, second] = ofType(events, "tool.ended");
    expect(first?.output).toMatch(
      /this call deleted 101 files; one call may delete 100 \(deleteLimit\)\. The run ends/,
    );
    expect(second).toMatchObject({ isError: true, output: expect.stringContaining("not run.") });
    expect(existsSync(at("later"))).toBe(false);
    expect(ofType(events, "run.ended")).toMatchObject([{ stopReason: "too_many_deletions" }]);
    expect(ofType(events, "model.requested")).toHaveLength(1);
    // The user's next words are a run of its own.
    const next = await eventsOf(conversation.submit(asks(runs("echo later > later"))));
    expect(ofType(next, "run.ended")[0]?.stopReason).toBe("end_turn");
    expect(existsSync(at("later"))).toBe(true);
  });

  test("is bounded as the settings say", async () => {
    const conversation = await setUp({ settings: { deleteLimit: 0 } });
    many("src", 101);
    const events = await eventsOf(conversation.submit(asks(runs("rm -r src"))));
    expect(ofType(events, "checkpoint.deleted")).toMatchObject([{ files: 101, isStopped: false }]);
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("end_turn");
  });
});

describe("a fenced call", () => {
  const nobody: Fence = { wrap: () => Promise.reject(new Error("not here")) };
  /** What a tool was given, for a call that is confined like this. */
  function given(
    confinement: Confinement,
    fence: Fence | null = nobody,
  ): { context?: ToolContext; permissions: Permissions; tool: Tool } {
    const seen: { context?: ToolContext } = {};
    const tool: Tool = {
      name: "confined",
      description: "Runs.",
      input: z.object({}),
      effect: "execute",
      run: async (_, context) => {
        seen.context = context;
        return { text: "done" };
      },
    };
    const permissions: Permissions = {
      decide: ({ context }) => {
        context.fence = fence;
        return { verdict: "allow", confinement };
      },
    };
    return Object.assign(seen, { permissions, tool });
  }

  test("that may change finds read-only what could not be saved, and the user is told so", async () => {
    const seen = given("change");
    const conversation = await setUp({ tools: [seen.tool], permissions: seen.permissions });
    settings = { ...defaultSettings, checkpointLargeMb: 0 };
    writeFileSync(at("large"), Buffer.alloc(5_000_001));
    mkdirSync(at("node_modules"));
    const events = await eventsOf(conversation.submit(asks({ name: "confined" })));
    expect(seen.context?.readOnlyPaths).toEqual([at("large")]);
    expect(ofType(events, "checkpoint.limited")).toMatchObject([
      { isReadOnly: true, paths: [{ path: "large" }] },
      { paths: [{ path: "node_modules/" }] },
    ]);
  });

  test("that only looks needs no checkpoint", async () => {
    const seen = given("look");
    const conversation = await setUp({ tools: [seen.tool], permissions: seen.permissions });
    writeFileSync(at("a"), "1");
    const events = await eventsOf(conversation.submit(asks({ name: "confined" })));
    expect(seen.context?.readOnlyPaths).toEqual([]);
    expect(ofType(events, "checkpoint.created")).toEqual([]);
  });

  test("has a checkpoint where there is no fence, whatever was decided for it", async () => {
    const seen = given("look", null);
    const conversation = await setUp({ tools: [seen.tool], permissions: seen.permissions });
    const events = await eventsOf(conversation.submit(asks({ name: "confined" })));
    expect(ofType(events, "checkpoint.created")).toHaveLength(1);
  });
});

test("what git lets go of as it packs is no deletion; a repository that is gone is", async () => {
  await setUp();
  const gone = (path: string) => ({
    path,
    before: { kind: "file" as const, mode: 0o644, size: 1, hash: path },
    after: { kind: "absent" as const },
    why: null,
  });
  const packed = [gone(".git/objects/aa/b"), gone("lib/.git/refs/heads/x"), gone("src/a")];
  expect(deletedFiles(packed)).toEqual(["src/a"]);
  const whole = [gone("lib/.git/HEAD"), ...packed];
  expect(deletedFiles(whole)).toEqual(["lib/.git/HEAD", "lib/.git/refs/heads/x", "src/a"]);
});
