import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runDataJob } from "../../../electron/compose/data-job.ts";

vi.mock("electron", () => {
  const app = { getPath: () => "/nowhere", getVersion: () => "0", getName: () => "Parley" };
  const electron = { app, ipcMain: { on: () => {} }, shell: {} };
  return { ...electron, default: electron };
});

let folder: string;
let said = "";
const backUp = () => ({ type: "back-up" as const, file: join(folder, "kept"), withCheckpoints: false });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-job-"));
  said = "";
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => {
      said += String(text);
      return true;
    });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

// Bug: `parley --backup` never ended where settings.json was broken and could not be copied beside itself.
test("a back-up is made although settings.json is broken and cannot be copied, which is said", async () => {
  const userData = join(folder, "data");
  mkdirSync(join(userData, "settings.json.bak"), { recursive: true });
  writeFileSync(join(userData, "settings.json"), "{");
  expect(await runDataJob(backUp(), userData)).toBe(0);
  expect(existsSync(join(folder, "kept"))).toBe(true);
  expect(said).toContain("settings.json is not valid JSON");
});

// Bug: with a comma too many in settings.json all conversations were restored, and it was said that nothing was changed.
test("a restore whose settings cannot be kept says what was restored and what was not", async () => {
  const [from, into] = [join(folder, "from"), join(folder, "into")];
  mkdirSync(from);
  writeFileSync(join(from, "settings.json"), '{"theme":"dark"}');
  expect(await runDataJob(backUp(), from)).toBe(0);
  mkdirSync(into);
  writeFileSync(join(into, "settings.json"), '{"theme":"light",}');
  const job = { type: "restore" as const, file: backUp().file, withSettings: true };
  expect(await runDataJob(job, into)).toBe(1);
  expect(said).toMatch(/already here\. The settings were not changed\. \S/);
});

// Bug: settings that could not be asked for at all left `parley --backup` without an end.
test("a back-up of a folder that cannot be reached ends with code 1, and with why", async () => {
  const userData = join(folder, "circle");
  symlinkSync(userData, userData);
  expect(await runDataJob(backUp(), userData)).toBe(1);
  expect(said).toMatch(/^parley: .*ELOOP/m);
});
