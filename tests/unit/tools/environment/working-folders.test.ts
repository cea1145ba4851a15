import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WorkingFolders } from "../../../../electron/tools/environment/working-folders.ts";

const home = () => realpathSync(mkdtempSync(join(tmpdir(), "parley-folders-")));

test("new conversations work in the folder that was chosen last; it is made, and one that cannot be had changes nothing", async () => {
  const place = home();
  const folders = await WorkingFolders.open(join(place, "one"), join(place, "own"));
  expect(folders.first.workingDirectory).toBe(join(place, "one"));
  await Promise.all([folders.startIn(join(place, "two")), folders.startIn(join(place, "three"))]);
  expect(folders.first.workingDirectory).toBe(join(place, "three"));
  await expect(folders.startIn("/dev/null/four")).rejects.toThrow();
  expect(folders.first.workingDirectory).toBe(join(place, "three"));
  await folders.cleanup();
});

test("one that is gone is not made anew, but for Parley's own", async () => {
  const place = home();
  const [one, own] = [join(place, "one"), join(place, "own")];
  const folders = await WorkingFolders.open(one, own);
  expect(folders.own).toBe(own);
  expect(existsSync(own)).toBe(false);
  for (let time = 0; time < 2; time++) {
    expect((await folders.open(own)).workingDirectory).toBe(own);
    rmSync(own, { recursive: true });
  }
  rmSync(one, { recursive: true });
  await expect(folders.open(one)).rejects.toThrow(`There is no folder ${one}.`);
  await folders.cleanup();
});
