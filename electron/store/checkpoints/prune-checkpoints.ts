import { z } from "zod";
import { asList, readableIn, wholeText } from "../database/text-column.ts";
import type { JobContext } from "../jobs/job.ts";
import { inShortSteps } from "../jobs/short-steps.ts";
import { pendingContents } from "./contents/pending-contents.ts";
import { pruneLargeFiles } from "./contents/prune-large-files.ts";

export interface CheckpointRules {
  /** Older checkpoints go; 0 = never. */
  days: number;
  /** Contents are kept up to this many megabytes, those of the newest checkpoints; 0 = no limit. */
  megabytes: number;
}

const dayMs = 86_400_000;
const megabyte = 1_000_000;
/** Contents that no checkpoint holds make the next index cheap; so long they stay, in milliseconds. */
const spareMs = 7 * dayMs;

const hashesIn = readableIn(z.tuple([wholeText]));
const seqRows = z.array(z.object({ seq: z.number() }));
const sumRows = z.array(z.object({ bytes: z.number().nullable() }));

/**
 * Lets go of checkpoints by age and size, oldest first, and of contents that none holds. Those of the sessions in
 * `keep`, and of pinned ones, stay.
 * @returns how many checkpoints went @throws StoreError
 */
export async function pruneCheckpoints(
  context: JobContext,
  { days, megabytes }: CheckpointRules,
  { now, keep }: { now: number; keep: readonly string[] },
): Promise<number> {
  const database = context.database();
  const mayGo = `session_id NOT IN (SELECT value FROM json_each(?))
    AND session_id NOT IN (SELECT id FROM sessions WHERE pinned)`;
  const kept = JSON.stringify(keep);
  const old = database.prepare(`SELECT seq FROM checkpoints WHERE ${mayGo} AND created_at < ?`);
  const oldest = database.prepare(`SELECT seq FROM checkpoints WHERE ${mayGo} ORDER BY seq LIMIT 1`);
  const drop = database.prepare("DELETE FROM checkpoints WHERE seq = ?");
  const sum = database.prepare("SELECT sum(length(bytes)) AS bytes FROM file_blobs");
  let gone = 0;
  const dropAll = async (rows: unknown[]) => {
    const seqs = seqRows.parse(rows);
    await inShortSteps(context, seqs, ({ seq }) => drop.run([seq]));
    gone += seqs.length;
    return seqs.length;
  };
  const isTooMuch = () => (sumRows.parse(sum.all([]))[0]?.bytes ?? 0) > megabytes * megabyte;

  if (days > 0) await dropAll(old.all([kept, now - days * dayMs]));
  await pruneLargeFiles(context, { until: now - spareMs, now });
  await dropContents(context, now - spareMs);
  if (megabytes === 0 || !isTooMuch()) return gone;
  await dropContents(context, now);
  while (isTooMuch() && (await dropAll(oldest.all([kept]))) > 0) await dropContents(context, now);
  return gone;
}

/** Contents that were kept before `until` and that nothing holds. */
async function dropContents(context: JobContext, until: number): Promise<void> {
  const database = context.database();
  const spare = database.prepare(
    asList(
      "hash",
      `SELECT hash FROM file_blobs WHERE kept_at < ?
       EXCEPT SELECT hash_before FROM checkpoint_files WHERE hash_before IS NOT NULL`,
    ),
  );
  const drop = database.prepare("DELETE FROM file_blobs WHERE hash = ?");
  const isHeld = database.prepare("SELECT 1 FROM checkpoint_files WHERE hash_before = ? LIMIT 1");
  const count = database.prepare("UPDATE file_blob_prunes SET count = count + 1");
  const pending = pendingContents(database);
  await inShortSteps(context, hashesIn(spare.all([until])), ([hash]) => {
    // Asked again: a call may have begun meanwhile. One that is about to hold it sees by the count that it must not.
    if (isHeld.all([hash]).length > 0 || pending(hash)) return;
    drop.run([hash]);
    count.run([]);
  });
}
