import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { SetUpError } from "../setup/say.mjs";

const MB = 1_000_000;

/** The most that each kind of package may hold, in bytes. Whoever raises one says in the commit what came in. */
export const sizeLimits = {
  dir: 460 * MB,
  "tar.gz": 190 * MB,
  deb: 150 * MB,
  AppImage: 190 * MB,
  dmg: 210 * MB,
  zip: 210 * MB,
  nsis: 150 * MB,
};

/**
 * Says how large a package is, beside how large it may be. Pure.
 * @param isFast compressed less than a release is: only the folder's limit holds
 * @throws SetUpError above the limit of its kind
 */
export function sizeLine(kind, path, bytes, isFast = false) {
  const limit = sizeLimits[kind];
  const isBound = !isFast || kind === "dir";
  const line = `${path}: ${megabytes(bytes)}${isBound ? ` (limit of ${kind}: ${megabytes(limit)})` : ""}`;
  if (isBound && bytes > limit) {
    throw new SetUpError(`${line}: too large. Leave out what is not needed (electron-builder.yml).`);
  }
  return line;
}

const megabytes = (bytes) => `${(bytes / MB).toFixed(1)} MB`;

/** Of a file, or of all files below a folder. In bytes. */
export async function sizeOf(path) {
  const about = await stat(path);
  if (!about.isDirectory()) return about.size;
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
