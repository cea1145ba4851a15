import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../../electron/store/database/open-database.ts";
import { SessionFiles } from "../../../electron/store/exchange/session-files.ts";
import { migrations } from "../../../electron/store/migrations/migrations.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";

let folder: string;
let file: string;
let umask: number;

beforeEach(() => {
  umask = process.umask(0o022);
  folder = mkdtempSync(join(tmpdir(), "parley-modes-"));
  file = join(folder, "parley.db");
});
afterEach(() => {
  process.umask(umask);
  rmSync(folder, { recursive: true, maxRetries: 3 });
});

const conversation = { id: "c", title: "T", workingFolder: "/", model: "m", createdAt: 1, updatedAt: 1 };
/** Those that more than their owner can read; the lock says nothing but a process's number. */
const readableByOthers = () =>
  readdirSync(folder).filter(
    (name) => !name.includes(".lock") && (statSync(join(folder, name)).mode & 0o077) !== 0,
  );

// Bug: a second connection opened the file by itself and closed it, which took the first one's locks. When another process
// looked into the database, it took itself for the last and threw the log away, with all that was written from then on.
test("another connection of this process takes nothing from the first one", () => {
  const first = openDatabase(file);
  const second = openDatabase(file);
  first.exec("CREATE TABLE kept (word TEXT); INSERT INTO kept VALUES ('before')");
  const look = `const file = new (require("libsql"))(process.argv[1]); file.prepare("SELECT * FROM kept").all(); file.close()`;
  execFileSync(process.execPath, ["-e", look, file]);
  expect(readdirSync(folder)).toContain("parley.db-wal");
  first.exec("INSERT INTO kept VALUES ('after')");
  const words = `const file = new (require("libsql"))(process.argv[1]); console.log(file.prepare("SELECT word FROM kept").all().length)`;
  expect(execFileSync(process.execPath, ["-e", words, file], { encoding: "utf8" }).trim()).toBe("2");
  second.close();
  first.close();
});

test("the database, its log, its search index and its back-ups are their owner's alone", async () => {
  openDatabase(file, migrations.slice(0, -1)).close();
  const store = openSqliteStore(file, () => {});
  store.saveConversation(conversation);
  await store.search({ words: "anything", limit: 1 });
  await store.copyContents(join(folder, "copy.db"), true);
  const files = new SessionFiles({ store, newId: () => "x", now: () => 1 });
  await files.write("c", "md", join(folder, "T.md"));
  const made = readdirSync(folder).filter((name) => !name.includes(".lock"));
  expect(made).toEqual(
    expect.arrayContaining([
      "T.md",
      "copy.db",
      "parley.db",
      "parley.db-shm",
      "parley.db-wal",
      "parley.db.search",
    ]),
  );
  expect(made.some((name) => name.includes(".before-v"))).toBe(true);
  expect(readableByOthers()).toEqual([]);
  store.close();
});

test("what an earlier Parley left readable for others is corrected at the next start", () => {
  openSqliteStore(file, () => {}).close();
  writeFileSync(`${file}.before-v2`, "");
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
  expect(readableByOthers()).not.toEqual([]);
  openSqliteStore(file, () => {}).close();
  expect(readableByOthers()).toEqual([]);
});
