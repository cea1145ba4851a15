import type { Message } from "../../../shared/conversation/messages.ts";
import type { Database } from "../database/database.ts";
import { messageColumns, toMessages } from "./message-rows.ts";

export interface Messages {
  /** The path that ends at the session's head, oldest first. */
  load(sessionId: string): Message[];
}

/** The tables `messages` and `blocks`, read. */
export function messagesOf(database: Database): Messages {
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
    load: (sessionId) => database.guard(() => toMessages(selectPath.all([sessionId]))),
  };
}
