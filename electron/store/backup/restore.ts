import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import Libsql from "libsql";
import { z } from "zod";
import { StoreError } from "../../agent/ports/ports.ts";
import { Database } from "../database/database.ts";
import { makeFolder, openDatabase } from "../database/open-database.ts";
import { makePrivate } from "../database/private-file.ts";
import { toStoreError } from "../database/store-errors.ts";
import { lockStore } from "../database/store-lock.ts";
import { migrations } from "../migrations/migrations.ts";
import { readArchive } from "./archive.ts";
import { type BackupManifest, contentsName, damaged, newerBackup, settingsName } from "./backup-manifest.ts";
import { checkContents, checkSchema } from "./check-contents.ts";
import { type Merged, mergeContents } from "./merge-contents.ts";
import { takeFiles } from "./take-files.ts";

/** A back-up that was read and found to be what it says. */
export interface CheckedBackup {
  manifest: Omit<BackupManifest, "entries">;
  /** As they stand in it; not yet looked at. */
  settings: Record<string, unknown>;
}

/**
 * Reads all of a back-up, and changes nothing.
 * @param beside the folder in which it is unpacked meanwhile
 * @throws StoreError that says what is wrong with it; what the file system says
 */
export async function checkBackup(file: string, beside: string): Promise<CheckedBackup> {
  return await unpacked(file, beside, async ({ manifest: { entries, ...manifest }, settings }) => ({
    manifest,
    settings,
  }));
}

/**
 * Takes over what a back-up has and the profile has not. Parley must not run in that profile.
 * @param database the profile's; it is made if it is not there
 * @throws StoreError, and then nothing was changed
 */
export async function restoreBackup(file: string, database: string): Promise<Merged & CheckedBackup> {
  makeFolder(database);
  return await unpacked(
    file,
    dirname(database),
    async ({ manifest: { entries, ...manifest }, settings, folder }) => {
      const lock = locked(database);
      try {
        const profile = openDatabase(database);
        try {
          const contents = join(folder, contentsName);
          await withDatabase(contents, (theirs) => takeFiles(theirs, folder, profile));
          return { ...mergeContents(profile, contents), manifest, settings };
        } finally {
          profile.close();
        }
      } finally {
        lock.release();
      }
    },
  );
}

function locked(database: string) {
  try {
    return lockStore(database);
  } catch (error) {
    throw toStoreError(error, database);
  }
}

interface Unpacked {
  manifest: BackupManifest;
  settings: Record<string, unknown>;
  folder: string;
}

async function unpacked<T>(file: string, beside: string, use: (found: Unpacked) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(beside, "restore-"));
  try {
    await mkdir(join(folder, "files"));
    const manifest = await readArchive(file, async (name) => {
      const path = join(folder, name);
      makePrivate(path);
      return createWriteStream(path);
    });
    const names = new Set(manifest.entries.map(({ name }) => name));
    for (const name of [contentsName, settingsName]) {
      if (!names.has(name)) throw damaged(file, `${name} is missing`);
    }
    if (manifest.databaseVersion > (migrations.at(-1)?.version ?? 0)) throw newerBackup(file);
    await bringUpToDate(join(folder, contentsName), manifest.databaseVersion);
    return await use({ manifest, settings: await settingsIn(file, join(folder, settingsName)), folder });
  } catch (error) {
    throw codeOf(error) === "ENOSPC" ? noRoom(beside, error) : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : undefined);

/** It needs as much room as what is in it, for as long as that takes. */
const noRoom = (beside: string, cause: unknown) =>
  new StoreError(
    "full",
    `The disk is full: the back-up cannot be unpacked in ${beside}.`,
    "Free some space on that disk, then restore it again. Nothing was changed here.",
    { cause },
  );

const versionRows = z.array(z.object({ version: z.number() })).length(1);

/** Looked at before anything of it is run. */
async function bringUpToDate(contents: string, version: number): Promise<void> {
  const connection = new Libsql(contents);
  try {
    const found = new Database(contents, connection);
    found.exec("PRAGMA trusted_schema = OFF");
    checkSchema(found, version);
    const [row] = versionRows.parse(found.prepare("SELECT version FROM schema_version").all([]));
    if (row?.version !== version) throw damaged(contents, "its version is not what it says");
  } catch (error) {
    throw toStoreError(error, "The back-up");
  } finally {
    connection.close();
  }
  await withDatabase(contents, checkContents);
}

async function withDatabase(file: string, work: (database: Database) => Promise<void>): Promise<void> {
  const database = openDatabase(file);
  try {
    await work(database);
  } finally {
    database.close();
  }
}

/** In bytes: all settings that there are have a few thousand. */
const mostSettingsBytes = 1_000_000;

async function settingsIn(file: string, path: string): Promise<Record<string, unknown>> {
  if ((await stat(path)).size > mostSettingsBytes) throw damaged(file, "its settings are too long");
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    throw damaged(file, "its settings cannot be read", error);
  }
}

/** Brings a profile's tables up to date where nobody works with it, so that it can be backed up. @throws StoreError */
export function makeReady(database: string): void {
  makeFolder(database);
  const lock = lockIfFree(database);
  if (!lock) return;
  try {
    openDatabase(database).close();
  } finally {
    lock.release();
  }
}

/** A Parley that runs has done it. */
function lockIfFree(database: string) {
  try {
    return lockStore(database);
  } catch (error) {
    if (error instanceof StoreError && error.code === "locked") return null;
    throw toStoreError(error, database);
  }
}
