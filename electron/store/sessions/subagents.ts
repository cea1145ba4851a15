import { z } from "zod";
import type { StoredSubagent } from "../../agent/ports/session-store.ts";
import type { Database } from "../database/database.ts";
import { bytesOf, textColumn } from "../database/text-column.ts";

const row = z
  .object({
    id: textColumn,
    parent_session_id: textColumn,
    title: textColumn,
    model: textColumn,
    created_at: z.number(),
    updated_at: z.number(),
    steps: z.number(),
    has_answered: z.number().nullable(),
  })
  .transform(
    (found): StoredSubagent => ({
      id: found.id,
      parentId: found.parent_session_id,
      title: found.title,
      model: found.model,
      createdAt: found.created_at,
      updatedAt: found.updated_at,
      steps: found.steps,
      hasAnswered: found.has_answered === 1,
    }),
  );

/** The sub-agents below a session, and theirs. One has answered where its path ends with a whole reply that asks for nothing. */
export function subagentsOf(database: Database): (sessionId: string, limit: number) => StoredSubagent[] {
  const select = database.prepare(`
    WITH RECURSIVE family (id) AS (
      SELECT id FROM sessions WHERE parent_session_id = ?1
      UNION
      SELECT sessions.id FROM family JOIN sessions ON parent_session_id = family.id
    ), newest AS (
      SELECT sessions.* FROM family JOIN sessions USING (id) ORDER BY created_at DESC, id DESC LIMIT ?2
    )
    SELECT ${["newest.id", "parent_session_id", "title", "newest.model"].map((name) => bytesOf(name)).join(", ")},
      newest.created_at, updated_at,
      (SELECT count(*) FROM tool_calls WHERE session_id = newest.id) AS steps,
      (SELECT role = 'assistant' AND stop_reason IS NOT 'interrupted' AND NOT EXISTS (
        SELECT 1 FROM blocks WHERE message_id = messages.id AND type = 'tool_use'
      ) FROM messages WHERE id = head_message_id) AS has_answered
    FROM newest ORDER BY newest.created_at, newest.id`);
  return (sessionId, limit) => database.guard(() => z.array(row).parse(select.all([sessionId, limit])));
}
