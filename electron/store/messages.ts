import type { Message } from "../../shared/messages.ts";
import type { Database, SqlStatement } from "./database.ts";
import { messageColumns, toMessages } from "./message-rows.ts";
import type { Partials } from "./partials.ts";
import { unknownSession } from "./unknown.ts";

export interface Messages {
  /** Several writes: to be called in a transaction. @param inputId the prompt that no longer waits */
  append(sessionId: string, message: Message, inputId?: string): void;
  /** The path that ends at the session's head, oldest first. */
  load(sessionId: string): Message[];
}

/** The tables `messages` and `blocks`. Blocks are kept as JSON: what comes back is what went in, to the letter. */
export function messagesOf(database: Database, dropPartial: Partials["dropFinished"]): Messages {
  const insert = database.prepare(`
    INSERT INTO messages (id, session_id, parent_id, position, role, origin, source, created_at, stop_reason, model,
      input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, latency_ms, covers)
    SELECT ?, sessions.id, head.id, coalesce(head.position + 1, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
    FROM sessions LEFT JOIN messages AS head ON head.id = sessions.head_message_id WHERE sessions.id = ?`);
  const insertBlocks = blocksInserter(database);
  const moveHead = database.prepare("UPDATE sessions SET head_message_id = ?, updated_at = ? WHERE id = ?");
  const moveHeadAlone = database.prepare("UPDATE sessions SET head_message_id = ? WHERE id = ?");
  const takeInput = database.prepare("DELETE FROM inputs WHERE id = ?");
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
      insertBlocks(id, content);
      // Results follow their reply at once: they are not worth another place in the list, and a write to its index.
      if (rest.origin === "tool") moveHeadAlone.run([id, sessionId]);
      else moveHead.run([id, rest.createdAt, sessionId]);
      if (inputId !== undefined) takeInput.run([inputId]);
      // Only replies stream.
      if (rest.role === "assistant") dropPartial(sessionId, id);
    },
    load: (sessionId) => database.guard(() => toMessages(selectPath.all([sessionId]))),
  };
}

/** One statement for all blocks of a message: few numbers of them are common. */
function blocksInserter(database: Database): (messageId: string, content: Message["content"]) => void {
  const statements = new Map<number, SqlStatement>();
  const insert = (messageId: string, content: Message["content"], from: number) => {
    const rows = content.slice(from, from + mostBlocksAtOnce);
    if (rows.length === 0) return;
    const values = rows.map(() => "(?, ?, ?, ?)").join(", ");
    const statement =
      statements.get(rows.length) ??
      database.prepare(`INSERT INTO blocks (message_id, seq, type, json) VALUES ${values}`);
    statements.set(rows.length, statement);
    statement.run(
      rows.flatMap((block, place) => [messageId, from + place, block.type, JSON.stringify(block)]),
    );
    insert(messageId, content, from + mostBlocksAtOnce);
  };
  return (messageId, content) => insert(messageId, content, 0);
}

/** So many statements are kept at most. */
const mostBlocksAtOnce = 16;
