import { z } from "zod";
import { contentBlock, type Message, message } from "../../shared/messages.ts";
import { StoreError } from "../agent/ports.ts";
import type { Database } from "./database.ts";

export interface Messages {
  /** Several writes: to be called in a transaction. */
  append(sessionId: string, message: Message): void;
  /** The path that ends at the session's head, oldest first. */
  load(sessionId: string): Message[];
}

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
  covers: z.string().nullable(),
});
/** A message without content has one row without a block. */
const pathRow = messageRow.extend({ json: z.string().nullable() });

/** The tables `messages` and `blocks`. Blocks are kept as JSON: what comes back is what went in, to the letter. */
export function messagesOf(database: Database): Messages {
  const insert = database.prepare(`
    INSERT INTO messages (id, session_id, parent_id, position, role, origin, source, created_at, stop_reason, model,
      input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, latency_ms, covers)
    SELECT ?, sessions.id, head.id, coalesce(head.position + 1, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
    FROM sessions LEFT JOIN messages AS head ON head.id = sessions.head_message_id WHERE sessions.id = ?`);
  const insertBlock = database.prepare(
    "INSERT INTO blocks (message_id, seq, type, json) VALUES (?, ?, ?, ?)",
  );
  const moveHead = database.prepare("UPDATE sessions SET head_message_id = ?, updated_at = ? WHERE id = ?");
  const selectPath = database.prepare(`
    WITH RECURSIVE path (id) AS (
      SELECT head_message_id FROM sessions WHERE id = ?
      UNION ALL
      SELECT parent_id FROM messages JOIN path USING (id) WHERE parent_id IS NOT NULL
    )
    SELECT messages.id, role, origin, source, created_at, stop_reason, model, input_tokens, output_tokens,
      cache_read_tokens, cache_write_tokens, latency_ms, covers, json
    FROM path JOIN messages USING (id) LEFT JOIN blocks ON blocks.message_id = messages.id
    ORDER BY position, seq`);

  function append(sessionId: string, { id, content, ...rest }: Message): void {
    const { usage } = rest;
    const inserted = insert.run([
      id,
      rest.role,
      rest.origin,
      rest.source,
      rest.createdAt,
      rest.interrupted ? "interrupted" : null,
      rest.model ?? null,
      usage?.inputTokens ?? null,
      usage?.outputTokens ?? null,
      usage?.cacheReadTokens ?? null,
      usage?.cacheWriteTokens ?? null,
      rest.latencyMs ?? null,
      rest.covers ?? null,
      sessionId,
    ]);
    if (inserted === 0) throw unknownSession(database.file, sessionId);
    for (const [seq, block] of content.entries()) {
      insertBlock.run([id, seq, block.type, JSON.stringify(block)]);
    }
    moveHead.run([id, rest.createdAt, sessionId]);
  }

  function load(sessionId: string): Message[] {
    const loaded: Message[] = [];
    for (const found of selectPath.all([sessionId])) {
      const { json, ...row } = pathRow.parse(found);
      let current = loaded.at(-1);
      if (current?.id !== row.id) {
        current = toMessage(row);
        loaded.push(current);
      }
      if (json !== null) current.content.push(contentBlock.parse(JSON.parse(json)));
    }
    return loaded;
  }

  return { append, load: (sessionId) => database.guard(() => load(sessionId)) };
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
    ...(row.covers !== null && { covers: row.covers }),
  });
}

function unknownSession(file: string, sessionId: string): StoreError {
  return new StoreError(
    "invalid",
    `There is no conversation ${sessionId} in ${file}.`,
    "It may have been deleted: start a new conversation.",
  );
}
