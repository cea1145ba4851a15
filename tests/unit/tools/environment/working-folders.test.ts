import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WorkingFolders } from "../../../../electron/tools/environment/working-folders.ts";

const home = () => realpathSync(mkdtempSync(join(tmpdir(), "parley-folders-")));

test("new conversations work in the folder that was chosen last; it is made, and one that cannot be had changes nothing", async () => {
  const place = home();
  const folders = await WorkingFolders.open(join(place, "one"));
  expect(folders.first.workingDirectory).toBe(join(place, "one"));
  await Promise.all([folders.startIn(join(place, "two")), folders.startIn(join(place, "three"))]);
  expect(folders.first.workingDirectory).toBe(join(place, "three"));
  await expect(folders.startIn("/dev/null/four")).rejects.toThrow();
  expect(folders.first.workingDirectory).toBe(join(place, "three"));
  await folders.cleanup();
});
