import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GitSnapshots, gitSnapshot } from "../../../electron/agent/context/git-snapshot.ts";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import type { ExecutionEnvironment } from "../../../electron/agent/ports/ports.ts";
import { openLocalEnvironment } from "../../../electron/tools/environment/local-environment.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { whyNoFence } from "../../fixtures/fence-there.ts";
import { git } from "../../fixtures/fenced.ts";
import { type FenceRig, fenceRig } from "../../fixtures/fences.ts";
import { createRig, say } from "../agent/agent-rig.ts";

const withoutFence = (await whyNoFence()) !== null;

let rig: FenceRig;
let environment: ExecutionEnvironment;
const snapshot = async () =>
  await gitSnapshot(environment, rig.fences.of("conversation", rig.folder), defaultSettings);

beforeAll(async () => {
  rig = fenceRig();
  environment = await openLocalEnvironment(rig.folder, { home: rig.place.home });
});
afterAll(async () => {
  await environment.cleanup();
  await rig.fences.dispose();
});

describe.skipIf(withoutFence)("what git says of a folder", () => {
  test("is nothing where there is no repository, or no commit", async () => {
    expect(await snapshot()).toBeNull();
    git(rig.folder, "init", "-q", "-b", "main");
    expect(await snapshot()).toBeNull();
  });

  test("is how many files differ, and the latest commits, newest first", async () => {
    for (let count = 1; count <= 6; count++) {
      writeFileSync(join(rig.folder, "a"), `${count}\n`);
      git(rig.folder, "add", "a");
      git(rig.folder, "commit", "-q", "-m", `Change ${count}\n\nMore about it.`);
    }
    const clean = await snapshot();
    expect(clean?.changedFiles).toBe(0);
    expect(clean?.commits.map((line) => line.replace(/^[0-9a-f]+ /, ""))).toEqual([
      "Change 6",
      "Change 5",
      "Change 4",
      "Change 3",
      "Change 2",
    ]);
    writeFileSync(join(rig.folder, "a"), "other\n");
    writeFileSync(join(rig.folder, "new\nline"), "");
    expect((await snapshot())?.changedFiles).toBe(2);
  });

  // Bug: half an emoji at the end of a subject refused every prompt of conversations in that folder.
  test("has subjects that are cut between whole characters", async () => {
    for (let length = 89; length <= 93; length++) {
      git(rig.folder, "commit", "-q", "--allow-empty", "-m", `${"x".repeat(length)}😀 and more`);
    }
    const commits = (await snapshot())?.commits ?? [];
    expect(commits.map((line) => line.length).toSorted()).toEqual([100, 100, 100, 100, 99].toSorted());
    for (const line of commits) expect(line).not.toMatch(/\p{Cs}/u);
  });

  test("stands in the system prompt of a conversation, from its beginning on", async () => {
    const agent = await createRig({
      // Git gets the time that it takes.
      clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.max(ms, 30_000), signal) },
      fence: (id, folder) => rig.fences.of(id, folder),
    });
    git(agent.folder, "init", "-q", "-b", "side");
    git(agent.folder, "commit", "-q", "--allow-empty", "-m", "Begin the sea");
    const conversation = agent.conversations.create();
    await say(conversation, "Hello");
    git(agent.folder, "commit", "-q", "--allow-empty", "-m", "Another one");
    await say(conversation, "Hello again");
    await agent.close();
    const [first, second] = agent.server.requests.map(({ body }) => JSON.stringify(body.system));
    expect(first).toContain("Git branch: side; no uncommitted changes when the conversation began");
    expect(first).toMatch(/[0-9a-f]{7} Begin the sea/);
    // The same, so that what the provider keeps of it stays of use.
    expect(second?.replaceAll("cache_control", "")).toBe(first?.replaceAll("cache_control", ""));
  });

  test("runs nothing that the repository names outside of the fence", async () => {
    const touched = join(rig.outside, "touched");
    const hook = join(rig.folder, "hook.sh");
    writeFileSync(hook, `#!/bin/sh\ntouch ${touched} ${join(rig.folder, "also")}\ncat\n`);
    chmodSync(hook, 0o755);
    git(rig.folder, "config", "core.fsmonitor", hook);
    git(rig.folder, "config", "filter.evil.clean", hook);
    writeFileSync(join(rig.folder, ".gitattributes"), "a filter=evil\n");
    writeFileSync(join(rig.folder, "a"), "changed again\n");
    expect(await snapshot()).not.toBeNull();
    expect(existsSync(touched)).toBe(false);
    expect(existsSync(join(rig.folder, "also"))).toBe(false);
  });
});

describe("a conversation's snapshot", () => {
  const never = { sleep: () => new Promise<void>(() => {}) };
  const some = { changedFiles: 1, commits: [] };

  test("is taken once in each folder", async () => {
    const snapshots = new GitSnapshots();
    let taken = 0;
    const take = async () => ({ changedFiles: ++taken, commits: [] });
    const how = { clock: never, isUrgent: false };
    expect(await snapshots.of("/a", take, how)).toMatchObject({ changedFiles: 1 });
    expect(await snapshots.of("/a", take, how)).toMatchObject({ changedFiles: 1 });
    expect(await snapshots.of("/b", take, how)).toMatchObject({ changedFiles: 2 });
  });

  test("does not hold up a spoken prompt, nor any for long; the next has it", async () => {
    const snapshots = new GitSnapshots();
    let give: (snapshot: typeof some) => void = () => {};
    const take = () => new Promise<typeof some>((resolve) => (give = resolve));
    expect(await snapshots.of("/a", take, { clock: never, isUrgent: true })).toBeNull();
    expect(await snapshots.of("/a", take, { clock: { sleep: async () => {} }, isUrgent: false })).toBeNull();
    give(some);
    expect(await snapshots.of("/a", take, { clock: never, isUrgent: true })).toEqual(some);
  });
});
