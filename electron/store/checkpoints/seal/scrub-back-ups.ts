import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Libsql from "libsql";

/**
 * Takes checkpoints out of the copies that were made before the tables changed: they hold secrets in plain. The
 * conversations in them stay. One that cannot be opened is left as it is.
 */
export function scrubBackUps(databaseFile: string): void {
  const folder = dirname(databaseFile);
  const prefix = `${basename(databaseFile)}.before-v`;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix) || !/^\d+$/.test(name.slice(prefix.length))) continue;
    const copy = new Libsql(join(folder, name));
    try {
      const has = copy.prepare("SELECT 1 FROM sqlite_master WHERE name = 'file_blobs'").get();
      if (has)
        copy.exec(
          "DELETE FROM file_blobs; DELETE FROM checkpoint_files; DELETE FROM checkpoint_manifests; DELETE FROM checkpoints; VACUUM",
        );
    } catch {
      // Damaged, or in use: nothing of it is read by Parley, either.
    } finally {
      copy.close();
    }
  }
}
