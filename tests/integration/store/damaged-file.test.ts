import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
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
