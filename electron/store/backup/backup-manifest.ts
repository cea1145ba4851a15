import { z } from "zod";
import { StoreError } from "../../agent/ports/ports.ts";

/** What this Parley writes, and the newest that it reads. */
export const backupVersion = 1;

export const manifestName = "manifest.json";
export const contentsName = "conversations.db";
export const settingsName = "settings.json";
/** Before the names of large files that checkpoints hold. */
export const filesPrefix = "files/";

const count = z.number().int().nonnegative();

/** What a back-up says of itself: the first thing in it. */
export const backupManifest = z.strictObject({
  format: z.literal("parley-back-up"),
  version: z.number().int().positive(),
  /** Milliseconds since the epoch. */
  madeAt: z.number(),
  /** The version of the Parley that made it. */
  madeBy: z.string(),
  /** Of the tables in it. */
  databaseVersion: z.number().int().positive(),
  conversations: count,
  messages: count,
  hasCheckpoints: z.boolean(),
  /** All that is in it beside this. */
  entries: z.array(
    z.strictObject({
      name: z.string().regex(/^(?:conversations\.db|settings\.json|files\/[0-9A-Za-z]{1,64})$/),
      bytes: count,
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});
export type BackupManifest = z.infer<typeof backupManifest>;

const named = z.object({ format: z.literal("parley-back-up"), version: z.number() });

/** @param file as it is named where something is wrong @throws StoreError */
export function parseManifest(text: string, file: string): BackupManifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw damaged(file, "its list of contents cannot be read");
  }
  const head = named.safeParse(json);
  if (!head.success) throw notABackup(file);
  if (head.data.version > backupVersion) throw newerBackup(file);
  const parsed = backupManifest.safeParse(json);
  if (!parsed.success) throw damaged(file, "its list of contents is not what Parley writes");
  return parsed.data;
}

export const notABackup = (file: string) =>
  new StoreError("invalid", `${file} is not a Parley back-up.`, "Choose a file made with “Back up”.");

export const newerBackup = (file: string) =>
  new StoreError(
    "newer",
    `${file} was made by a newer Parley.`,
    "Install that version here first, then restore it. Nothing was changed.",
  );

/** @param why what is wrong with it, as the end of a sentence */
export const damaged = (file: string, why: string, cause?: unknown) =>
  new StoreError(
    "corrupt",
    `${file} is damaged or was changed: ${why}.`,
    "Use another copy of it, or another back-up. Nothing was changed here.",
    { cause },
  );
