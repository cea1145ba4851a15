import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { JobContext } from "../../jobs/job.ts";
import { inShortSteps } from "../../jobs/short-steps.ts";
import { largeFolder } from "./large-files.ts";
import { pendingContents } from "./pending-contents.ts";

const rows = z.array(z.object({ hash: z.string(), name: z.string() }));
const names = z.array(z.object({ name: z.string() }));

/** A copy that a crash cut off is left for so long, in milliseconds: it may be being made. */
const unfinishedMs = 86_400_000;

/** Large files that were kept before `until` and that nothing holds, and copies that belong to none. */
export async function pruneLargeFiles(
  context: JobContext,
  { until, now }: { until: number; now: number },
): Promise<void> {
  const database = context.database();
  const folder = largeFolder(database.file);
  const spare = database.prepare(`
    SELECT hash, name FROM large_files WHERE kept_at < ?
    AND NOT EXISTS (SELECT 1 FROM checkpoint_files WHERE hash_before = hash)`);
  const drop = database.prepare("DELETE FROM large_files WHERE hash = ?");
  const isHeld = database.prepare("SELECT 1 FROM checkpoint_files WHERE hash_before = ? LIMIT 1");
  const count = database.prepare("UPDATE file_blob_prunes SET count = count + 1");
  const pending = pendingContents(database);
  await inShortSteps(context, rows.parse(spare.all([until])), ({ hash, name }) => {
    if (isHeld.all([hash]).length > 0 || pending(hash)) return;
    drop.run([hash]);
    count.run([]);
    rmSync(join(folder, name), { force: true });
  });
  if (!existsSync(folder)) return;
  const known = new Set(
    names.parse(database.prepare("SELECT name FROM large_files").all([])).map(({ name }) => name),
  );
  for (const name of readdirSync(folder)) {
    if (known.has(name)) continue;
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && stats.mtimeMs < now - unfinishedMs) rmSync(path, { force: true });
  }
}
