import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { SqlValue } from "../../../electron/store/database/database.ts";
import { openDatabase } from "../../../electron/store/database/open-database.ts";
import { DamagedFile } from "../../../electron/store/rescue/damaged-file.ts";
import { pagesBelow, rootsIn } from "../../../electron/store/rescue/read-tables.ts";

const lost = (page: number): never => {
  throw new Error(`Page ${page} was not read.`);
};

/** All rows of a table, without SQLite. */
function rowsOf(file: DamagedFile, table: string, isOfIndex: boolean): SqlValue[][] {
  const root = rootsIn(file, lost).get(table) ?? 0;
  const pages = [...pagesBelow(file, { root, isOfIndex, seen: new Set() }, lost)];
  return pages.flatMap(({ cells }) => cells.map(({ values }) => values));
}

const value = fc.oneof(
  fc.constant(null),
  fc.maxSafeInteger(),
  fc.integer({ min: -200, max: 200 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Number.isInteger(number)),
  // A text with a NUL is never written as one.
  fc.string({ unit: "grapheme", maxLength: 300 }).filter((text) => !text.includes("\0")),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.integer({ min: 1000, max: 20_000 }).map((length) => "long ".repeat(length)),
);

const sorted = (rows: readonly SqlValue[][]) => rows.map((row) => JSON.stringify(row)).sort();

test("pages are read as SQLite writes them, whether they are in the file or still in its log", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-pages-"));
  let made = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value), { maxLength: 80 }), (values) => {
      const path = join(folder, `${made++}.db`);
      const database = openDatabase(path);
      database.exec(
        "CREATE TABLE plain (id, a, b); CREATE TABLE keyed (id TEXT PRIMARY KEY, a, b) WITHOUT ROWID",
      );
      const rows = values.map((pair, place) => [`k${place}`, ...pair]);
      for (const table of ["plain", "keyed"]) {
        const insert = database.prepare(`INSERT INTO ${table} VALUES (?, ?, ?)`);
        database.transaction(() => {
          for (const row of rows) insert.run(row);
        });
      }
      const check = () => {
        const file = new DamagedFile(path);
        expect(sorted(rowsOf(file, "plain", false))).toEqual(sorted(rows));
        expect(sorted(rowsOf(file, "keyed", true))).toEqual(sorted(rows));
        file.close();
      };
      check();
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      database.close();
      check();
    }),
    { numRuns: 20 },
  );
  rmSync(folder, { recursive: true });
});

test("what is left in the log from an earlier round is not read", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-pages-"));
  const path = join(folder, "rounds.db");
  const database = openDatabase(path);
  database.exec("CREATE TABLE plain (id, a)");
  for (let id = 0; id < 20; id++) database.exec(`INSERT INTO plain VALUES ('k${id}', 'old')`);
  database.exec("PRAGMA wal_checkpoint(PASSIVE)");
  database.exec("UPDATE plain SET a = 'new'");
  const file = new DamagedFile(path);
  expect(rowsOf(file, "plain", false)).toEqual(Array.from({ length: 20 }, (_, id) => [`k${id}`, "new"]));
  file.close();
  database.close();
  rmSync(folder, { recursive: true });
});

const logHead = 32;
const frameBytes = 24 + 4096;

/** With a row of "old" that is in the file, and three rows in the log, each written by itself. @param damage of the log */
function withLog(damage: (log: Buffer) => Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-log-"));
  folders.push(folder);
  const path = join(folder, "whole.db");
  const database = openDatabase(path);
  database.exec("CREATE TABLE plain (id, a); INSERT INTO plain VALUES ('k', 'old')");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  for (const value of ["one", "two", "three"]) database.exec(`UPDATE plain SET a = '${value}'`);
  const copy = join(folder, "copy.db");
  copyFileSync(path, copy);
  const log = readFileSync(`${path}-wal`);
  expect(log.length).toBe(logHead + 3 * frameBytes);
  writeFileSync(`${copy}-wal`, damage(log));
  database.close();
  return copy;
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const frameAt = (number: number) => logHead + (number - 1) * frameBytes;
/** A bit of it is another one. */
const flipped = (at: number) => (log: Buffer) => {
  log.writeUInt8(log.readUInt8(at) ^ 1, at);
  return log;
};
/** As on a machine whose numbers begin with their greatest byte: the sums are made anew. */
function otherEnd(log: Buffer): Buffer {
  const sum: [number, number] = [0, 0];
  const add = (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += 8) {
      sum[0] = (sum[0] + bytes.readUInt32BE(at) + sum[1]) >>> 0;
      sum[1] = (sum[1] + bytes.readUInt32BE(at + 4) + sum[0]) >>> 0;
    }
  };
  const put = (at: number) => {
    log.writeUInt32BE(sum[0], at);
    log.writeUInt32BE(sum[1], at + 4);
  };
  log.writeUInt32BE(0x377f0683, 0);
  add(log.subarray(0, 24));
  put(24);
  for (let at = logHead; at < log.length; at += frameBytes) {
    add(log.subarray(at, at + 8));
    add(log.subarray(at + 24, at + frameBytes));
    put(at + 16);
  }
  return log;
}

const logs: [name: string, damage: (log: Buffer) => Buffer, newest: string][] = [
  ["whole", (log) => log, "three"],
  ["written the other way round", otherEnd, "three"],
  ["a page of the last write torn", flipped(frameAt(3) + 24 + 4000), "two"],
  ["a page of an earlier write torn", flipped(frameAt(2) + 24 + 4000), "one"],
  ["a page of the first write torn", flipped(frameAt(1) + 24 + 4000), "old"],
  ["the number of a page another one", flipped(frameAt(3) + 3), "two"],
  ["the size after a write another one", flipped(frameAt(3) + 7), "two"],
  ["the salt of a write another one", flipped(frameAt(2) + 8), "one"],
  ["the sum of a write another one", flipped(frameAt(3) + 16), "two"],
  ["the second half of a sum another one", flipped(frameAt(3) + 20), "two"],
  ["a write that ended in the middle", (log) => log.subarray(0, log.length - 1), "two"],
  ["the head torn", flipped(13), "old"],
  ["the sum of the head another one", flipped(24), "old"],
  ["nothing but its head", (log) => log.subarray(0, logHead), "old"],
  ["shorter than its head", (log) => log.subarray(0, logHead - 1), "old"],
  ["empty", () => Buffer.alloc(0), "old"],
];

// Bug: any frame with the salt of the log was taken, though its page was torn.
test.each(logs)("of a log, what SQLite would read of it is read: %s", (_, damage, newest) => {
  const path = withLog(damage);
  const file = new DamagedFile(path);
  expect(rowsOf(file, "plain", false)).toEqual([["k", newest]]);
  file.close();
  const database = openDatabase(path);
  expect(database.prepare("SELECT a FROM plain").all([])).toEqual([{ a: newest }]);
  database.close();
});

test("what a log has beyond the last finished write is not read", () => {
  const path = withLog((log) => log);
  const database = openDatabase(path);
  // So much that it goes into the log before it is finished.
  database.exec(`PRAGMA cache_size = 5; PRAGMA cache_spill = 1; BEGIN; UPDATE plain SET a = 'unfinished'`);
  const insert = database.prepare("INSERT INTO plain VALUES ('long', ?)");
  for (let row = 0; row < 100; row++) insert.run(["long ".repeat(2000)]);
  expect(readFileSync(`${path}-wal`).length).toBeGreaterThan(logHead + 20 * frameBytes);
  const file = new DamagedFile(path);
  expect(rowsOf(file, "plain", false)).toEqual([["k", "three"]]);
  file.close();
  database.exec("ROLLBACK");
  database.close();
});

// Bug: what was deleted before the file became shorter came back where a page of its table was lost.
test("what is behind the end that a log has is not read", () => {
  const path = withLog((log) => log);
  const database = openDatabase(path);
  const insert = database.prepare("INSERT INTO plain VALUES ('long', ?)");
  for (let row = 0; row < 100; row++) insert.run(["long ".repeat(2000)]);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.exec("DELETE FROM plain WHERE id = 'long'; VACUUM");
  const pages = database.prepare("PRAGMA page_count").all([]);
  expect(readFileSync(path).length).toBeGreaterThan(200 * 4096);
  const file = new DamagedFile(path);
  expect([{ page_count: file.pages }]).toEqual(pages);
  file.close();
  database.close();
});
