import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { finishRestore, noteRestore } from "../../../electron/compose/pending-restore.ts";
import { Problems } from "../../../electron/desktop/log/problems.ts";
import { openSettings } from "../../../electron/settings/settings.ts";

vi.mock("electron", () => {
  const app = { getPath: () => "/nowhere", getVersion: () => "0", getName: () => "Parley" };
  const electron = { app, ipcMain: { on: () => {} }, shell: {} };
  return { ...electron, default: electron };
});

let userData: string;
let problems: Problems;

beforeEach(() => {
  userData = mkdtempSync(join(tmpdir(), "parley-restore-"));
  problems = new Problems();
});
afterEach(() => rmSync(userData, { recursive: true }));

async function finish() {
  const settings = openSettings(userData, problems);
  await finishRestore({ userData, settings, problems, reportError: () => {} });
  settings.close();
}

test("what cannot be restored is told once, and not tried again at the next start", async () => {
  noteRestore(userData, { file: join(userData, "none"), withSettings: false });
  await finish();
  expect(problems.list).toMatchObject([{ code: "restore" }]);
  expect(problems.list[0]?.message).toContain("The back-up was not restored.");
  problems = new Problems();
  await finish();
  expect(problems.list).toEqual([]);
});

// Bug: the note was gone before the work began, so a restore that was killed was forgotten without a word.
test("a restore that was cut off is told at the next start, and not begun again by itself", async () => {
  noteRestore(userData, { file: "/kept.parley-back-up", withSettings: false });
  renameSync(join(userData, "restore.json"), join(userData, "restore-begun.json"));
  await finish();
  expect(problems.list.map(({ message }) => message)).toEqual([
    "Parley ended while it restored /kept.parley-back-up: it may not be here.",
  ]);
  expect(existsSync(join(userData, "restore-begun.json"))).toBe(false);
});
