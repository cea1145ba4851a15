import { z } from "zod";
import { StoreError } from "../../agent/ports/ports.ts";
import type { Database } from "../database/database.ts";
import { asList, listIn } from "../database/text-column.ts";
import { quoted } from "./copy-contents.ts";
import { columnsOf } from "./kept-tables.ts";
import { mergeCheckpoints } from "./merge-checkpoints.ts";
import { mergeSessions, type SessionRow } from "./merge-session.ts";
import { sentInputs } from "./sent-inputs.ts";

/** What a restore came to. */
export interface Merged {
  /** Conversations that were not here, without sub-agents'. */
  added: number;
  /** Those that were here, and have more now. */
  extended: number;
  messages: number;
}

const countRows = z.array(z.object({ count: z.number() }));

/**
 * Takes over what a back-up has and the profile has not, by ids. What is here stays: where a conversation went on in both,
 * both ways stand in its tree. All of it or nothing.
 * @param contents the back-up's database, checked and with tables of the same version
 * @throws StoreError
 */
export function mergeContents(database: Database, contents: string): Merged {
  database.exec(`ATTACH ${quoted(contents)} AS theirs`);
  try {
    return database.transaction(() => {
      // A sub-agent's conversation may stand before the one that started it.
      database.exec("PRAGMA defer_foreign_keys = ON");
      refuseStrangers(database);
      const sent = JSON.stringify(sentInputs(database));
      const count = (sql: string) => countRows.parse(database.prepare(sql).all([]))[0]?.count ?? 0;
      const isNew = "id NOT IN (SELECT id FROM main.sessions)";
      const isRoot = "parent_session_id IS NULL";
      const added = count(`SELECT count(*) AS count FROM theirs.sessions WHERE ${isRoot} AND ${isNew}`);
      const newMessages = "FROM theirs.messages AS t WHERE t.id NOT IN (SELECT id FROM main.messages)";
      const messages = count(`SELECT count(*) AS count ${newMessages}`);
      const extended = count(`SELECT count(DISTINCT session_id) AS count ${newMessages}
        AND session_id IN (SELECT id FROM main.sessions WHERE ${isRoot})`);
      database.exec(`CREATE TEMP TABLE known_sessions AS
        SELECT id FROM main.sessions WHERE id IN (SELECT id FROM theirs.sessions)`);
      const copy = (table: string, where: string) => {
        const columns = columnsOf(database, table);
        database.exec(`INSERT INTO main.${table} (${columns.join(", ")})
          SELECT ${columns.map((name) => `t.${name}`).join(", ")} FROM theirs.${table} AS t WHERE ${where}`);
      };
      copy("sessions", "t.id NOT IN (SELECT id FROM main.sessions)");
      copy("blocks", "t.message_id NOT IN (SELECT id FROM main.messages)");
      copy("messages", "t.id NOT IN (SELECT id FROM main.messages)");
      mergeCalls(database);
      mergeKnown(database);
      mergeMeetings(database);
      copyInputs(database);
      database.prepare("DELETE FROM main.inputs WHERE id IN (SELECT value FROM json_each(?))").run([sent]);
      copy("draft_files", "t.id NOT IN (SELECT id FROM main.draft_files)");
      database.exec(dropAsks);
      mergeCheckpoints(database);
      database.exec("DROP TABLE temp.known_sessions");
      return { added, extended, messages };
    });
  } finally {
    database.exec("DETACH theirs");
  }
}

/** In the order of their ids: that is the order in which they were made. */
function copyInputs(database: Database): void {
  const columns = columnsOf(database, "inputs", ["place"]).join(", ");
  database.exec(
    `INSERT OR IGNORE INTO main.inputs (${columns}) SELECT ${columns} FROM theirs.inputs ORDER BY id`,
  );
}

/** One id for two messages: no Parley makes that. */
function refuseStrangers(database: Database): void {
  const found = database
    .prepare(`SELECT 1 FROM theirs.messages AS t JOIN main.messages AS m USING (id)
      WHERE t.session_id <> m.session_id OR t.parent_id IS NOT m.parent_id OR t.role <> m.role LIMIT 1`)
    .all([]);
  if (found.length === 0) return;
  throw new StoreError(
    "invalid",
    "The back-up doesn't match what is here: one message is in two places.",
    "Restore it into a new user-data folder. Nothing was changed here.",
  );
}

/** Some models number their calls anew each time: of two with one id the same one counts on both sides. */
function mergeCalls(database: Database): void {
  const columns = columnsOf(database, "tool_calls");
  const order = "message_id, name, input, CAST(output AS BLOB)";
  const theirs = order.replaceAll(/\b(message_id|name|input|output)\b/g, "excluded.$1");
  const ours = order.replaceAll(/\b(message_id|name|input|output)\b/g, "tool_calls.$1");
  database.exec(`INSERT INTO main.tool_calls (${columns.join(", ")})
    SELECT ${columns.join(", ")} FROM theirs.tool_calls WHERE true
    ON CONFLICT (session_id, tool_use_id) DO UPDATE SET
      ${columns.map((name) => `${name} = excluded.${name}`).join(", ")} WHERE (${theirs}) > (${ours})`);
}

const sessionColumns = {
  title: "title",
  hasOwnTitle: "has_own_title",
  model: "model",
  workingFolder: "working_folder",
  createdAt: "created_at",
  updatedAt: "updated_at",
  head: "head_message_id",
  pinned: "pinned",
  folder: "folder",
  archivedAt: "archived_at",
  chosenModel: "chosen_model",
  chosenEffort: "chosen_effort",
  draft: "draft",
  draftAttached: "draft_attached",
} as const satisfies Record<keyof SessionRow, string>;

const text = z.string();
const sessionRow = z.object({
  id: text,
  title: text,
  hasOwnTitle: z.number(),
  model: text,
  workingFolder: text,
  createdAt: z.number(),
  updatedAt: z.number(),
  head: text.nullable(),
  pinned: z.number(),
  folder: text.nullable(),
  archivedAt: z.number().nullable(),
  chosenModel: text.nullable(),
  chosenEffort: text.nullable(),
  draft: text,
  draftAttached: text,
});

const rowsIn = listIn(z.tuple([sessionRow]));
const sessionIds = listIn(z.tuple([text]));

/**
 * Conversations that are in both. One that was deleted here is there again; a level was chosen for the folder of then. A reply
 * that was cut off here belongs where its conversation stood, and one whose place is gone stands where it does in the back-up.
 */
function mergeKnown(database: Database): void {
  const names = Object.keys(sessionColumns) as (keyof SessionRow)[];
  const values = ["id", ...names].map((name) => `'${name}', ${name}`).join(", ");
  const columns = names.map((name) => `${sessionColumns[name]} AS ${name}`).join(", ");
  const rowsOf = (schema: string) => {
    const from = `SELECT id, ${columns} FROM ${schema}.sessions WHERE id IN (SELECT id FROM temp.known_sessions)`;
    return rowsIn(database.prepare(asList(`json_object(${values})`, from)).all([])).map(([row]) => row);
  };
  const [theirs, ours] = [rowsOf("theirs"), rowsOf("main")];
  const idsIn = (sql: string) => new Set(sessionIds(database.prepare(asList("id", sql)).all([])).flat());
  const cutOff = idsIn("SELECT session_id AS id FROM main.partials");
  const homeless = idsIn(`SELECT id FROM main.sessions WHERE head_message_id IS NOT NULL
    AND head_message_id NOT IN (SELECT id FROM main.messages)`);
  const known = new Map(ours.map((row) => [row.id, row]));
  const update = database.prepare(`UPDATE main.sessions SET deleted_at = NULL,
    permission_mode = CASE WHEN working_folder = ? THEN permission_mode END,
    ${names.map((name) => `${sessionColumns[name]} = ?`).join(", ")} WHERE id = ?`);
  for (const { id, ...row } of theirs) {
    const here = known.get(id);
    if (!here) continue;
    const merged = mergeSessions(row, here);
    if (cutOff.has(id)) merged.head = here.head;
    if (homeless.has(id)) merged.head = row.head;
    update.run([merged.workingFolder, ...names.map((name) => merged[name]), id]);
  }
}

function mergeMeetings(database: Database): void {
  const columns = columnsOf(database, "meeting_lines", ["seq"]).join(", ");
  database.exec(`
    INSERT INTO main.meeting_lines (${columns}) SELECT ${columns} FROM theirs.meeting_lines WHERE true ORDER BY seq
      ON CONFLICT (session_id, id) DO NOTHING;
    INSERT OR IGNORE INTO main.meeting_asks (line_seq, asked_with)
      SELECT ours.seq, asked_with FROM theirs.meeting_asks
        JOIN theirs.meeting_lines AS line ON line.seq = line_seq
        JOIN main.meeting_lines AS ours ON ours.session_id = line.session_id AND ours.id = line.id`);
}

/** Of prompts that were dropped. */
const dropAsks = `
  DELETE FROM main.meeting_asks WHERE asked_with NOT IN (SELECT id FROM main.messages)
    AND asked_with NOT IN (SELECT id FROM main.inputs)`;
