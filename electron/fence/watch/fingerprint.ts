import { createHash, type Hash, randomBytes } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

/** What is looked at of one entry; beyond, nothing is the same as it was. */
const most = { bytes: 64 * 1_048_576, entries: 5000 };

/**
 * A word for all that is in a file or a folder: what it holds, which may be run, and where links lead. No link is followed.
 * @param path absolute @returns another one each time where it cannot be read whole
 */
export async function fingerprint(path: string): Promise<string> {
  const hash = createHash("sha256");
  const left = { ...most };
  try {
    await add(hash, path, left);
    return hash.digest("hex");
  } catch {
    return randomBytes(32).toString("hex");
  }
}

async function add(hash: Hash, path: string, left: { bytes: number; entries: number }): Promise<void> {
  if (left.entries-- === 0) throw new Error("too many");
  const stats = await lstat(path);
  hash.update(`${stats.isDirectory()} ${stats.isFile()} ${stats.isSymbolicLink()} ${stats.mode & 0o111}\0`);
  if (stats.isDirectory()) {
    for (const name of (await readdir(path)).sort()) {
      hash.update(`${name}\0`);
      await add(hash, join(path, name), left);
    }
    hash.update("\0");
  } else if (stats.isSymbolicLink()) hash.update(`${await readlink(path)}\0`);
  else if (stats.isFile()) {
    left.bytes -= stats.size;
    if (left.bytes < 0) throw new Error("too large");
    hash.update(`${stats.size}\0`).update(await readFile(path));
  } else throw new Error("neither");
}
