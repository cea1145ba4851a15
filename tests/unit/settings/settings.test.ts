import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openSettings, type SettingsFile } from "../../../electron/settings/settings.ts";

vi.mock("electron", () => {
  const app = { getPath: () => "/nowhere", getVersion: () => "0", getName: () => "Parley" };
  const electron = { app, ipcMain: { on: () => {} }, shell: {} };
  return { ...electron, default: electron };
});

let folder: string;
let settings: SettingsFile;
const path = () => join(folder, "settings.json");

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-settings-"));
  writeFileSync(path(), JSON.stringify({ maxTurns: 7, theme: "dark" }));
  settings = openSettings(folder, ({ message }) => expect.unreachable(message));
});
afterEach(() => {
  settings.close();
  rmSync(folder, { recursive: true });
});

describe("a change of the settings", () => {
  test("of our own is told when it is kept, with the rest of the file as it was", () => {
    const told: unknown[] = [];
    settings.onChange((changed) => told.push([settings.current().maxTurns, ...changed]));
    settings.change({ maxTurns: 9 });
    expect(told).toEqual([[9, "maxTurns"]]);
    expect(JSON.parse(readFileSync(path(), "utf8"))).toEqual({ maxTurns: 9, theme: "dark" });
  });

  test("to what they are is told to nobody, and none to whoever has ended it", () => {
    const told: string[] = [];
    const end = settings.onChange(() => told.push("ended"));
    settings.onChange(() => told.push("other"));
    settings.change({ maxTurns: 7 });
    end();
    settings.change({ maxTurns: 9 });
    expect(told).toEqual(["other"]);
  });

  test("that an editor makes, by a new file in the old one's place, is told by itself", async () => {
    const told = new Promise<number>((resolve) => {
      settings.onChange(() => resolve(settings.current().maxTurns));
    });
    writeFileSync(`${path()}.new`, JSON.stringify({ maxTurns: 11 }));
    renameSync(`${path()}.new`, path());
    expect(await told).toBe(11);
  });
});
