import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { z } from "zod";
import { StoreError } from "../../agent/ports/ports.ts";
import type { Migration } from "../migrations/migration.ts";
import { copyDatabase } from "./copy-database.ts";
import type { Database } from "./database.ts";

const versionRows = z.array(z.object({ version: z.number().int() })).length(1);

/**
 * Takes the tables to the version of the last step, each step in a transaction. A file that holds something is copied
 * first, to `FILE.before-vN`.
 * @throws StoreError `newer` for a file of a later Parley; otherwise what failed, with the file as it was before that step
 */
export function migrate(database: Database, steps: readonly Migration[]): void {
  const target = steps.at(-1)?.version ?? 0;
  const current = versionOf(database);
  if (current > target) throw newer(database.file, current, target);
  if (current === target) return;
  if (current > 0) copyDatabase(database, `${database.file}.before-v${target}`);
  for (const { version, sql } of steps) {
    database.transaction(() => {
      // Read again: another process may have done it meanwhile.
      if (versionOf(database) >= version) return;
      database.exec(sql);
      database.exec(`UPDATE schema_version SET version = ${version}`);
    });
  }
}

function versionOf(database: Database): number {
  const [table] = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'schema_version'").all([]);
  if (table === undefined) {
    database.exec(
      "CREATE TABLE IF NOT EXISTS schema_version (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL);" +
        "INSERT OR IGNORE INTO schema_version VALUES (1, 0)",
    );
  }
  const [row] = versionRows.parse(database.prepare("SELECT version FROM schema_version").all([]));
  return row?.version ?? 0;
}

/** @param found the version of its tables @param known the newest that this Parley knows */
export function newer(file: string, found: number, known: number): StoreError {
  const copy = copyFromBefore(file, known);
  return new StoreError(
    "newer",
    `${file} was written by a newer Parley (tables of version ${found}; this one knows ${known}).`,
    `Install the newer Parley again. The file was not changed. ${
      copy === null
        ? "There is no copy from before it."
        : `A copy from before it, which this one reads: ${copy}`
    }`,
  );
}

/** What the first later Parley copied before it changed anything: tables that this one knows. */
function copyFromBefore(file: string, known: number): string | null {
  const start = `${basename(file)}.before-v`;
  const versions = readdirSync(dirname(file))
    .filter((name) => name.startsWith(start))
    .map((name) => Number(name.slice(start.length)))
    .filter((version) => version > known);
  return versions.length === 0 ? null : `${file}.before-v${Math.min(...versions)}`;
}
