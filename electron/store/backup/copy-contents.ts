import { z } from "zod";
import { StoreError } from "../../agent/ports/ports.ts";
import type { Database } from "../database/database.ts";
import { newer } from "../database/migrate.ts";
import { openDatabase } from "../database/open-database.ts";
import { bytesOf, textColumn } from "../database/text-column.ts";
import { type Fault, faultIn } from "./check-contents.ts";
import { columnsOf } from "./kept-tables.ts";

const idRows = z.array(z.object({ id: textColumn }));
const countRows = z.array(z.object({ conversations: z.number(), messages: z.number() }));
const versionRows = z.array(z.object({ version: z.number() }));

export interface CopiedContents {
  databaseVersion: number;
  /** The user's own, without sub-agents'. */
  conversations: number;
  messages: number;
  /** Files that checkpoints hold, beside the database. */
  largeFiles: string[];
}

/**
 * Copies what a back-up has into a new database, all as it was at one moment, while others write to it.
 * @param file of the profile @param to a path at which nothing is @param breathe between two conversations
 * @throws StoreError
 */
export async function copyContents(
  file: string,
  to: string,
  withCheckpoints: boolean,
  breathe: () => Promise<void>,
): Promise<CopiedContents> {
  const copy = openDatabase(to);
  try {
    // Nobody else has it, and half of it is thrown away.
    copy.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF");
    const triggers = dropTriggers(copy);
    const { databaseVersion } = factsOf(copy);
    copy.exec(`ATTACH ${quoted(file)} AS live; BEGIN`);
    const [live] = versionRows.parse(copy.prepare("SELECT version FROM live.schema_version").all([]));
    const found = live?.version ?? 0;
    if (found > databaseVersion) throw newer(file, found, databaseVersion);
    if (found < databaseVersion) throw olderRuns(file);
    const into = (table: string) => {
      const columns = columnsOf(copy, table).join(", ");
      return `INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM live.${table}`;
    };
    copy.exec(`${into("sessions")} WHERE id IN (
      WITH RECURSIVE kept (id) AS (
        SELECT id FROM live.sessions WHERE parent_session_id IS NULL AND deleted_at IS NULL
        UNION SELECT s.id FROM kept JOIN live.sessions AS s ON s.parent_session_id = kept.id WHERE deleted_at IS NULL
      ) SELECT id FROM kept)`);
    const steps = [
      `${into("messages")} WHERE session_id = ?1`,
      `${into("blocks")} WHERE message_id IN (SELECT id FROM main.messages WHERE session_id = ?1)`,
      ...["tool_calls", "inputs", "meeting_lines"].map((table) => `${into(table)} WHERE session_id = ?1`),
    ].map((sql) => copy.prepare(sql));
    for (const { id } of idRows.parse(copy.prepare(`SELECT ${bytesOf("id")} FROM main.sessions`).all([]))) {
      for (const step of steps) step.run([id]);
      await breathe();
    }
    copy.exec(`${into("meeting_asks")} WHERE line_seq IN (SELECT seq FROM main.meeting_lines)`);
    copy.exec(`${into("draft_files")} WHERE 'attached:' || id IN (
      SELECT choice.value ->> 'reference' FROM main.sessions, json_each(main.sessions.draft_attached) AS choice
      WHERE draft_attached <> '[]' AND json_valid(draft_attached))`);
    if (withCheckpoints) copyCheckpoints(copy, into);
    copy.exec(`COMMIT; DETACH live; ${triggers}`);
    const fault = await faultIn(copy, breathe);
    if (fault) throw notMade(copy, fault);
    return { ...factsOf(copy), largeFiles: largeFilesIn(copy) };
  } finally {
    copy.close();
  }
}

const olderRuns = (file: string) =>
  new StoreError(
    "locked",
    `The back-up was not made: an older Parley is using ${file}.`,
    "Quit it, then try again.",
  );

const titleRows = z.array(z.object({ title: textColumn }));

/** What of the user's own cannot be read, in words that say where it is. */
function notMade(copy: Database, { what, sessionId }: Fault): StoreError {
  const title = sessionId === null ? null : titleAbove(copy, sessionId);
  return title === null
    ? new StoreError(
        "corrupt",
        `The back-up was not made: ${what}.`,
        "The database is damaged. Copies made before updates are beside it.",
      )
    : new StoreError(
        "corrupt",
        `The back-up was not made: the conversation “${title}” cannot be read.`,
        "Delete that conversation, then try again.",
      );
}

/** Of the user's own conversation that a sub-agent's belongs to. @returns null where it cannot be read */
function titleAbove(copy: Database, sessionId: string): string | null {
  const select = copy.prepare(`
    WITH RECURSIVE above (id) AS (
      SELECT ? UNION SELECT parent_session_id FROM sessions JOIN above USING (id) WHERE parent_session_id IS NOT NULL
    )
    SELECT ${bytesOf("title")} FROM above JOIN sessions USING (id) WHERE parent_session_id IS NULL`);
  return titleRows.safeParse(select.all([sessionId])).data?.[0]?.title ?? null;
}

/** Contents that are sealed hold secrets, and their key stays here. */
function copyCheckpoints(copy: Database, into: (table: string) => string): void {
  const ofKept = "WHERE checkpoint_seq IN (SELECT seq FROM main.checkpoints)";
  const isHeld = `hash NOT LIKE 'sealed:%' AND hash IN (
    SELECT hash_before FROM main.checkpoint_files UNION SELECT hash_after FROM main.checkpoint_files)`;
  copy.exec(`${into("checkpoints")} WHERE session_id IN (SELECT id FROM main.sessions)`);
  copy.exec(`${into("checkpoint_files")} ${ofKept}`);
  copy.exec(`${into("checkpoint_limits")} ${ofKept}`);
  copy.exec(`${into("file_blobs")} WHERE ${isHeld}`);
  copy.exec(`${into("large_files")} WHERE ${isHeld}`);
}

export function factsOf(database: Database): Omit<CopiedContents, "largeFiles"> {
  const [row] = countRows.parse(
    database
      .prepare(`SELECT (SELECT count(*) FROM sessions WHERE parent_session_id IS NULL) AS conversations,
        (SELECT count(*) FROM messages) AS messages`)
      .all([]),
  );
  const [version] = versionRows.parse(database.prepare("SELECT version FROM schema_version").all([]));
  return {
    databaseVersion: version?.version ?? 0,
    conversations: row?.conversations ?? 0,
    messages: row?.messages ?? 0,
  };
}

/** Names in the folder of large files. */
function largeFilesIn(database: Database): string[] {
  const rows = z
    .array(z.object({ name: textColumn }))
    .parse(database.prepare(`SELECT ${bytesOf("name")} FROM large_files ORDER BY name`).all([]));
  return rows.map(({ name }) => name);
}

/** They would note for the search index what is only copied. @returns how they are made again */
function dropTriggers(database: Database): string {
  const rows = z
    .array(z.object({ name: z.string(), sql: z.string() }))
    .parse(database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all([]));
  for (const { name } of rows) database.exec(`DROP TRIGGER ${name}`);
  return rows.map(({ sql }) => `${sql};`).join("\n");
}

export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
