import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { privateMode } from "../database/private-file.ts";

/**
 * Writes a file whole or not at all: until it is on the disk it bears another name beside `path`, and what was there stays.
 * @throws Error where it cannot be written; nothing of it is left then
 */
export async function writeWhole(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const target = await fileTarget(path);
  const part = `${target}.part`;
  await rm(part, { force: true });
  const file = await open(part, "wx", privateMode);
  try {
    await write(file);
    await file.sync();
    await file.close();
    await rename(part, target);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(part, { force: true });
    throw error;
  }
}

/**
 * Where a file of this name is, or will be: behind links.
 * @throws Error where something stands there that is no file, such as a folder or a device: a rename would take its place
 */
export async function fileTarget(path: string): Promise<string> {
  // It may vanish at any moment, as the journal of a database does.
  const stats = await stat(path).catch(() => null);
  if (stats === null) return path;
  if (stats.isDirectory()) throw new Error(`${path} is a folder: name a file in it.`);
  if (!stats.isFile()) throw new Error(`${path} is not a file: name another one.`);
  return await realpath(path).catch(() => path);
}
