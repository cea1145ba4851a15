import { rmSync } from "node:fs";
import { pathToFileURL } from "node:url";
import Libsql from "libsql";
import { z } from "zod";
import { StoreError } from "../../agent/ports/ports.ts";
import { Database } from "../database/database.ts";
import { makePrivate } from "../database/private-file.ts";
import { toStoreError } from "../database/store-errors.ts";

/** Another number makes every index be built anew. */
const version = 3;

const lastRows = z.array(z.object({ last: z.number().nullable() }));
const foundRows = z.array(z.unknown());

/**
 * Opens the search index of a database: a file of its own beside it, so that building it never holds up a write to the
 * database itself. It has nothing that is not in there, too: one that is damaged, older or of another database is made
 * anew. The database can be read as `source`.
 * @param database a connection that can write to it
 * @throws StoreError
 */
export function openSearchFile(databaseFile: string, database: () => Database): Database {
  const file = `${databaseFile}.search`;
  try {
    return connect(file, databaseFile, database);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "corrupt") throw error;
    removeSearchFile(databaseFile);
    return connect(file, databaseFile, database);
  }
}

/** Adds a search index to a database in memory, which no other connection can read. @returns the same connection */
export function addSearchIndex(database: Database): Database {
  database.exec("ATTACH ':memory:' AS search_index");
  buildFrom(() => database, database, "search_index");
  return database;
}

/** What was in it is in the database, too. */
export function removeSearchFile(databaseFile: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${databaseFile}.search${suffix}`, { force: true });
}

function connect(file: string, databaseFile: string, source: () => Database): Database {
  const connection = open(file);
  try {
    // NORMAL costs nothing here: nobody waits for this file.
    connection.exec(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32000",
    );
    // Only to be read: a transaction here must take no lock there.
    const readOnly = `${pathToFileURL(databaseFile).href}?mode=ro`.replaceAll("'", "''");
    connection.exec(`ATTACH '${readOnly}' AS source`);
    const index = new Database(file, connection);
    if (!isOf(index)) buildFrom(source, index, "main");
    return index;
  } catch (error) {
    connection.close();
    throw toStoreError(error, file);
  }
}

function open(file: string): Libsql.Database {
  try {
    makePrivate(file);
    return new Libsql(file, { timeout: 5000 });
  } catch (error) {
    throw toStoreError(error, file);
  }
}

/** Whether it was made by this version, from the database beside it. */
function isOf(database: Database): boolean {
  const [table] = database.prepare("SELECT 1 FROM main.sqlite_master WHERE name = 'made_from'").all([]);
  if (table === undefined) return false;
  const same = database.prepare("SELECT 1 FROM made_from JOIN search_source USING (id) WHERE version = ?");
  return foundRows.parse(same.all([version])).length === 1;
}

/** @param schema where the connection `index` has the tables of the index */
function buildFrom(source: () => Database, index: Database, schema: string): void {
  const [row] = lastRows.parse(index.prepare("SELECT max(seq) AS last FROM to_index").all([]));
  build(index, schema);
  // The new list has them, too. In this order a kill -9 in between only makes them be read twice.
  source()
    .prepare("DELETE FROM to_index WHERE seq <= ?")
    .run([row?.last ?? 0]);
}

/** Empty, with a list of all there is to read, oldest first. */
function build(database: Database, schema: string): void {
  database.transaction(() => {
    for (const table of ["search", "documents", "waiting", "made_from"]) {
      database.exec(`DROP TABLE IF EXISTS ${schema}.${table}`);
    }
    database.exec(`
      CREATE TABLE ${schema}.made_from (id TEXT NOT NULL, version INTEGER NOT NULL);
      INSERT INTO made_from SELECT id, ${version} FROM search_source;

      CREATE VIRTUAL TABLE ${schema}.search USING fts5 (
        text, content = '', contentless_delete = 1, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
      );
      CREATE TABLE ${schema}.documents (
        doc INTEGER PRIMARY KEY,
        session_id TEXT NOT NULL,
        message_id TEXT NOT NULL,
        tool_use_id TEXT NOT NULL
      );
      CREATE UNIQUE INDEX ${schema}.documents_by_message ON documents (message_id, tool_use_id);
      CREATE INDEX ${schema}.documents_of_session ON documents (session_id);

      CREATE TABLE ${schema}.waiting (
        seq INTEGER PRIMARY KEY,
        session_id TEXT NOT NULL,
        message_id TEXT NOT NULL,
        tool_use_id TEXT
      );
      INSERT INTO waiting (session_id, message_id, tool_use_id)
        SELECT session_id, id, tool_use_id FROM (
          SELECT session_id, id, created_at, position, NULL AS tool_use_id FROM messages
            WHERE role = 'assistant' OR origin IN ('typed', 'voice', 'quick', 'scheduled', 'steering')
          UNION ALL
          SELECT tool_calls.session_id, message_id, created_at, position, tool_use_id
            FROM tool_calls JOIN messages ON messages.id = message_id
          UNION ALL
          SELECT session_id, CAST(seq AS TEXT), started_at, 0, ':meeting' FROM meeting_lines
        ) ORDER BY created_at, position`);
  });
}
