import { z } from "zod";
import { type Message, message } from "../../../shared/conversation/messages.ts";
import type { Database } from "../database/database.ts";
import { asList, bytesOf, jsonColumn, readableIn, wholeText } from "../database/text-column.ts";

export interface Partials {
  save(sessionId: string, message: Message): void;
  load(sessionId: string): Message | undefined;
  drop(sessionId: string): void;
  /** Whether a part of a reply may be kept: of most there never was one. */
  holds(sessionId: string): boolean;
}

const partialRows = z.array(z.object({ json: jsonColumn.pipe(message) }));
const sessionsIn = readableIn(z.tuple([wholeText]));

/** The table `partials`: of each session the reply that is being streamed. It is no part of the tree. */
export function partialsOf(database: Database): Partials {
  const upsert = database.prepare(`
    INSERT INTO partials (session_id, message_id, json) VALUES (?, ?, ?)
    ON CONFLICT (session_id) DO UPDATE SET message_id = excluded.message_id, json = excluded.json`);
  const select = database.prepare(`SELECT ${bytesOf("json")} FROM partials WHERE session_id = ?`);
  const remove = database.prepare("DELETE FROM partials WHERE session_id = ?");
  const all = database.prepare(asList("session_id", "SELECT session_id FROM partials")).all([]);
  const held = new Set(database.guard(() => sessionsIn(all)).map(([id]) => id));
  return {
    save(sessionId, partial) {
      held.add(sessionId);
      upsert.run([sessionId, partial.id, JSON.stringify(partial)]);
    },
    load: (sessionId) => database.guard(() => partialRows.parse(select.all([sessionId]))[0]?.json),
    drop(sessionId) {
      remove.run([sessionId]);
      held.delete(sessionId);
    },
    // What takes its place does not strike it off the list: that write may fail.
    holds: (sessionId) => held.has(sessionId),
  };
}
