import { constants, existsSync } from "node:fs";
import { copyFile, mkdir, open, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { StoreError } from "../../agent/ports/ports.ts";
import { largeFolder, largePath } from "../checkpoints/contents/large-files.ts";
import type { Database } from "../database/database.ts";
import { bytesOf, textColumn } from "../database/text-column.ts";
import { sumOf } from "./archive.ts";
import { filesPrefix } from "./backup-manifest.ts";

/** A row of `large_files`: what a large file is called, and what it must be. */
const fileRows = z.array(z.object({ hash: textColumn, name: textColumn, size: z.number() }));
type FileRow = z.infer<typeof fileRows>[number];
const columns = `${bytesOf("hash")}, ${bytesOf("name")}, size`;

/**
 * Takes over the large files that a back-up has, each whole or not at all. Copies that nothing names, where the rest then
 * fails, go when room for others is made.
 * @param theirs the back-up's database @param folder in which the back-up is unpacked @param profile its own database
 * @throws StoreError; what the file system says
 */
export async function takeFiles(theirs: Database, folder: string, profile: Database): Promise<void> {
  const selectOwn = profile.prepare(`SELECT ${columns} FROM large_files WHERE hash = ? OR name = ?`);
  const kept = largeFolder(profile.file);
  for (const row of fileRows.parse(theirs.prepare(`SELECT ${columns} FROM large_files`).all([]))) {
    const own = fileRows.parse(selectOwn.all([row.hash, row.name]));
    if (own.some(({ hash }) => hash !== row.hash)) throw stranger();
    const from = largePath(join(folder, filesPrefix), row.name);
    const to = largePath(kept, own[0]?.name ?? row.name);
    // What a restore that was ended left half is there, too.
    const isThere = existsSync(to) && ((await isWhole(to, row)) || !(await isWhole(from, row)));
    if (existsSync(from) && !isThere) await copyWhole(from, to, kept);
  }
}

async function copyWhole(from: string, to: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = `${to}.new`;
  await copyFile(from, unfinished, constants.COPYFILE_FICLONE);
  const handle = await open(unfinished, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, to);
}

async function isWhole(path: string, { hash, size }: FileRow): Promise<boolean> {
  if (!existsSync(path) || (await stat(path)).size !== size) return false;
  return (await sumOf(path)).sha256 === hash;
}

/** One name for two files: no Parley makes that. */
const stranger = () =>
  new StoreError(
    "invalid",
    "The back-up doesn't match what is here: a large file in it has the name of another one here.",
    "Restore it into a new user-data folder. Nothing was changed here.",
  );
