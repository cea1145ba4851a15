import type { Message } from "../../../shared/conversation/messages.ts";
import type { StoredToolCall } from "../../agent/ports/ports.ts";
import { StoreError } from "../../agent/ports/ports.ts";
import type { Database, SqlStatement, SqlValue } from "../database/database.ts";
import { unknownSession } from "../database/unknown.ts";
import { isStep } from "./is-step.ts";
import { asksOf } from "./meeting-lines.ts";
import type { Partials } from "./partials.ts";
import { callColumns, callValues, type ToolCalls } from "./tool-calls.ts";

/** What is written together with a message. */
export interface AppendedWith {
  /** The prompt that no longer waits. */
  inputId?: string | undefined;
  /** The calls whose results the message brings. */
  calls?: readonly StoredToolCall[];
}

export type AppendMessage = (sessionId: string, message: Message, extra?: AppendedWith) => void;

/**
 * Appends a message below the session's head, with its blocks and calls: all or nothing, as every step of a run does
 * twice. A statement costs about as much on its way to SQLite as in it, so what most messages have (two blocks, one
 * call) is one statement: a row for a view of this connection's own, whose trigger puts it into the tables.
 * @throws StoreError, `invalid` when there is no such session
 */
export function messageAppenderOf(
  database: Database,
  partials: Pick<Partials, "holds">,
  toolCalls: ToolCalls,
): AppendMessage {
  database.execAlways(appendedView);
  const places = columns.map(() => "?").join(", ");
  const insert = database.prepare(`INSERT INTO temp.appended (${columns.join(", ")}) VALUES (${places})`);
  const insertBlocks = blocksInserter(database);
  const ask = asksOf(database);

  return (sessionId, message, { inputId, calls = [] } = {}) => {
    const { id, content } = message;
    const [call, ...otherCalls] = calls;
    // Only replies stream.
    const dropsPartial = message.role === "assistant" && partials.holds(sessionId);
    const row = [
      sessionId,
      ...messageValues(message),
      ...blockValues(content[0]),
      ...blockValues(content[1]),
      ...callValues(call),
      inputId ?? null,
      Number(dropsPartial),
      Number(isStep(message)),
    ];
    const append = () => {
      try {
        insert.run(row);
      } catch (error) {
        throw isUnknownSession(error) ? unknownSession(database.file, sessionId) : error;
      }
    };
    const meeting = content.flatMap((block) => (block.type === "text" ? (block.meeting ?? []) : []));
    if (content.length <= blocksInRow && otherCalls.length === 0 && meeting.length === 0) return append();
    database.transaction(() => {
      append();
      ask(sessionId, id, meeting);
      insertBlocks(id, content.slice(blocksInRow));
      for (const other of otherCalls) toolCalls.save(sessionId, other);
    });
  };
}

const messageColumns = [
  "id",
  "role",
  "origin",
  "source",
  "created_at",
  "stop_reason",
  "model",
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "latency_ms",
  "thinking_ms",
  "effort",
  "covers",
];

function messageValues({ usage, ...message }: Message): SqlValue[] {
  return [
    message.id,
    message.role,
    message.origin,
    message.source,
    message.createdAt,
    message.interrupted ? "interrupted" : null,
    message.model ?? null,
    usage?.inputTokens ?? null,
    usage?.outputTokens ?? null,
    usage?.cacheReadTokens ?? null,
    usage?.cacheWriteTokens ?? null,
    message.latencyMs ?? null,
    message.thinkingMs ?? null,
    message.effort ?? null,
    message.covers ?? null,
  ];
}

type Block = Message["content"][number];
/** How many blocks a row takes. */
const blocksInRow = 2;
const blockColumns = ["type_0", "json_0", "type_1", "json_1"];
/** Kept as JSON: what comes back is what went in, to the letter. */
const blockValues = (block: Block | undefined): SqlValue[] =>
  block ? [block.type, JSON.stringify(block)] : [null, null];

const columns = [
  "session_id",
  ...messageColumns,
  ...blockColumns,
  ...callColumns.map((name) => `call_${name}`),
  "input_id",
  "drops_partial",
  "is_step",
];

const noSession = "there is no such session";
const isUnknownSession = (error: unknown) =>
  error instanceof StoreError && error.cause instanceof Error && error.cause.message.includes(noSession);

const list = (names: readonly string[], prefix = "") => names.map((name) => prefix + name).join(", ");

const appendedView = `
  CREATE TEMP VIEW appended AS SELECT ${columns.map((name) => `NULL AS ${name}`).join(", ")};
  CREATE TEMP TRIGGER append_message INSTEAD OF INSERT ON appended BEGIN
    SELECT raise(ABORT, '${noSession}') WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = new.session_id);
    INSERT OR REPLACE INTO tool_calls (session_id, ${list(callColumns)})
      SELECT new.session_id, ${list(callColumns, "new.call_")} WHERE new.call_tool_use_id IS NOT NULL;
    INSERT INTO messages (session_id, parent_id, position, ${list(messageColumns)})
      SELECT new.session_id, head.id, coalesce(head.position + 1, 0), ${list(messageColumns, "new.")}
      FROM sessions LEFT JOIN messages AS head ON head.id = sessions.head_message_id
      WHERE sessions.id = new.session_id;
    INSERT INTO blocks (message_id, seq, type, json)
      SELECT new.id, 0, new.type_0, new.json_0 WHERE new.type_0 IS NOT NULL;
    INSERT INTO blocks (message_id, seq, type, json)
      SELECT new.id, 1, new.type_1, new.json_1 WHERE new.type_1 IS NOT NULL;
    UPDATE sessions SET head_message_id = new.id WHERE id = new.session_id AND new.is_step;
    UPDATE sessions SET head_message_id = new.id, updated_at = new.created_at
      WHERE id = new.session_id AND NOT new.is_step;
    DELETE FROM inputs WHERE id = new.input_id;
    DELETE FROM partials WHERE new.drops_partial AND session_id = new.session_id AND message_id = new.id;
  END`;

/** What a row does not take. One statement for many: few numbers of them are common. */
function blocksInserter(database: Database): (messageId: string, blocks: readonly Block[]) => void {
  const statements = new Map<number, SqlStatement>();
  const insert = (messageId: string, blocks: readonly Block[], from: number) => {
    const rows = blocks.slice(from, from + mostBlocksAtOnce);
    if (rows.length === 0) return;
    const values = rows.map(() => "(?, ?, ?, ?)").join(", ");
    const statement =
      statements.get(rows.length) ??
      database.prepare(`INSERT INTO blocks (message_id, seq, type, json) VALUES ${values}`);
    statements.set(rows.length, statement);
    statement.run(
      rows.flatMap((block, place) => [messageId, blocksInRow + from + place, ...blockValues(block)]),
    );
    insert(messageId, blocks, from + mostBlocksAtOnce);
  };
  return (messageId, blocks) => insert(messageId, blocks, 0);
}

/** So many statements are kept at most. */
const mostBlocksAtOnce = 16;
