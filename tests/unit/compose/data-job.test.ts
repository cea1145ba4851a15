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
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
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

// Bug: settings that could not be asked for at all left `parley --backup` without an end.
test("a back-up of a folder that cannot be reached ends with code 1, and with why", async () => {
  const userData = join(folder, "circle");
  symlinkSync(userData, userData);
  expect(await runDataJob(backUp(), userData)).toBe(1);
  expect(said).toMatch(/^parley: .*ELOOP/m);
});
