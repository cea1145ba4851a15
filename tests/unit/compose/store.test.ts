import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Disposal } from "../../../electron/compose/disposal.ts";
import { composeStore } from "../../../electron/compose/store.ts";
import { Problems } from "../../../electron/desktop/log/problems.ts";
import { openSettings, type SettingsFile } from "../../../electron/settings/settings.ts";
import { Database } from "../../../electron/store/database/database.ts";
import { ulids } from "../../../shared/ulids.ts";

vi.mock("electron", () => {
  const app = { getPath: () => "/nowhere", getVersion: () => "0", getName: () => "Parley" };
  const electron = { app, ipcMain: { on: () => {} }, shell: {} };
  return { ...electron, default: electron };
});

let userData: string;
let settings: SettingsFile;
let disposal: Disposal;
beforeEach(() => {
  userData = mkdtempSync(join(tmpdir(), "parley-compose-store-"));
  settings = openSettings(userData, { report: fail, mended: fail });
  disposal = new Disposal(fail);
});
afterEach(async () => {
  await disposal.dispose();
  settings.close();
  // The thread of a store that was closed may still tidy up beside it.
  rmSync(userData, { recursive: true, maxRetries: 3 });
  vi.restoreAllMocks();
});

function fail(error: unknown): never {
  throw error;
}

/** What SQLite itself says of each connection: 1 is NORMAL, 2 is FULL. */
const synchronous = (database: Database) => database.prepare("PRAGMA synchronous").all([]);
const [normal, full] = [[{ synchronous: 1 }], [{ synchronous: 2 }]];

test("a change of the durability counts for the connection that writes messages, without a restart", () => {
  const written = vi.spyOn(Database.prototype, "transaction");
  const problems = new Problems();
  const workingFolder = () => userData;
  const base = { userData, settings, reportError: fail, newId: ulids(), problems, workingFolder };
  const source = join(import.meta.dirname, "../../../electron/store/thread/store-worker-source.mjs");
  const sealKey = { read: () => undefined, write: () => false };
  const { store } = composeStore({
    base,
    secrets: { sealKey },
    disposal,
    built: () => source,
    open: new Map(),
    onRescued: fail.bind(null, new Error("Nothing was damaged.")),
  });
  store.saveConversation({ id: "c", title: "", workingFolder: "/", model: "m", createdAt: 1, updatedAt: 1 });
  const write = (id: string): Database => {
    const content = [{ type: "text" as const, text: "It is kept." }];
    store.appendMessage("c", { id, role: "user", origin: "typed", source: null, content, createdAt: 2 });
    const writer = written.mock.contexts.at(-1);
    if (!(writer instanceof Database)) throw new Error("No connection wrote it.");
    return writer;
  };
  const writer = write("m1");
  expect(synchronous(writer)).toEqual(normal);
  settings.change({ durability: "full" });
  expect(synchronous(writer)).toEqual(full);
  expect(write("m2")).toBe(writer);
  settings.reset("durability");
  expect(synchronous(writer)).toEqual(normal);
});
