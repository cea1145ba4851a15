import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import Libsql from "libsql";
import type { Migration } from "../migrations/migration.ts";
import { migrations } from "../migrations/migrations.ts";
import { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { keepPrivate, makePrivate } from "./private-file.ts";
import { damagedFile, toStoreError } from "./store-errors.ts";

/** How long a write waits for another process's, in milliseconds. */
const busyTimeoutMs = 5000;

/**
 * After so many pages a commit moves what is in the log into the file, and waits for the disk. The store's thread does
 * that at SQLite's own 1,000 pages whenever it has indexed something; the main process only where that did not come.
 */
const lateCheckpointPages = 4000;

/** `full`: what was written also survives a power cut, at the price of slower writes. */
export type Durability = "normal" | "full";

/**
 * Opens the file, which is made if it is not there, and brings its tables up to date.
 * @throws StoreError when it cannot be used; it is as it was then
 */
export function openDatabase(
  file: string,
  steps: readonly Migration[] = migrations,
  durability: Durability = "normal",
): Database {
  if (isEmptied(file)) throw damagedFile(file);
  return openTables(file, steps, durability);
}

function openTables(file: string, steps: readonly Migration[], durability: Durability): Database {
  return connect(file, durability, (database) => {
    migrate(database, steps);
    keepPrivate(file);
    database.exec(`PRAGMA wal_autocheckpoint = ${lateCheckpointPages}`);
  });
}

/**
 * Opens the file that takes the place of a damaged one, whose rows come later; it is made if it is not there. Numbers that it
 * counts up begin so high that no row takes the place of another; the rows that see to that are of no conversation, and go with
 * the first clean-up.
 * @throws StoreError
 */
export function openEmptied(file: string, durability: Durability = "normal"): Database {
  const database = openTables(file, migrations, durability);
  // Above all that an earlier one of such files counted: none makes a row each millisecond.
  const room = Date.now();
  const counted = "name IN ('checkpoints', 'checkpoint_manifests')";
  database.exec(`PRAGMA foreign_keys = OFF;
    INSERT OR IGNORE INTO inputs (place, id, session_id, json) VALUES (${room}, '', '', '{}');
    INSERT OR IGNORE INTO events (seq, session_id, event_id, at, type, json) VALUES (${room}, '', 0, 0, '', '{}');
    INSERT OR IGNORE INTO meeting_lines (seq, id, session_id, who, text, started_at, ended_at)
      VALUES (${room}, '', '', '', '', 0, 0);
    DELETE FROM to_index WHERE session_id = '';
    UPDATE sqlite_sequence SET seq = max(seq, ${room}) WHERE ${counted};
    INSERT INTO sqlite_sequence (name, seq)
      SELECT column1, ${room} FROM (VALUES ('checkpoints'), ('checkpoint_manifests'))
      WHERE column1 NOT IN (SELECT name FROM sqlite_sequence);
    PRAGMA foreign_keys = ON`);
  return database;
}

/** What stands beside a database only when something was in it: its index, large files and copies. */
const leftBeside = [".search", ".files", ".before-v", ".damaged-"];
const emptyLogBytes = 32;

/** Whether the file lost all that was in it: SQLite would take it for a new one, and remove its log. */
function isEmptied(file: string): boolean {
  if (sizeOf(file) !== 0) return false;
  if ((sizeOf(`${file}-wal`) ?? 0) > emptyLogBytes) return true;
  const left = leftBeside.map((suffix) => `${basename(file)}${suffix}`);
  return readdirSync(dirname(file)).some((name) => left.some((start) => name.startsWith(start)));
}

/** @returns undefined where it is not there */
const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size;

/** A database in memory, with all its tables: it is gone when it is closed. */
export function openMemoryDatabase(): Database {
  const connection = new Libsql(":memory:");
  connection.exec("PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY");
  const database = new Database("memory", connection);
  migrate(database, migrations);
  return database;
}

/** One more connection to a file whose tables are up to date. @throws StoreError */
export function connectAgain(file: string): Database {
  return connect(file, "normal", () => {});
}

function connect(file: string, durability: Durability, prepare: (database: Database) => void): Database {
  const connection = openFile(file);
  try {
    connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability}; PRAGMA foreign_keys = ON;
      PRAGMA temp_store = MEMORY`);
    const database = new Database(file, connection);
    prepare(database);
    return database;
  } catch (error) {
    connection.close();
    throw toStoreError(error, file);
  }
}

function openFile(file: string): Libsql.Database {
  try {
    makeFolder(file);
    if (existsSync(file)) accessSync(file, constants.W_OK);
    makePrivate(file);
    return new Libsql(file, { timeout: busyTimeoutMs });
  } catch (error) {
    throw toStoreError(error, file);
  }
}

/** @throws StoreError unless the file's folder is there and can be written */
export function makeFolder(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    // Asked first: SQLite's own answer does not tell a missing right from a missing folder.
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw toStoreError(error, file);
  }
}
