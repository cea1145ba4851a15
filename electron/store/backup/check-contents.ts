import { setImmediate } from "node:timers/promises";
import Libsql from "libsql";
import { z } from "zod";
import { StoreError } from "../../agent/ports/ports.ts";
import { Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { bytesOf, textColumn } from "../database/text-column.ts";
import { migrations } from "../migrations/migrations.ts";
import { hasWrongKinds, unreadableRow } from "./check-rows.ts";
import { backedUpTables, checkpointTableNames } from "./kept-tables.ts";

const schemaRows = z.array(z.object({ sql: textColumn }));
const foundRows = z.array(z.unknown());

/**
 * What a database in a back-up has to be before anything of it is taken over: its tables are those of its version and
 * nothing more (a view or a trigger would run somebody else's words here), what belongs together is there, and all of it
 * can be read as Parley reads it.
 * @param breathe between two conversations
 * @returns null: it is that
 */
export async function faultIn(database: Database, breathe: () => Promise<void>): Promise<Fault | null> {
  for (const [what, sql] of faults) {
    const [found] = foundRows.parse(database.prepare(sql).all([]));
    if (found !== undefined) return { what, sessionId: null };
  }
  const tables = [...backedUpTables, ...checkpointTableNames];
  const unreadable = tables.some((table) => hasWrongKinds(database, table))
    ? { sessionId: null }
    : await unreadableRow(database, breathe);
  return unreadable && { what: "what stands in it cannot be read", ...unreadable };
}

/** What is wrong with a database in a back-up. */
export interface Fault {
  /** As the end of a sentence; `it` is the back-up. */
  what: string;
  /** The conversation that it is in; null: it is in none, or cannot be told. */
  sessionId: string | null;
}

/** @throws StoreError `corrupt` */
export async function checkContents(database: Database): Promise<void> {
  const fault = await faultIn(database, () => setImmediate());
  if (fault) throw unfit(fault.what);
}

/** Before it is brought up to date. @param version that it says it has @throws StoreError `corrupt` */
export function checkSchema(database: Database, version: number): void {
  const connection = new Libsql(":memory:");
  try {
    const like = new Database("memory", connection);
    migrate(like, migrations.slice(0, version));
    if (schemaOf(database) !== schemaOf(like)) throw unfit("its tables are not those of its version");
  } finally {
    connection.close();
  }
}

function schemaOf(database: Database): string {
  const rows = database.prepare(`SELECT ${bytesOf("coalesce(sql, name)", "sql")} FROM sqlite_master`).all([]);
  return schemaRows
    .parse(rows)
    .map(({ sql }) => sql.replaceAll(/\s+/g, " ").trim())
    .sort()
    .join("\n");
}

const faults: readonly (readonly [string, string])[] = [
  ["its database is not sound", "SELECT 1 FROM pragma_quick_check WHERE quick_check <> 'ok' LIMIT 1"],
  ["rows in it belong to nothing", "SELECT 1 FROM pragma_foreign_key_check LIMIT 1"],
  [
    "messages in it do not follow one another",
    `SELECT 1 FROM messages AS m LEFT JOIN messages AS p ON p.id = m.parent_id AND p.session_id = m.session_id
     WHERE m.position <> coalesce(p.position + 1, 0) OR (m.parent_id IS NOT NULL AND p.id IS NULL)
       OR m.role NOT IN ('user', 'assistant') LIMIT 1`,
  ],
  [
    "a large file in it is called what none is called",
    `SELECT 1 FROM large_files WHERE name GLOB '*[^-_0-9A-Za-z]*' OR length(name) NOT BETWEEN 1 AND 64 LIMIT 1`,
  ],
  [
    "a conversation in it ends nowhere",
    `SELECT 1 FROM sessions WHERE head_message_id IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM messages WHERE id = head_message_id AND session_id = sessions.id) LIMIT 1`,
  ],
];

const unfit = (why: string) =>
  new StoreError(
    "corrupt",
    `The back-up cannot be used: ${why}.`,
    "Use another back-up. Nothing was changed here.",
  );
