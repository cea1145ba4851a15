import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { asList, readableIn, shownText, wholeText } from "../../database/text-column.ts";
import type { JobContext } from "../../jobs/job.ts";
import { inShortSteps } from "../../jobs/short-steps.ts";
import { largeFolder, largePath } from "./large-files.ts";
import { pendingContents } from "./pending-contents.ts";

const kept = z.tuple([wholeText, shownText]).transform(([hash, name]) => ({ hash, name }));
const keptIn = readableIn(kept);
const namesIn = readableIn(z.tuple([wholeText]));

/** A copy that a crash cut off is left for so long, in milliseconds: it may be being made. */
const unfinishedMs = 86_400_000;

/** Large files that were kept before `until` and that nothing holds, and copies that belong to none. */
export async function pruneLargeFiles(
  context: JobContext,
  { until, now }: { until: number; now: number },
): Promise<void> {
  const database = context.database();
  const folder = largeFolder(database.file);
  const spare = database.prepare(
    asList(
      "hash, name",
      `SELECT hash, name FROM large_files WHERE kept_at < ?
       AND NOT EXISTS (SELECT 1 FROM checkpoint_files WHERE hash_before = hash)`,
    ),
  );
  const drop = database.prepare("DELETE FROM large_files WHERE hash = ?");
  const isHeld = database.prepare("SELECT 1 FROM checkpoint_files WHERE hash_before = ? LIMIT 1");
  const count = database.prepare("UPDATE file_blob_prunes SET count = count + 1");
  const pending = pendingContents(database);
  await inShortSteps(context, keptIn(spare.all([until])), ({ hash, name }) => {
    if (isHeld.all([hash]).length > 0 || pending(hash)) return;
    drop.run([hash]);
    count.run([]);
    rmSync(largePath(folder, name), { force: true });
  });
  if (!existsSync(folder)) return;
  const known = new Set(
    namesIn(database.prepare(asList("name", "SELECT name FROM large_files")).all([])).map(([name]) => name),
  );
  for (const name of readdirSync(folder)) {
    if (known.has(name)) continue;
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && stats.mtimeMs < now - unfinishedMs) rmSync(path, { force: true });
  }
}
