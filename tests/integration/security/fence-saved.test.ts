import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { heldByFence } from "../../../electron/fence/watch/held-by-fence.ts";
import { KnownFiles } from "../../../electron/fence/watch/known-files.ts";
import { findSteeringFiles } from "../../../electron/fence/watch/steering-files.ts";
import { takeAway } from "../../../electron/fence/watch/take-away.ts";
import { decidesWhatRuns } from "../../../shared/safety/protected-files.ts";
import { whyNoFence } from "../../fixtures/fence-there.ts";
import { fencedShell } from "../../fixtures/fenced.ts";
import { fencedRepository } from "../../fixtures/fenced-repository.ts";
import { fenceRig } from "../../fixtures/fences.ts";

const withoutFence = (await whyNoFence()) !== null || process.platform !== "linux";

/** As editors and git do. */
function saveAnew(path: string, text: string): void {
  writeFileSync(`${path}~`, text);
  renameSync(`${path}~`, path);
}

const patient = { timeout: 30_000 };

describe.skipIf(withoutFence)("a file that the user saves while a command runs", () => {
  // Bug: git saved its settings anew, and from then on the running command could write in them what the user's git ran next.
  test("is git's settings: the command is stopped, and the user's save stays", async () => {
    const rig = await fencedRepository();
    rig.user("git config core.hooksPath .husky");
    const running = rig.run(
      `touch begun; until [ -e saved ]; do sleep .1; done; sleep 1; printf '[core]\\n\\tfsmonitor = touch ${rig.pwned}\\n' >> .git/config`,
    );
    await expect.poll(() => existsSync(join(rig.folder, "begun")), patient).toBe(true);
    rig.user("git remote add origin https://example.com/x.git");
    writeFileSync(join(rig.folder, "saved"), "");
    const { fenced } = await running;
    rig.user("git status");
    expect(rig.isPwned()).toBe(false);
    expect(fenced?.ended).toContain(".git/config was replaced while it ran");
    expect(rig.user("git remote")).toBe("origin\n");
    await rig.close();
  });

  // Bug: an editor saved the keys anew, and a command that may only look, and had asked nobody, read them.
  test("is keys: a command that looks is stopped before it reads them", async () => {
    const rig = await fencedShell();
    const env = join(rig.folder, ".env");
    writeFileSync(env, "TOKEN=one\n");
    let isSaved = false;
    const { output, fenced } = await rig.run(
      "echo begun; until [ -s .env ]; do sleep .1; done; sleep 3; cat .env",
      {
        ...{ timeoutMs: 15_000, confinement: "look" },
        onOutput: () => {
          if (!isSaved) saveAnew(env, "TOKEN=two\n");
          isSaved = true;
        },
      },
    );
    expect(output).not.toContain("TOKEN");
    expect(fenced?.ended).toContain(".env was replaced while it ran");
    await rig.close();
  });

  test("and that the fence does not hold, or that is written in its place, stops nothing", async () => {
    const rig = await fencedShell();
    writeFileSync(join(rig.folder, "AGENTS.md"), "one");
    writeFileSync(join(rig.folder, "a.txt"), "one");
    const running = rig.run(
      "touch begun; until [ -e saved ]; do sleep .1; done; sleep .5; cat AGENTS.md a.txt",
    );
    await expect.poll(() => existsSync(join(rig.folder, "begun")), patient).toBe(true);
    writeFileSync(join(rig.folder, "AGENTS.md"), "three ");
    saveAnew(join(rig.folder, "a.txt"), "two");
    writeFileSync(join(rig.folder, "saved"), "");
    expect(await running).toMatchObject({ output: "three two", fenced: { ended: null, putAside: null } });
    await rig.close();
  });

  // Bug: what the user removed while a command ran could be made anew by that command, and stayed.
  test("and then removes is no leave for the command to make it", async () => {
    const rig = await fencedShell();
    const hooks = join(rig.folder, "lefthook.yml");
    writeFileSync(hooks, "one");
    const running = rig.run(
      "touch begun; while [ -e lefthook.yml ]; do sleep .1; done; echo evil > lefthook.yml",
    );
    await expect.poll(() => existsSync(join(rig.folder, "begun")), patient).toBe(true);
    rmSync(hooks);
    expect((await running).fenced?.putAside?.paths).toEqual(["lefthook.yml"]);
    expect(existsSync(hooks)).toBe(false);
    await rig.close();
  });
});

/** What becomes of a folder after a command, where something took place while its fence stood. */
async function leftAfter(folder: string, asideFolder: string, meanwhile: () => void) {
  const looking = { isProtected: decidesWhatRuns, isHidden: () => false, remade: [] };
  const find = () => findSteeringFiles(folder, looking);
  const known = new KnownFiles(folder, find).begin(null);
  const held = await heldByFence(folder, [], (await find()).protected);
  await known.paths(() => true);
  meanwhile();
  return await takeAway({ folder, asideFolder, known, held, find });
}

describe("in the moment before the command is stopped", () => {
  // Bug: what a command wrote there counted as the user's, since a file of that name had been there before.
  test("what it may have written is asked for, with the user's own save in it", async () => {
    const { folder, outside } = fenceRig();
    const hooks = join(folder, "lefthook.yml");
    writeFileSync(hooks, "one");
    const { putAside } = await leftAfter(folder, join(outside, "aside"), () => saveAnew(hooks, "two, evil"));
    expect(putAside?.detail).toBe("lefthook.yml\ntwo, evil");
    expect(existsSync(hooks)).toBe(false);
    await putAside?.putBack();
    expect(readFileSync(hooks, "utf8")).toBe("two, evil");
  });

  test("what Parley asks for anew anyhow stays where the user saved it", async () => {
    const { folder, outside } = fenceRig();
    const servers = join(folder, ".mcp.json");
    writeFileSync(servers, "{}");
    const { putAside } = await leftAfter(folder, join(outside, "aside"), () => saveAnew(servers, "[]"));
    expect(putAside).toBeNull();
    expect(readFileSync(servers, "utf8")).toBe("[]");
  });

  test.each([
    ["a remote", '\n[remote "x"]\n\turl = https://example.com/x.git\n', true],
    ["a program", "\n[core]\n\tfsmonitor = evil\n", false],
  ])("git's settings are asked for only where something new runs: %s", async (_, added, stays) => {
    const { folder, outside } = fenceRig();
    execFileSync("git", ["init", "-q"], { cwd: folder });
    const config = join(folder, ".git/config");
    const before = `${readFileSync(config, "utf8")}\n[alias]\n\tx = !make\n`;
    writeFileSync(config, before);
    const { putAside } = await leftAfter(folder, join(outside, "aside"), () =>
      saveAnew(config, before + added),
    );
    expect(putAside?.paths ?? []).toEqual(stays ? [] : [".git/config"]);
  });
});
