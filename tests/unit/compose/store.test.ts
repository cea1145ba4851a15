import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Disposal } from "../../../electron/compose/disposal.ts";
import { composeStore } from "../../../electron/compose/store.ts";
import { Problems } from "../../../electron/desktop/log/problems.ts";
import { openSettings, type SettingsFile } from "../../../electron/settings/settings.ts";
import { Database } from "../../../electron/store/database/database.ts";
import { DamagedFile } from "../../../electron/store/rescue/damaged-file.ts";
import { rootsIn } from "../../../electron/store/rescue/read-tables.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { ulids } from "../../../shared/ulids.ts";

vi.mock("electron", () => {
  const app = { getPath: () => "/nowhere", getVersion: () => "0", getName: () => "Parley" };
  const electron = { app, ipcMain: { on: () => {} }, shell: {} };
  return { ...electron, default: electron };
});

// What then stands in the way of a damaged database, or of the new one.
const disk = vi.hoisted(() => ({ spoil: { before: (_: string) => {}, after: (_: string) => {} } }));
vi.mock("../../../electron/store/rescue/set-aside.ts", async (original) => {
  const real = await original<typeof import("../../../electron/store/rescue/set-aside.ts")>();
  const setAside: typeof real.setAside = (file) => {
    disk.spoil.before(file);
    real.setAside(file);
    disk.spoil.after(file);
  };
  return { ...real, setAside };
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

function compose(problems: Problems, reportError: (error: unknown) => void = fail) {
  const workingFolder = () => userData;
  const base = { userData, settings, reportError, newId: ulids(), problems, workingFolder };
  const source = join(import.meta.dirname, "../../../electron/store/thread/store-worker-source.mjs");
  const sealKey = { read: () => undefined, write: () => false };
  return composeStore({
    base,
    secrets: { sealKey },
    disposal,
    built: () => source,
    open: new Map(),
    onRescued: fail.bind(null, new Error("Nothing was damaged.")),
  });
}

test("a change of the durability counts for the connection that writes messages, without a restart", () => {
  const written = vi.spyOn(Database.prototype, "transaction");
  const { store } = compose(new Problems());
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

const row = { id: "c", title: "", workingFolder: "/", model: "m", createdAt: 1, updatedAt: 1 };

/** SQLite can make no file of that name. */
const inTheWay = (suffix: string) => (file: string) => mkdirSync(`${file}${suffix}`);
const nothing = () => {};

// Bug: it was only in the log, and what was written next ended Parley.
test.each([
  { why: "no new one can be made", before: nothing, after: inTheWay("-journal") },
  { why: "it cannot be set aside", before: inTheWay("-shm"), after: nothing },
])("a damaged database in whose place no new one came is told: $why", async ({ before, after }) => {
  const file = join(userData, "parley.db");
  const made = openSqliteStore(file, fail);
  made.saveConversation(row);
  const content = [{ type: "text" as const, text: "It is kept." }];
  made.appendMessage("c", { id: "m", role: "user", origin: "typed", source: null, content, createdAt: 2 });
  made.close();
  const damaged = new DamagedFile(file);
  const root = rootsIn(damaged, () => {}).get("blocks") ?? 0;
  damaged.close();
  const bytes = readFileSync(file);
  bytes.fill(0xa5, (root - 1) * 4096, root * 4096);
  writeFileSync(file, bytes);

  disk.spoil = { before, after };
  const problems = new Problems();
  const isTold = new Promise<void>((resolve) =>
    problems.connect({ warn: () => {}, onChange: () => resolve() }),
  );
  const { store } = compose(problems, () => {});
  expect(() => store.loadMessages("c")).toThrow("is damaged");
  await isTold;
  store.saveConversation({ ...row, id: "new" });
  expect(store.listSessions({ limit: 9 }).map(({ id }) => id)).toContain("new");
  expect(problems.list).toMatchObject([
    {
      code: "store_damaged",
      message: expect.stringMatching(
        /^Parley's database is damaged, and a new one could not be made\. .*parley\.db /,
      ),
      hint: expect.stringMatching(/^Conversations may not be kept until you restart Parley\. [A-Z]/),
    },
  ]);
});
