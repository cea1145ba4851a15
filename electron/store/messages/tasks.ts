import { z } from "zod";
import { type Task, tasksOfInput, taskTool } from "../../../shared/conversation/tasks.ts";
import type { Database } from "../database/database.ts";
import { bytesOf, jsonColumn } from "../database/text-column.ts";

const inputRows = z.array(z.object({ input: jsonColumn }));

/**
 * The list of the newest `update_tasks` on the path that worked. It is looked for from the head backwards, and not at all
 * in a session that has no such call. Of several in one reply the last counts.
 */
export function tasksOf(database: Database): (sessionId: string) => readonly Task[] {
  const isList = `name = '${taskTool}' AND is_error = 0`;
  const select = database.prepare(`
    WITH RECURSIVE path (id) AS (
      SELECT head_message_id FROM sessions
      WHERE id = ?1 AND EXISTS (SELECT 1 FROM tool_calls WHERE session_id = ?1 AND ${isList})
      UNION ALL
      SELECT parent_id FROM messages JOIN path USING (id) WHERE parent_id IS NOT NULL
    )
    SELECT ${bytesOf("input")} FROM (
      SELECT (
        SELECT input FROM tool_calls WHERE message_id = path.id AND ${isList} ORDER BY tool_calls.rowid DESC LIMIT 1
      ) AS input FROM path
    ) WHERE input IS NOT NULL LIMIT 1`);
  return (sessionId) =>
    database.guard(() => {
      const [row] = inputRows.parse(select.all([sessionId]));
      return row ? (tasksOfInput(row.input) ?? []) : [];
    });
}
