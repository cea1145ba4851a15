import { z } from "zod";
import type { Database } from "../database.ts";
import { unpackIndex } from "./manifest.ts";

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
/** Rows of one transaction, few enough for the main process not to wait for it. */
const batchRows = 50;

const hashRows = z.array(z.object({ hash: z.string() }));
const idRows = z.array(z.object({ seq: z.number() }));
const sumRows = z.array(z.object({ bytes: z.number().nullable() }));
const bytesColumn = z.union([z.instanceof(Uint8Array), z.instanceof(ArrayBuffer)]);
const manifestRows = z.array(z.object({ bytes: bytesColumn }));

/**
 * Lets go of checkpoints by age and size, oldest first, and of contents that none holds. Those of the sessions in
 * `keep`, and of pinned ones, stay.
 * @param breathe awaited between transactions, so that others get to write
 * @returns how many checkpoints went @throws StoreError
 */
export async function pruneCheckpoints(
  database: Database,
  { days, megabytes }: CheckpointRules,
  { now, keep, breathe }: { now: number; keep: readonly string[]; breathe(): Promise<unknown> },
): Promise<number> {
  const stays = `session_id IN (SELECT value FROM json_each(?)) OR session_id IN (SELECT id FROM sessions WHERE pinned)`;
  const kept = JSON.stringify(keep);
  const old = database.prepare(`SELECT seq FROM checkpoints WHERE created_at < ? AND NOT (${stays})`);
  const oldest = database.prepare(
    `SELECT seq FROM checkpoints WHERE NOT (${stays}) ORDER BY seq LIMIT ${batchRows}`,
  );
  const drop = database.prepare("DELETE FROM checkpoints WHERE seq = ?");
  const sum = database.prepare("SELECT sum(length(bytes)) AS bytes FROM file_blobs");
  let gone = 0;

  const dropAll = async (rows: unknown[]) => {
    const seqs = idRows.parse(rows);
    for (let start = 0; start < seqs.length; start += batchRows) {
      database.transaction(() => {
        for (const { seq } of seqs.slice(start, start + batchRows)) gone += Math.min(1, drop.run([seq]));
      });
      await breathe();
    }
    return seqs.length;
  };
  const isTooMuch = () => (sumRows.parse(sum.all([]))[0]?.bytes ?? 0) > megabytes * megabyte;

  if (days > 0) await dropAll(old.all([now - days * dayMs, kept]));
  await dropContents(database, now - spareMs, breathe);
  if (megabytes === 0 || !isTooMuch()) return gone;
  await dropContents(database, now, breathe);
  while (isTooMuch() && (await dropAll(oldest.all([kept]))) > 0) await dropContents(database, now, breathe);
  return gone;
}

/** Contents that were kept before `until` and that nothing holds. */
async function dropContents(
  database: Database,
  until: number,
  breathe: () => Promise<unknown>,
): Promise<void> {
  const spare = database.prepare(`
    SELECT hash FROM file_blobs WHERE kept_at < ?
    EXCEPT SELECT hash_before FROM checkpoint_files WHERE hash_before IS NOT NULL`);
  const manifests = database.prepare("SELECT bytes FROM checkpoint_manifests");
  const drop = database.prepare("DELETE FROM file_blobs WHERE hash = ?");
  const isHeld = database.prepare("SELECT 1 FROM checkpoint_files WHERE hash_before = ? LIMIT 1");
  const count = database.prepare("UPDATE file_blob_prunes SET count = count + 1");
  const hashes = hashRows.parse(spare.all([until])).map(({ hash }) => hash);
  for (let start = 0; start < hashes.length; start += batchRows) {
    database.transaction(() => {
      // Read again: a call may have begun meanwhile, and relies on what was there.
      const pending = heldByManifests(manifestRows.parse(manifests.all([])));
      for (const hash of hashes.slice(start, start + batchRows)) {
        if (!pending.has(hash) && isHeld.all([hash]).length === 0) drop.run([hash]);
      }
      count.run([]);
    });
    await breathe();
  }
}

function heldByManifests(rows: z.infer<typeof manifestRows>): Set<string> {
  const held = new Set<string>();
  for (const { bytes } of rows) {
    for (const { state } of unpackIndex(new Uint8Array(bytes)).seen.values()) {
      if (state.kind === "file") held.add(state.hash);
    }
  }
  return held;
}
