import { z } from "zod";
import type { StoredToolCall } from "../../agent/ports/ports.ts";
import type { Database, SqlValue } from "../database/database.ts";
import { asList, bytesOf, jsonColumn, listIn, textColumn, toTextColumn } from "../database/text-column.ts";

export interface ToolCalls {
  save(sessionId: string, call: StoredToolCall): void;
  load(sessionId: string, toolUseId: string): StoredToolCall | undefined;
  ids(sessionId: string): string[];
}

const callRow = z
  .object({
    tool_use_id: textColumn,
    message_id: textColumn,
    name: textColumn,
    input: jsonColumn,
    output: textColumn,
    is_error: z.number(),
    duration_ms: z.number(),
    was_truncated: z.number(),
    original_chars: z.number(),
    diff: textColumn.nullable(),
  })
  .transform(
    (row): StoredToolCall => ({
      toolUseId: row.tool_use_id,
      messageId: row.message_id,
      name: row.name,
      input: row.input,
      output: row.output,
      isError: row.is_error !== 0,
      durationMs: row.duration_ms,
      wasTruncated: row.was_truncated !== 0,
      originalChars: row.original_chars,
      ...(row.diff !== null && { diff: row.diff }),
    }),
  );

const idsIn = listIn(z.tuple([z.string()]));
/** As `callRow` reads them. */
const readColumns = `${["tool_use_id", "message_id", "name", "input", "output", "diff"].map((name) => bytesOf(name)).join(", ")},
  is_error, duration_ms, was_truncated, original_chars`;

/** The table `tool_calls`: outputs whole, whatever the model saw of them. */
export function toolCallsOf(database: Database): ToolCalls {
  const names = ["session_id", ...callColumns];
  const insert = database.prepare(`
    INSERT OR REPLACE INTO tool_calls (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`);
  const select = database.prepare(
    `SELECT ${readColumns} FROM tool_calls WHERE session_id = ? AND tool_use_id = ?`,
  );
  const selectIds = database.prepare(
    asList("tool_use_id", "SELECT tool_use_id FROM tool_calls WHERE session_id = ?"),
  );
  return {
    ids: (sessionId) => database.guard(() => idsIn(selectIds.all([sessionId])).map(([id]) => id)),
    save(sessionId, call) {
      insert.run([sessionId, ...callValues(call)]);
    },
    load: (sessionId, toolUseId) =>
      database.guard(() => z.array(callRow).parse(select.all([sessionId, toolUseId]))[0]),
  };
}

/** The columns of `tool_calls` that make a call. */
export const callColumns = [
  "tool_use_id",
  "message_id",
  "name",
  "input",
  "output",
  "is_error",
  "duration_ms",
  "was_truncated",
  "original_chars",
  "diff",
];

/** In the order of `callColumns`; nothing but null without a call. */
export function callValues(call: StoredToolCall | undefined): SqlValue[] {
  if (!call) return callColumns.map(() => null);
  return [
    call.toolUseId,
    call.messageId,
    call.name,
    JSON.stringify(call.input ?? null),
    toTextColumn(call.output),
    Number(call.isError),
    call.durationMs,
    Number(call.wasTruncated),
    call.originalChars,
    call.diff === undefined ? null : toTextColumn(call.diff),
  ];
}
