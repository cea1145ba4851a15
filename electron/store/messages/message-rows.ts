import { z } from "zod";
import { contentBlock, type Message, message } from "../../../shared/conversation/messages.ts";
import { bytesOf, jsonColumn } from "../database/text-column.ts";

/**
 * The columns of `messages` that make a message, and one block. Most are one value, since libsql hands values over one by
 * one; times are their own, since SQLite writes no more than 15 digits into JSON.
 */
export const messageColumns = `CAST(json_array(messages.id, role, origin, source, stop_reason, model, input_tokens,
    output_tokens, cache_read_tokens, cache_write_tokens, effort, covers) AS BLOB) AS facts,
  created_at, latency_ms, thinking_ms, ${bytesOf("json")}`;

const text = z.string();
const number = z.number();
const factValues = z.tuple([
  text,
  text,
  text.nullable(),
  text.nullable(),
  text.nullable(),
  text.nullable(),
  number.nullable(),
  number.nullable(),
  number.nullable(),
  number.nullable(),
  text.nullable(),
  text.nullable(),
]);
const messageRow = z.object({
  facts: jsonColumn.pipe(factValues),
  created_at: number,
  latency_ms: number.nullable(),
  thinking_ms: number.nullable(),
});
/** A message without content has one row without a block. */
const blockRow = messageRow.extend({ json: jsonColumn.pipe(contentBlock).nullable() });

/** @param rows one for every block, the blocks of a message side by side and in their order */
export function toMessages(rows: readonly unknown[]): Message[] {
  const loaded: Message[] = [];
  for (const found of rows) {
    const { json, ...row } = blockRow.parse(found);
    let current = loaded.at(-1);
    if (current?.id !== row.facts[0]) {
      current = toMessage(row);
      loaded.push(current);
    }
    if (json !== null) current.content.push(json);
  }
  return loaded;
}

/** Parsed against the contract: a file that somebody changed by hand must not bring a message in that no code expects. */
function toMessage({ facts, ...row }: z.infer<typeof messageRow>): Message {
  const [id, role, origin, source, stopReason, model, inputTokens, outputTokens, ...rest] = facts;
  const [cacheReadTokens, cacheWriteTokens, effort, covers] = rest;
  return message.parse({
    id,
    role,
    origin,
    source,
    content: [],
    createdAt: row.created_at,
    ...(model !== null && { model }),
    ...(stopReason === "interrupted" && { interrupted: true }),
    ...(inputTokens !== null && {
      usage: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens },
    }),
    ...(row.latency_ms !== null && { latencyMs: row.latency_ms }),
    ...(row.thinking_ms !== null && { thinkingMs: row.thinking_ms }),
    ...(effort !== null && { effort }),
    ...(covers !== null && { covers }),
  });
}
