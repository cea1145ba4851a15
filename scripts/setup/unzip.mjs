import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { openPromise } from "yauzl";

/**
 * Unpacks a zip file, keeping file modes.
 * @param place maps an entry's name to its path below `target`, or to undefined to leave it out
 * @param onBytes told how many bytes of the zip's entries are done
 */
export async function unzip(zipFile, target, place, onBytes = () => {}) {
  const zip = await openPromise(zipFile, { lazyEntries: true });
  let done = 0;
  for await (const entry of zip.eachEntry()) {
    done += entry.compressedSize;
    onBytes(done);
    const path = entry.fileName.endsWith("/") ? undefined : place(entry.fileName);
    if (path === undefined) continue;
    const file = join(target, path);
    await mkdir(dirname(file), { recursive: true });
    // The upper half of the attributes is the Unix mode; zips made elsewhere have none.
    const mode = (entry.externalFileAttributes >>> 16) & 0o777 || 0o644;
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(file, { mode }));
  }
}
