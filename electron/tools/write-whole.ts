import { constants } from "node:fs";
import { access, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { draftName } from "../../shared/draft-file.ts";
import { EnvironmentError } from "../agent/ports.ts";
import { codeOf } from "./contained-path.ts";

/**
 * Writes a file whole or not at all: beside it first, then in its place. Parents are made; an existing file keeps its
 * mode. What was there stays as it was until the very last step, also through a crash.
 * @param target absolute, checked, symbolic links followed
 * @param path as the caller wrote it, for messages
 */
export async function writeWhole(target: string, path: string, bytes: Uint8Array): Promise<void> {
  const mode = await modeOf(target, path);
  const folder = dirname(target);
  await mkdir(folder, { recursive: true });
  const draft = join(folder, draftName());
  try {
    const file = await open(draft, "wx");
    try {
      await file.writeFile(bytes);
      if (mode !== undefined) await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** @returns the permission bits of the file that is there, undefined where there is none */
async function modeOf(target: string, path: string): Promise<number | undefined> {
  try {
    const info = await stat(target);
    if (info.isDirectory()) throw new EnvironmentError(`${path} is a folder, not a file.`);
    if (!info.isFile()) throw new EnvironmentError(`${path} is not a regular file.`);
    // To replace a file needs no right to write to it: a read-only one would be changed all the same.
    await access(target, constants.W_OK);
    return info.mode & 0o7777;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
