import { z } from "zod";
import type { StoredConversation } from "../../agent/ports/ports.ts";
import type { Database } from "../database/database.ts";
import { asList, bytesOf, listIn, textColumn } from "../database/text-column.ts";
import { unknownMessage, unknownSession } from "../database/unknown.ts";

const headRows = z.array(z.object({ head: textColumn.nullable() }));
/** Ids of a message and its session. */
const pathIn = listIn(z.tuple([z.string(), z.string()]));

/**
 * Copies a path into a new session: a few statements for all its rows, whatever its length.
 * @param save makes the new session's row
 */
export function sessionCopierOf(database: Database, save: (session: StoredConversation) => void) {
  const selectHead = database.prepare(
    `SELECT ${bytesOf("head_message_id", "head")} FROM sessions WHERE id = ?`,
  );
  const selectPath = database.prepare(`
    WITH RECURSIVE path (id) AS (
      SELECT ?
      UNION ALL
      SELECT parent_id FROM messages JOIN path USING (id) WHERE parent_id IS NOT NULL
    )
    ${asList("id, session_id", "SELECT id, session_id FROM path JOIN messages USING (id) ORDER BY position")}`);
  const copies = "WITH copies (old, new) AS MATERIALIZED (SELECT value ->> 0, value ->> 1 FROM json_each(?))";
  const copyMessages = database.prepare(`
    ${copies}
    INSERT INTO messages (id, session_id, parent_id, position, role, origin, source, created_at, stop_reason, model,
      input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, latency_ms, thinking_ms, effort, covers)
    SELECT copies.new, ?, parents.new, position, role, origin, source, created_at, stop_reason, model, input_tokens,
      output_tokens, cache_read_tokens, cache_write_tokens, latency_ms, thinking_ms, effort, coalesce(covered.new, covers)
    FROM copies JOIN messages ON messages.id = copies.old
      LEFT JOIN copies AS parents ON parents.old = parent_id
      LEFT JOIN copies AS covered ON covered.old = covers
    ORDER BY position`);
  const copyBlocks = database.prepare(`
    ${copies}
    INSERT INTO blocks (message_id, seq, type, json)
    SELECT copies.new, seq, type, json FROM copies JOIN blocks ON message_id = copies.old`);
  const copyCalls = database.prepare(`
    ${copies}
    INSERT INTO tool_calls (session_id, tool_use_id, message_id, name, input, output, is_error, duration_ms,
      was_truncated, original_chars, diff)
    SELECT ?, tool_use_id, copies.new, name, input, output, is_error, duration_ms, was_truncated, original_chars, diff
    FROM copies JOIN tool_calls ON message_id = copies.old`);
  const copyLines = database.prepare(`
    INSERT INTO meeting_lines (id, session_id, who, text, started_at, ended_at)
    SELECT id, ?1, who, text, started_at, ended_at FROM meeting_lines
    WHERE session_id = ?2 AND (?3 IS NULL OR started_at <= (SELECT created_at FROM messages WHERE id = ?3))
    ORDER BY seq`);
  const copyAsks = database.prepare(`
    WITH copies (old, new) AS MATERIALIZED (SELECT value ->> 0, value ->> 1 FROM json_each(?1))
    INSERT INTO meeting_asks (line_seq, asked_with)
    SELECT lines.seq, copies.new
    FROM copies JOIN meeting_asks ON asked_with = copies.old
      JOIN meeting_lines AS originals ON originals.seq = line_seq
      JOIN meeting_lines AS lines ON lines.session_id = ?2 AND lines.id = originals.id`);
  const moveHead = database.prepare("UPDATE sessions SET head_message_id = ? WHERE id = ?");

  return (
    sessionId: string,
    messageId: string | null,
    into: StoredConversation,
    newId: () => string,
  ): void => {
    database.transaction(() => {
      const [session] = database.guard(() => headRows.parse(selectHead.all([sessionId])));
      if (!session) throw unknownSession(database.file, sessionId);
      const path = database.guard(() => pathIn(selectPath.all([messageId ?? session.head])));
      if (messageId !== null && path.at(-1)?.[1] !== sessionId) {
        throw unknownMessage(sessionId, messageId);
      }
      save(into);
      const pairs = path.map(([id]) => [id, newId()]);
      const mapping = JSON.stringify(pairs);
      copyMessages.run([mapping, into.id]);
      copyBlocks.run([mapping]);
      copyCalls.run([mapping, into.id]);
      copyLines.run([into.id, sessionId, messageId]);
      copyAsks.run([mapping, into.id]);
      moveHead.run([pairs.at(-1)?.[1] ?? null, into.id]);
    });
  };
}
