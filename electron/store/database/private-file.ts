import { chmodSync, closeSync, lstatSync, openSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** What is in these files is for their owner's eyes alone. Windows has no such modes: there the folder's rights count. */
export const privateMode = 0o600;

/**
 * Makes an empty file that nobody else can read, unless it is there: SQLite gives what it makes beside it the same mode. One
 * that is there is not opened: to close it again would take the locks of every connection that this process has to it.
 * Source: fcntl(2), advisory locks.
 */
export function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, "wx", privateMode));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

/** The file, what SQLite keeps beside it, its search index and its back-ups: those that an earlier Parley made, too. */
export function keepPrivate(file: string): void {
  if (process.platform === "win32") return;
  const folder = dirname(file);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(basename(file))) continue;
    const path = join(folder, name);
    try {
      const stats = lstatSync(path);
      if (stats.isFile() && (stats.mode & 0o077) !== 0) chmodSync(path, privateMode);
    } catch {
      // It went meanwhile, or is another's: what cannot be had is not worth a start.
    }
  }
}
