import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Settings } from "../../../shared/settings.ts";
import { CheckpointRig } from "./checkpoint-rig.ts";

let rig: CheckpointRig;
afterEach(() => rig.close());

const isDamaged = "what was kept of it is damaged";
/** Nothing that a compression would notice. */
const noise = () => randomBytes(3000);

/** Changes the last byte of each kept content. */
function damageContents(): void {
  rig.database.exec(
    "UPDATE file_blobs SET bytes = CAST(substr(bytes, 1, length(bytes) - 1) || x'00' AS BLOB) WHERE size > 100",
  );
  const folder = `${rig.file}.files`;
  for (const name of readdirSync(rig.base).includes("parley.db.files") ? readdirSync(folder) : []) {
    const bytes = readFileSync(join(folder, name));
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(join(folder, name), bytes);
  }
}

// Bug: a rewind brought back a file with a byte that was damaged in what was kept of it, and said that it was restored.
test.each<[string, Partial<Settings>]>([
  ["in the database", {}],
  ["beside it", { checkpointMaxFileMb: 0.001, checkpointFreeMb: 0 }],
])("a content that was damaged %s is named, and not brought back", async (_, settings) => {
  rig = await CheckpointRig.open(settings);
  rig.put("noise", Buffer.concat([noise(), Buffer.from("end")]));
  rig.put("empty", "");
  await rig.shell("m1", "echo now > noise; echo now > empty");
  const [turn] = rig.list();
  damageContents();
  expect((await rig.engine.show("c", turn?.id ?? "", rig.limits)).map(({ path }) => path)).toEqual([
    "empty",
    "noise",
  ]);
  const { files } = await rig.rewind(turn?.id ?? "");
  expect(files.find(({ path }) => path === "noise")).toEqual({
    path: "noise",
    result: "failed",
    why: isDamaged,
  });
  expect(rig.text("noise")).toBe("now\n");
});

// Bug: where what was kept of a command that a crash cut off was damaged, no call of its conversation could run any more.
test("a folder whose state before a crash is damaged is named, and the next calls run", async () => {
  rig = await CheckpointRig.open();
  rig.put("a", "before");
  await rig.crashDuring("m1", "echo after > a");
  rig.database.exec("UPDATE checkpoint_manifests SET bytes = x'00ff'");
  const { output } = await rig.shell("m2", "echo later > a");
  expect(output.isError ?? false).toBe(false);
  const [first] = rig.all().slice(-1);
  const { notRestorable } = await rig.engine.preview("c", first?.id ?? "", "files", rig.limits);
  expect(notRestorable).toEqual([{ path: ".", why: isDamaged }]);
});
