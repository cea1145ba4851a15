import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StoreError } from "../../../electron/agent/ports/ports.ts";
import { lockStore } from "../../../electron/store/database/store-lock.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { processStartNow } from "../../../shared/process-start.ts";

let folder: string;
let file: string;
let lock: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-lock-"));
  file = join(folder, "parley.db");
  lock = `${file}.lock`;
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

const owned = (rest: { pid?: number; host?: string; startedAt?: string | null }) =>
  writeFileSync(
    lock,
    JSON.stringify({ pid: process.pid, host: hostname(), startedAt: processStartNow(process.pid), ...rest }),
  );
const silentFor = (seconds: number) => {
  const then = new Date(Date.now() - seconds * 1000);
  utimesSync(lock, then, then);
};
const ownPid = () => JSON.parse(readFileSync(lock, "utf8")).pid;

function isTaken(): boolean {
  try {
    lockStore(file).release();
    return false;
  } catch (error) {
    if (error instanceof StoreError && error.code === "locked") return true;
    throw error;
  }
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "close");
  return child.pid ?? 0;
}

test("a database that is open is refused to a second one, by name of the process, until it is closed", () => {
  const store = openSqliteStore(file, fail);
  expect(() => openSqliteStore(file, fail)).toThrow(
    expect.objectContaining({
      name: "StoreError",
      code: "locked",
      message: `Another Parley is using ${file} (process ${process.pid}).`,
    }),
  );
  store.close();
  expect(readdirSync(folder).filter((name) => name.includes("lock"))).toEqual([]);
  openSqliteStore(file, fail).close();
});

test("a store that could not be opened leaves no lock", () => {
  writeFileSync(file, "no database at all ".repeat(500));
  expect(() => openSqliteStore(file, fail)).toThrow(expect.objectContaining({ code: "corrupt" }));
  expect(existsSync(lock)).toBe(false);
});

test("the lock of a process that is gone is taken over at once", async () => {
  owned({ pid: await deadPid() });
  const taken = lockStore(file);
  expect(ownPid()).toBe(process.pid);
  taken.release();
  expect(existsSync(lock)).toBe(false);
});

test("a process that has the id of one that is gone does not keep the lock", () => {
  owned({ startedAt: "1" });
  expect(isTaken()).toBe(false);
});

test("one whose start nobody knows keeps the lock as long as it gives signs of life", () => {
  owned({ startedAt: null });
  expect(isTaken()).toBe(true);
  silentFor(31);
  expect(isTaken()).toBe(false);
});

test("a process that lives and started when it says keeps it, however long it was silent", () => {
  owned({});
  silentFor(3600);
  expect(isTaken()).toBe(true);
});

test("another computer's lock holds until it was silent for half a minute", async () => {
  owned({ host: "elsewhere", pid: await deadPid() });
  silentFor(29);
  expect(isTaken()).toBe(true);
  silentFor(31);
  expect(isTaken()).toBe(false);
});

test("half a lock, as a crash may leave it, holds for half a minute", () => {
  writeFileSync(lock, '{"pid": 1');
  expect(isTaken()).toBe(true);
  silentFor(31);
  expect(isTaken()).toBe(false);
});

test("the owner gives signs of life, and leaves the lock of somebody who took over", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { release } = lockStore(file);
  silentFor(60);
  vi.advanceTimersByTime(10_000);
  owned({ host: "elsewhere" });
  expect(isTaken()).toBe(true);
  silentFor(60);
  vi.advanceTimersByTime(10_000);
  expect(isTaken()).toBe(true);
  release();
  expect(existsSync(lock)).toBe(true);
  silentFor(60);
  vi.advanceTimersByTime(60_000);
  expect(isTaken()).toBe(false);
});

function fail(error: unknown): never {
  throw error;
}
