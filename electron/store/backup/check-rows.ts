import { z } from "zod";
import { attachmentChoice } from "../../../shared/conversation/attachments.ts";
import type { Database } from "../database/database.ts";
import { asList, bytesOf, listIn, textColumn } from "../database/text-column.ts";
import { inputsOf } from "../messages/inputs.ts";
import { meetingLinesOf } from "../messages/meeting-lines.ts";
import { messageColumns, toMessages } from "../messages/message-rows.ts";
import { toolCallsOf } from "../messages/tool-calls.ts";
import { draftFileRows } from "../sessions/draft-files.ts";
import { sessionRecordsOf } from "../sessions/session-records.ts";
import { checkpointTableNames } from "./kept-tables.ts";

const idRows = z.array(z.object({ id: textColumn }));
const endRows = z.array(z.object({ end: z.number().nullable() }));
const foundRows = z.array(z.unknown());
const columnRows = z.array(z.object({ name: textColumn, type: textColumn }));
const textsIn = listIn(z.unknown());
const json = <T>(shape: z.ZodType<T>) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(shape);
/** Stricter than a list of conversations, which shows one with a damaged title all the same. */
const ownTextsIn = listIn(
  z.tuple([json(z.string()), json(z.array(attachmentChoice))]).rest(z.string().nullable()),
);

/** Messages that stand at so many places are read at once. */
const placesAtOnce = 50;

/** What could not be read, and in which conversation, if it is part of one. */
interface UnreadableRow {
  sessionId: string | null;
}

/**
 * Reads what a back-up has as Parley reads it later: a row that is none of Parley's would make a conversation, or the whole
 * list of them, one that cannot be opened.
 * @param breathe between two conversations
 * @returns null: all of it can be read
 */
export async function unreadableRow(
  database: Database,
  breathe: () => Promise<void>,
): Promise<UnreadableRow | null> {
  const canBeRead = (read: () => unknown): boolean => {
    try {
      database.guard(read);
      return true;
    } catch {
      return false;
    }
  };
  const ids: string[] = [];
  const selectIds = database.prepare(`SELECT ${bytesOf("id")} FROM sessions`);
  if (!canBeRead(() => ids.push(...idRows.parse(selectIds.all([])).map(({ id }) => id)))) {
    return { sessionId: null };
  }
  const read = sessionReaderOf(database);
  for (const sessionId of ids) {
    if (!canBeRead(() => read(sessionId))) return { sessionId };
    await breathe();
  }
  const draftFiles = database.prepare(`SELECT ${bytesOf("json")} FROM draft_files`);
  const others = [
    () => draftFileRows.parse(draftFiles.all([])),
    ...checkpointTableNames.map((table) => () => textsOf(database, table)),
  ];
  return others.every(canBeRead) ? null : { sessionId: null };
}

/**
 * What is looked into by SQL, too, which takes less for JSON than JavaScript does: the list of conversations counts prompts
 * that wait, and a text's kind is a column.
 */
const oddJson = `
  SELECT 1 FROM inputs WHERE session_id = ?1 AND NOT json_valid(json)
  UNION ALL SELECT 1 FROM messages JOIN blocks ON message_id = messages.id
    WHERE session_id = ?1 AND type = 'text' AND json NOT LIKE '{"type":"text"%'
      AND CASE WHEN json_valid(json) THEN json ->> 'type' IS NOT 'text' ELSE 1 END
  LIMIT 1`;

/** Reads all of a conversation. @throws StoreError, ZodError, SyntaxError */
function sessionReaderOf(database: Database): (id: string) => void {
  const { loadSession } = sessionRecordsOf(database);
  const calls = toolCallsOf(database);
  const inputs = inputsOf(database);
  const { meetingLines } = meetingLinesOf(database);
  const selectEnd = database.prepare("SELECT max(position) AS end FROM messages WHERE session_id = ?");
  const selectMessages = database.prepare(`
    SELECT ${messageColumns} FROM messages LEFT JOIN blocks ON blocks.message_id = messages.id
    WHERE session_id = ? AND position >= ? AND position < ? ORDER BY position, messages.id, seq`);
  const selectOdd = database.prepare(oddJson);
  const texts = columnsWithTypes(database, "sessions").flatMap(({ name, type }) =>
    type === "TEXT" ? [name] : [],
  );
  const others = texts.filter((name) => name !== "draft" && name !== "draft_attached");
  const selectOwn = database.prepare(
    asList(["draft", "draft_attached", ...others].join(", "), "SELECT * FROM sessions WHERE id = ?"),
  );
  return (id) => {
    loadSession(id);
    ownTextsIn(selectOwn.all([id]));
    if (foundRows.parse(selectOdd.all([id])).length > 0) throw new SyntaxError("Not as SQL reads it.");
    const end = endRows.parse(selectEnd.all([id]))[0]?.end ?? -1;
    for (let place = 0; place <= end; place += placesAtOnce) {
      toMessages(selectMessages.all([id, place, place + placesAtOnce]));
    }
    for (const call of calls.ids(id)) calls.load(id, call);
    inputs.load(id);
    meetingLines(id, { limit: Number.MAX_SAFE_INTEGER });
  };
}

/** The latest time that there is, in milliseconds since the epoch; no other number comes near it. */
const largestNumber = 8.64e15;

/** What may be kept as bytes, since it may have a NUL. */
const kindsOf: ReadonlyMap<string, string> = new Map([
  ["tool_calls.output", "'text', 'blob'"],
  ["tool_calls.diff", "'text', 'blob', 'null'"],
  ["meeting_lines.text", "'text', 'blob'"],
]);

/** Whether a table has numbers where texts belong, or the other way round, or numbers that are none. */
export function hasWrongKinds(database: Database, table: string): boolean {
  const wrong = columnsWithTypes(database, table).flatMap(({ name, type }) => {
    if (type === "INTEGER") {
      return [`typeof(${name}) NOT IN ('integer', 'real', 'null')`, `abs(${name}) > ${largestNumber}`];
    }
    const kinds = kindsOf.get(`${table}.${name}`) ?? "'text', 'null'";
    return type === "TEXT" ? [`typeof(${name}) NOT IN (${kinds})`] : [];
  });
  const select = database.prepare(`SELECT 1 FROM ${table} WHERE ${wrong.join(" OR ")} LIMIT 1`);
  return foundRows.parse(select.all([])).length > 0;
}

/** @throws ZodError where one of them is no text */
function textsOf(database: Database, table: string): void {
  const texts = columnsWithTypes(database, table).filter(({ type }) => type === "TEXT");
  const select = database.prepare(
    `SELECT CAST(json_group_array(json_array(${texts.map(({ name }) => name).join(", ")})) AS BLOB) AS list
     FROM ${table}`,
  );
  textsIn(select.all([]));
}

function columnsWithTypes(database: Database, table: string) {
  const select = database.prepare(`SELECT ${bytesOf("name")}, ${bytesOf("type")} FROM pragma_table_info(?)`);
  return columnRows.parse(select.all([table]));
}
