import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkpointEngine } from "../../../electron/store/checkpoints/checkpoint-engine.ts";
import { limitsOf } from "../../../electron/store/checkpoints/limits.ts";
import { openDatabase } from "../../../electron/store/database/open-database.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { type FenceRig, fenceRig } from "../../fixtures/fences.ts";

let rig: FenceRig;
beforeEach(() => {
  rig = fenceRig();
});
afterEach(async () => {
  await rig.fences.dispose();
  rmSync(dirname(rig.folder), { recursive: true, force: true });
});

test.skipIf(process.env.PARLEY_WITHOUT_FENCE === "1")(
  "a fenced command cannot change what could not be saved, and a rewind brings back the rest",
  async () => {
    const { folder, fences } = rig;
    const at = (path: string) => join(folder, path);
    expect(await fences.check()).toEqual({ isThere: true });
    mkdirSync(at("src"));
    writeFileSync(at("src/a"), "first");
    writeFileSync(at("large"), Buffer.alloc(6_000_000, 1));
    writeFileSync(at("vast"), Buffer.alloc(9_000_000, 2));
    const database = openDatabase(join(dirname(folder), "user-data", "parley.db"));
    database.exec(
      "INSERT INTO sessions (id, title, model, working_folder, created_at, updated_at) VALUES ('c', '', 'm', '/', 1, 1)",
    );
    let ids = 0;
    const engine = checkpointEngine(database, { now: Date.now, newId: () => `id-${ids++}` });
    const limits = limitsOf({ ...defaultSettings, checkpointLargeMb: 8 });
    const call = {
      conversationId: "c",
      messageId: "m",
      runId: "r",
      label: "",
      toolUseId: "t",
      paths: null,
      workingFolder: folder,
    };
    const { readOnly, notRestorable, checkpointId } = await engine.before(call, limits);
    expect([readOnly, notRestorable.map(({ path }) => path)]).toEqual([[at("vast")], ["vast"]]);

    const command =
      "rm -rf src large; echo gone > vast; rm -f vast; mv vast elsewhere; echo new > free; true";
    const wrapped = await fences.of("c", folder).wrap({
      command,
      folder,
      env: { PATH: process.env.PATH ?? "" },
      confinement: "change",
      readOnly,
    });
    const { stdout, stderr, status } = spawnSync("bash", ["-c", wrapped.line], {
      cwd: folder,
      env: { ...wrapped.env },
      encoding: "utf8",
    });
    await wrapped.ended(stdout + stderr, status);
    expect([existsSync(at("src")), existsSync(at("large")), existsSync(at("free"))], stderr).toEqual([
      false,
      false,
      true,
    ]);
    expect(readFileSync(at("vast")).equals(Buffer.alloc(9_000_000, 2))).toBe(true);

    await engine.after(call, limits);
    await engine.rewind("c", checkpointId, { overwrite: false, part: "files" }, limits);
    expect(readFileSync(at("src/a"), "utf8")).toBe("first");
    expect(readFileSync(at("large")).equals(Buffer.alloc(6_000_000, 1))).toBe(true);
    expect(existsSync(at("free"))).toBe(false);
    database.close();
  },
);
