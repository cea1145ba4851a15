import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { realPath, realWord } from "../../../electron/permissions/real-path.ts";

const looks = vi.hoisted(() => ({ count: 0 }));

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const counted = <T extends (...args: never[]) => unknown>(look: T) =>
    Object.assign((...args: Parameters<T>) => {
      looks.count++;
      return look(...args);
    }, look);
  const native = counted(fs.realpathSync.native);
  return {
    ...fs,
    lstatSync: counted(fs.lstatSync),
    realpathSync: Object.assign(counted(fs.realpathSync), { native }),
  };
});

let folder: string;
beforeEach(() => {
  folder = join(realpathSync(mkdtempSync(join(tmpdir(), "parley-real-"))), "work");
  mkdirSync(join(folder, "src/deep"), { recursive: true });
  symlinkSync(join(folder, "src"), join(folder, "link"));
  symlinkSync(join(folder, "nowhere"), join(folder, "dangling"));
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true }));

const word = (text: string) => realWord(text, folder, folder);

describe("where words lead", () => {
  test.each([
    ["src/deep/../x", "src/x"],
    ["link/deep/..", "src"],
    ["link/new/a", "src/new/a"],
    ["./src//deep/.", "src/deep"],
    ["new/./a/", "new/a"],
    ["src\\deep", "src/deep"],
  ])("%j is %j", (text, wanted) => {
    expect(word(text)).toEqual({ real: join(folder, wanted), isInside: true });
  });

  test.each(["new/../x", "new/a/../..", "dangling", "dangling/x", "a\0b", "src/a\0/../b"])(
    "where %j leads cannot be told",
    (text) => {
      expect(word(text)).toBeNull();
    },
  );

  test("a folder that is not there yet is one to begin in", () => {
    const from = join(folder, "new");
    expect(realWord("a", folder, from)?.real).toBe(join(from, "a"));
    expect(realWord("../src", folder, from)?.real).toBe(join(folder, "src"));
  });
});

describe("what a long path costs", () => {
  // Bug: the whole app stood still for 40 seconds because a command named a long path that was not there.
  test.each([
    ["missing", "a/".repeat(1000), 5],
    ["there", "src/../".repeat(500), 510],
  ])("each name of one that is %s is looked at once at most", (_, text, most) => {
    looks.count = 0;
    expect(word(text)).not.toBeNull();
    expect(looks.count).toBeLessThanOrEqual(most);
  });

  test("no name is looked at below the first that is not there", () => {
    looks.count = 0;
    expect(realPath("a/".repeat(1000), folder)?.isInside).toBe(true);
    expect(looks.count).toBeLessThan(20);
  });

  test("a path longer than the system takes leads nowhere", () => {
    looks.count = 0;
    expect(realPath("a/".repeat(2100), folder)).toBeNull();
    expect(word("a/".repeat(2100))).toBeNull();
    expect(realPath("src/../".repeat(2100), folder)?.real).toBe(folder);
    expect(looks.count).toBeLessThan(20);
  });
});
