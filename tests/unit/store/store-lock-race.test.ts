import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { lockStore } from "../../../electron/store/database/store-lock.ts";

const fs = vi.hoisted(() => ({ beforeRename: () => {} }));
vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  const renameSync: typeof real.renameSync = (from, to) => {
    fs.beforeRename();
    real.renameSync(from, to);
  };
  return { ...real, renameSync };
});

test("a lock that another process took over a moment before is given back to it", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "parley.db");
  const lock = `${file}.lock`;
  // Half a lock, long silent, is anybody's; the other one is a process on another computer.
  writeFileSync(lock, "");
  vi.setSystemTime(Date.now() + 60_000);
  const others = JSON.stringify({ pid: 1, host: "elsewhere", startedAt: null });
  fs.beforeRename = () => writeFileSync(lock, others);
  expect(() => lockStore(file)).toThrow("elsewhere");
  expect(readFileSync(lock, "utf8")).toBe(others);
});
