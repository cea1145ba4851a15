import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openSettings, type SettingsFile } from "../../../electron/settings/settings.ts";
import type { UserError } from "../../../shared/conversation/events.ts";

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
  settings = openSettings(folder, { report: ({ message }) => expect.unreachable(message), mended: () => {} });
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

  test("that goes back to the default leaves the file, and is told", () => {
    const told: unknown[] = [];
    settings.onChange((changed) => told.push([settings.current().theme, ...changed]));
    settings.reset("theme");
    expect(told).toEqual([["system", "theme"]]);
    expect(JSON.parse(readFileSync(path(), "utf8"))).toEqual({ maxTurns: 7 });
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

describe("a settings.json that cannot be read", () => {
  let problems: UserError[];
  let mended: UserError[];
  const broken = '{\n "theme": "light",\n "maxTurns": 9,\n}';
  const careful = {
    permissionMode: "look",
    permissionRules: [{ verdict: "deny", tool: "read_file", path: "~/x" }],
  };
  const reopen = () => {
    settings.close();
    problems = [];
    mended = [];
    settings = openSettings(folder, {
      report: (problem) => problems.push(problem),
      mended: (problem) => mended.push(problem),
    });
  };
  beforeEach(() => {
    writeFileSync(path(), JSON.stringify({ theme: "dark", ...careful }));
    reopen();
  });

  // Bug: one comma too many in settings.json while Parley ran removed every deny rule, and the next change erased the file.
  test.each([
    ["one comma too many", broken, "line 4"],
    ["an editor that empties it before it writes", "", "line 1"],
  ])("leaves the settings as they were, names the line, and is not written over: %s", (_, text, line) => {
    writeFileSync(path(), text);
    expect(settings.current()).toMatchObject({ theme: "dark", ...careful });
    expect(problems).toMatchObject([{ code: "broken_settings", message: expect.stringContaining(line) }]);
    expect(() => settings.change({ theme: "light" })).toThrow("no setting was changed");
    expect(() => settings.reset("theme")).toThrow("no setting was changed");
    expect(readFileSync(path(), "utf8")).toBe(text);
    expect(problems).toHaveLength(1);
    writeFileSync(path(), JSON.stringify({ theme: "light", ...careful }));
    settings.change({ maxTurns: 9 });
    expect(JSON.parse(readFileSync(path(), "utf8"))).toEqual({ theme: "light", maxTurns: 9, ...careful });
  });

  test("leaves them as they were at a start, too", () => {
    writeFileSync(path(), broken);
    reopen();
    expect(settings.current()).toMatchObject({ theme: "dark", ...careful });
    expect(problems).toMatchObject([
      { message: expect.stringContaining("The last valid settings still apply") },
    ]);
  });

  test("forbids and asks for everything where nobody knows what it said before", () => {
    writeFileSync(path(), broken);
    rmSync(`${path()}.bak`);
    reopen();
    expect(settings.current()).toMatchObject({ theme: "system", permissionMode: "look" });
    expect(settings.current().permissionRules).toEqual([{ verdict: "ask", tool: "*" }]);
  });

  test("is told again when it is broken again", () => {
    for (const text of [broken, "{}", broken]) {
      writeFileSync(path(), text);
      settings.current();
    }
    expect(problems).toHaveLength(2);
  });

  // Bug: the window said that the file was broken until it was dismissed, whether it still was or not.
  test.each([
    ["corrected", () => writeFileSync(path(), JSON.stringify({ theme: "light" }))],
    ["deleted", () => rmSync(path())],
  ])("is told to be mended once it was %s, and so is a value that was wrong", (_, mend) => {
    writeFileSync(path(), JSON.stringify({ permissionMode: "lok" }));
    settings.current();
    writeFileSync(path(), broken);
    settings.current();
    expect(mended).toEqual([problems[0]]);
    mend();
    settings.current();
    expect(mended).toEqual(problems);
  });

  test("and was taken away while Parley runs is written anew from what applies", () => {
    rmSync(path());
    expect(settings.current()).toMatchObject({ theme: "dark", ...careful });
    settings.change({ maxTurns: 9 });
    expect(JSON.parse(readFileSync(path(), "utf8"))).toEqual({ theme: "dark", maxTurns: 9, ...careful });
  });

  test("a value that is wrong does not replace the valid one before it", () => {
    writeFileSync(path(), JSON.stringify({ theme: "light", permissionMode: "lok", permissionRules: {} }));
    for (const again of [() => {}, reopen]) {
      again();
      expect(settings.current()).toMatchObject({ theme: "light", ...careful });
      expect(problems).toHaveLength(2);
    }
  });

  // Bug: a settings.json.bak that could not be written kept Parley from starting at all.
  test("applies also where no copy can be kept", () => {
    rmSync(`${path()}.bak`);
    mkdirSync(`${path()}.bak`);
    reopen();
    expect(settings.current()).toMatchObject(careful);
    settings.change({ theme: "light" });
    expect(settings.current().theme).toBe("light");
    expect(problems).toEqual([]);
  });

  test("is told where it is no file at all", () => {
    rmSync(path());
    mkdirSync(path());
    reopen();
    expect(settings.current().theme).toBe("dark");
    expect(problems).toMatchObject([{ code: "broken_settings" }]);
  });
});
