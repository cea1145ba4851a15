import { z } from "zod";
import type { JobContext } from "./job.ts";
import { inShortSteps } from "./short-steps.ts";

const dayMs = 86_400_000;
const batch = 500;

const eventRows = z.array(z.object({ seq: z.number(), at: z.number(), goes: z.number() }));

interface Limits {
  rules: { eventDays: number };
  now: number;
  keep: readonly string[];
}

/**
 * The log of what happened too long ago, but for pinned and open sessions. The last event of each session stays: its
 * ids go on from there; and so does what the user vouched for. @returns how many went
 */
export async function pruneEvents(context: JobContext, { rules, now, keep }: Limits): Promise<number> {
  if (rules.eventDays === 0) return 0;
  const before = now - rules.eventDays * dayMs;
  const database = context.database();
  const select = database.prepare(`
    SELECT seq, at, session_id NOT IN (SELECT id FROM sessions WHERE pinned = 1)
      AND session_id NOT IN (SELECT value FROM json_each(?))
      AND event_id < (SELECT max(event_id) FROM events AS later WHERE later.session_id = events.session_id)
      AND type <> 'overheard.lifted' AS goes
    FROM events WHERE seq > ? ORDER BY seq LIMIT ${batch}`);
  const remove = database.prepare("DELETE FROM events WHERE seq = ?");
  const kept = JSON.stringify(keep);
  let count = 0;
  for (let last = 0; ; ) {
    const rows = eventRows.parse(select.all([kept, last]));
    const doomed = rows.filter(({ at, goes }) => at < before && goes === 1);
    await inShortSteps(context, doomed, ({ seq }) => remove.run([seq]));
    count += doomed.length;
    const end = rows.at(-1);
    // They stand in the order of their times, so nothing behind a stretch of young ones is old.
    if (!end || rows.every(({ at }) => at >= before)) return count;
    last = end.seq;
  }
}
