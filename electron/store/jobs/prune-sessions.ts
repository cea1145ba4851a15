import { z } from "zod";
import type { PruneRules } from "../../agent/ports/session-store.ts";
import { asList, readableIn, wholeText } from "../database/text-column.ts";
import type { JobContext } from "./job.ts";
import { inShortSteps } from "./short-steps.ts";

const dayMs = 86_400_000;

/** What is damaged cannot be told by its id: it stays, and keeps nothing else from going. */
const idsIn = readableIn(z.tuple([wholeText]));
const seqRows = z.array(z.object({ seq: z.number() }));

/** What is removed at a time. */
const batch = 200;

interface Limits {
  rules: Pick<PruneRules, "sessionDays" | "maxSessions">;
  now: number;
  keep: readonly string[];
}

/** Sessions that were last used too long ago, and the least recently used of too many. @returns how many went */
export async function pruneSessions(context: JobContext, { rules, now, keep }: Limits): Promise<number> {
  const database = context.database();
  const free = `parent_session_id IS NULL AND deleted_at IS NULL AND pinned = 0
    AND id NOT IN (SELECT value FROM json_each(?))`;
  const old = database.prepare(asList("id", `SELECT id FROM sessions WHERE ${free} AND updated_at < ?`));
  const surplus = database.prepare(
    asList(
      "id",
      `SELECT id FROM sessions WHERE ${free} AND id NOT IN (
        SELECT id FROM sessions WHERE parent_session_id IS NULL AND deleted_at IS NULL
        ORDER BY pinned DESC, updated_at DESC, id DESC LIMIT ?
      )`,
    ),
  );
  // First out of the list, so that none is seen half gone; a kill -9 in between is made good by the next start.
  const mark = database.prepare(
    "UPDATE sessions SET deleted_at = ? WHERE id = ? AND pinned = 0 AND updated_at <= ?",
  );
  const kept = JSON.stringify(keep);
  const doomed = [
    ...(rules.sessionDays > 0 ? idsIn(old.all([kept, now - rules.sessionDays * dayMs])) : []),
    ...(rules.maxSessions > 0 ? idsIn(surplus.all([kept, rules.maxSessions])) : []),
  ];
  let count = 0;
  for (const id of new Set(doomed.flat())) {
    if (mark.run([now, id, now]) === 0) continue;
    await removeSession(context, id);
    count++;
  }
  return count;
}

/** For good, with all below it, from the end of its messages on. */
export async function removeSession(context: JobContext, id: string): Promise<void> {
  const database = context.database();
  const children = database
    .prepare(asList("id", "SELECT id FROM sessions WHERE parent_session_id = ?"))
    .all([id]);
  for (const [child] of idsIn(children)) await removeSession(context, child);

  const selectMessages = database.prepare(
    asList("id", `SELECT id FROM messages WHERE session_id = ? ORDER BY position DESC LIMIT ${batch}`),
  );
  const removeMessage = database.prepare("DELETE FROM messages WHERE id = ?");
  const selectEvents = database.prepare(`SELECT seq FROM events WHERE session_id = ? LIMIT ${batch}`);
  const removeEvent = database.prepare("DELETE FROM events WHERE seq = ?");
  const messages = () => idsIn(selectMessages.all([id]));
  const events = () => seqRows.parse(selectEvents.all([id]));
  for (let rows = messages(); rows.length > 0; rows = messages()) {
    await inShortSteps(context, rows, ([messageId]) => removeMessage.run([messageId]));
  }
  for (let rows = events(); rows.length > 0; rows = events()) {
    await inShortSteps(context, rows, ({ seq }) => removeEvent.run([seq]));
  }
  database.prepare("DELETE FROM sessions WHERE id = ?").run([id]);
}
