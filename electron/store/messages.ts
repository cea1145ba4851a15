import type { Message } from "../../shared/messages.ts";
import type { Database } from "./database.ts";
import { messageColumns, toMessages } from "./message-rows.ts";
import { unknownSession } from "./unknown.ts";

export interface Messages {
  /** Several writes: to be called in a transaction. @param inputId the prompt that no longer waits */
  append(sessionId: string, message: Message, inputId?: string): void;
  /** The path that ends at the session's head, oldest first. */
  load(sessionId: string): Message[];
}

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
  const takeInput = database.prepare("DELETE FROM inputs WHERE id = ?");
  const dropPartial = database.prepare("DELETE FROM partials WHERE session_id = ? AND message_id = ?");
  const selectPath = database.prepare(`
    WITH RECURSIVE path (id) AS (
      SELECT head_message_id FROM sessions WHERE id = ?
      UNION ALL
      SELECT parent_id FROM messages JOIN path USING (id) WHERE parent_id IS NOT NULL
    )
    SELECT ${messageColumns}
    FROM path JOIN messages USING (id) LEFT JOIN blocks ON blocks.message_id = messages.id
    ORDER BY position, seq`);

  return {
    append(sessionId, { id, content, ...rest }, inputId) {
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
      if (inputId !== undefined) takeInput.run([inputId]);
      // Only replies stream.
      if (rest.role === "assistant") dropPartial.run([sessionId, id]);
    },
    load: (sessionId) => database.guard(() => toMessages(selectPath.all([sessionId]))),
  };
}
