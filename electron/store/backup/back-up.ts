import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { StoreError } from "../../agent/ports/ports.ts";
import { largeFolder } from "../checkpoints/contents/large-files.ts";
import { privateMode } from "../database/private-file.ts";
import { fileTarget } from "../exchange/whole-file.ts";
import { type ArchiveFile, writeArchive } from "./archive.ts";
import { backupVersion, contentsName, filesPrefix, settingsName } from "./backup-manifest.ts";
import { type CopiedContents, copyContents } from "./copy-contents.ts";

export interface BackUpOptions {
  /** The profile's database. */
  database: string;
  /** Where the back-up goes; what is there is replaced once the new one is whole. */
  to: string;
  withCheckpoints: boolean;
  /** As JSON; without keys, rules and trust. */
  settings: Readonly<Record<string, unknown>>;
  /** The version of this Parley. */
  madeBy: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** Where the copying is done, if not here: it takes its time. */
  copy?(to: string, withCheckpoints: boolean): Promise<CopiedContents>;
}

/** What a back-up came to. */
export interface BackedUp {
  conversations: number;
  messages: number;
}

/**
 * One file with all that is the user's and nothing that opens a door: no key, rule or trust. While Parley works.
 * @throws StoreError; what the file system says
 */
export async function backUp(options: BackUpOptions): Promise<BackedUp> {
  const { database, withCheckpoints, madeBy, now } = options;
  const to = await targetOf(options.to, database);
  const copy = options.copy ?? ((path) => copyContents(database, path, withCheckpoints, noBreath));
  const folder = await mkdtemp(join(dirname(database), "back-up-"));
  try {
    const contents = join(folder, contentsName);
    const { largeFiles, ...facts } = await copy(contents, withCheckpoints);
    const settings = join(folder, settingsName);
    await writeFile(settings, `${JSON.stringify(options.settings, null, 1)}\n`, { mode: privateMode });
    const files: ArchiveFile[] = [
      { name: contentsName, path: contents },
      { name: settingsName, path: settings },
      ...largeFiles
        .map((name) => ({ name: `${filesPrefix}${name}`, path: join(largeFolder(database), name) }))
        .filter(({ path }) => existsSync(path)),
    ];
    await writeArchive(to, files, {
      format: "parley-back-up",
      version: backupVersion,
      madeAt: now,
      madeBy,
      ...facts,
      hasCheckpoints: withCheckpoints,
    });
    return { conversations: facts.conversations, messages: facts.messages };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws StoreError for a place that must not be overwritten */
async function targetOf(to: string, database: string): Promise<string> {
  const place = await fileTarget(to).catch((error: unknown) => {
    throw error instanceof Error && !("code" in error) ? refused(error.message) : error;
  });
  const folder = await realpath(dirname(place)).catch(() => dirname(place));
  const isOwn =
    folder === (await realpath(dirname(database)).catch(() => dirname(database))) &&
    basename(place).startsWith(basename(database));
  const [there, own] = await Promise.all([place, database].map((path) => stat(path).catch(() => null)));
  const isSame = there && own && there.ino === own.ino && there.dev === own.dev;
  if (isOwn || isSame) throw refused(`${to} belongs to Parley's own database.`);
  return place;
}

const refused = (why: string) =>
  new StoreError("invalid", `The back-up was not made: ${why}`, "Choose another name. Nothing was changed.");

const noBreath = async () => {};
