import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { checkBackup } from "../../../electron/store/backup/restore.ts";
import { lockStore } from "../../../electron/store/database/store-lock.ts";
import { SessionFiles } from "../../../electron/store/exchange/session-files.ts";
import { backUpOf, inProfile } from "./backup/profile.ts";

// Where the disk is full, what is opened to be written is the device that says so.
const disk = vi.hoisted(() => ({ isFull: (_path: string): boolean => false }));
vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  const createWriteStream: typeof real.createWriteStream = (path, options) =>
    real.createWriteStream(disk.isFull(String(path)) ? "/dev/full" : path, options);
  const writeFileSync: typeof real.writeFileSync = (path, data, options) => {
    if (!disk.isFull(String(path))) return real.writeFileSync(path, data, options);
    real.writeFileSync(path, "", options);
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  };
  return { ...real, createWriteStream, writeFileSync };
});
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const open: typeof real.open = async (path, flags, mode) => {
    if (!disk.isFull(String(path))) return await real.open(path, flags, mode);
    await real.writeFile(path, "");
    return await real.open("/dev/full", "w");
  };
  const writeFile: typeof real.writeFile = async (path, data, options) => {
    if (!disk.isFull(String(path)) || data === "") return await real.writeFile(path, data, options);
    await real.writeFile(path, "");
    await real.writeFile("/dev/full", data);
  };
  return { ...real, open, writeFile };
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-full-"));
  mkdirSync(join(folder, "out"));
  inProfile(join(folder, "profile"), (store) =>
    store.saveConversation({
      id: "c",
      title: "c",
      workingFolder: "/",
      model: "m",
      createdAt: 1,
      updatedAt: 1,
    }),
  );
});
afterEach(() => {
  disk.isFull = () => false;
  rmSync(folder, { recursive: true, maxRetries: 3 });
});

// Bug: an export over an older one left neither of them when the disk was full.
test.each([{ mayReplace: true }, { mayReplace: false }])(
  "an export leaves what was there, and nothing of its own ($mayReplace)",
  async ({ mayReplace }) => {
    const path = join(folder, "out", "c.json");
    if (mayReplace) writeFileSync(path, "older");
    const store = await import("../../../electron/store/sqlite-store.ts").then(({ openSqliteStore }) =>
      openSqliteStore(join(folder, "profile", "parley.db"), () => {}),
    );
    const files = new SessionFiles({ store, newId: () => "n", now: () => 1 });
    disk.isFull = (name) => name.startsWith(path);
    await expect(files.write("c", "json", path, { mayReplace })).rejects.toThrow("The disk is full");
    disk.isFull = () => false;
    store.close();
    expect(readdirSync(join(folder, "out"))).toEqual(mayReplace ? ["c.json"] : []);
    if (mayReplace) expect(readFileSync(path, "utf8")).toBe("older");
  },
);

// Bug: each try to start on a full disk left one more empty file beside the database.
test("a database that cannot be locked leaves nothing beside it", () => {
  const file = join(folder, "out", "parley.db");
  disk.isFull = (name) => name.startsWith(file);
  expect(() => lockStore(file)).toThrow("ENOSPC");
  expect(readdirSync(join(folder, "out"))).toEqual([]);
});

// Bug: a restore, or a back-up, that found no room said only “ENOSPC: no space left on device, write”.
test("a back-up that cannot be unpacked or written says so in words", async () => {
  const profile = join(folder, "profile");
  const file = join(folder, "c.parley-back-up");
  await backUpOf(profile, file);
  disk.isFull = (name) => name.endsWith("conversations.db");
  await expect(checkBackup(file, profile)).rejects.toMatchObject({
    code: "full",
    message: `The disk is full: the back-up cannot be unpacked in ${profile}.`,
    hint: "Free some space on that disk, then restore it again. Nothing was changed here.",
  });
  disk.isFull = (name) => name.endsWith(".part");
  await expect(backUpOf(profile, file)).rejects.toMatchObject({
    code: "full",
    message: `The disk is full: nothing more can be written to ${file}.`,
  });
});
