import { z } from "zod";
import type { SessionStore } from "../../agent/ports/session-store.ts";
import type { Database } from "../database/database.ts";
import type { Events } from "./events.ts";

const counts = z.array(z.object({ count: z.number().nullable() }));

/** The other side of a meeting counts as overheard, too. In JSON no text can look like the key. */
const countOverheard = `
  SELECT count(*) AS count FROM messages
  WHERE session_id = ? AND role = 'user' AND (source = 'loopback' OR EXISTS (
    SELECT 1 FROM blocks WHERE message_id = messages.id AND type = 'text' AND json LIKE '%"meeting":[%"who":"them"%'
  ))`;

/** How many messages bring what was heard from the computer's sound, and how many of them the user vouched for. */
export function overheardOf(
  database: Database,
  events: Pick<Events, "flush">,
): Pick<SessionStore, "overheardMessages" | "isOverheard"> {
  const select = database.prepare(countOverheard);
  const selectLifted = database.prepare(`
    SELECT max(json ->> 'messages') AS count FROM events WHERE session_id = ? AND type = 'overheard.lifted'`);
  const overheardMessages = (conversationId: string) =>
    database.guard(() => counts.parse(select.all([conversationId]))[0]?.count ?? 0);
  return {
    overheardMessages,
    isOverheard(conversationId) {
      const all = overheardMessages(conversationId);
      if (all === 0) return false;
      events.flush();
      const lifted = database.guard(() => counts.parse(selectLifted.all([conversationId]))[0]?.count ?? 0);
      return all > lifted;
    },
  };
}
