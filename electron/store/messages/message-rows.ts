import { z } from "zod";
import { contentBlock, type Message, message } from "../../../shared/conversation/messages.ts";

/** The columns of `messages` that make a message, and one block. */
export const messageColumns = `messages.id, role, origin, source, created_at, stop_reason, model, input_tokens,
  output_tokens, cache_read_tokens, cache_write_tokens, latency_ms, thinking_ms, covers, json`;

const messageRow = z.object({
  id: z.string(),
  role: z.string(),
  origin: z.string().nullable(),
  source: z.string().nullable(),
  created_at: z.number(),
  stop_reason: z.string().nullable(),
  model: z.string().nullable(),
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  cache_read_tokens: z.number().nullable(),
  cache_write_tokens: z.number().nullable(),
  latency_ms: z.number().nullable(),
  thinking_ms: z.number().nullable(),
  covers: z.string().nullable(),
});
/** A message without content has one row without a block. */
const blockRow = messageRow.extend({ json: z.string().nullable() });

/** @param rows one for every block, the blocks of a message side by side and in their order */
export function toMessages(rows: readonly unknown[]): Message[] {
  const loaded: Message[] = [];
  for (const found of rows) {
    const { json, ...row } = blockRow.parse(found);
    let current = loaded.at(-1);
    if (current?.id !== row.id) {
      current = toMessage(row);
      loaded.push(current);
    }
    if (json !== null) current.content.push(contentBlock.parse(JSON.parse(json)));
  }
  return loaded;
}

/** Parsed against the contract: a file that somebody changed by hand must not bring a message in that no code expects. */
function toMessage(row: z.infer<typeof messageRow>): Message {
  return message.parse({
    id: row.id,
    role: row.role,
    origin: row.origin,
    source: row.source,
    content: [],
    createdAt: row.created_at,
    ...(row.model !== null && { model: row.model }),
    ...(row.stop_reason === "interrupted" && { interrupted: true }),
    ...(row.input_tokens !== null && {
      usage: {
        inputTokens: row.input_tokens,
        outputTokens: row.output_tokens,
        cacheReadTokens: row.cache_read_tokens,
        cacheWriteTokens: row.cache_write_tokens,
      },
    }),
    ...(row.latency_ms !== null && { latencyMs: row.latency_ms }),
    ...(row.thinking_ms !== null && { thinkingMs: row.thinking_ms }),
    ...(row.covers !== null && { covers: row.covers }),
  });
}
