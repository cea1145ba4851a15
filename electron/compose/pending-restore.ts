import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { privateMode } from "../store/database/private-file.ts";
import type { Base } from "./base.ts";
import { databaseFile } from "./store.ts";

const pending = z.strictObject({ file: z.string().min(1), withSettings: z.boolean() });
export type PendingRestore = z.infer<typeof pending>;

/** Says at the next start what is to be restored before anybody works with the conversations. */
const noteOf = (userData: string) => join(userData, "restore.json");
/** The same while that goes on. What ends Parley half-way must not do so at every start. */
const begunOf = (userData: string) => join(userData, "restore-begun.json");

export function noteRestore(userData: string, restore: PendingRestore): void {
  writeFileSync(noteOf(userData), JSON.stringify(restore), { mode: privateMode });
}

/** What a back-up or a restore that was killed left unpacked; of one that goes on in another process it is younger. */
const leftOver = /^(?:back-up|restore)-\w{6}$/;
const leftOverMs = 86_400_000;

async function removeLeftOvers(userData: string): Promise<void> {
  for (const name of await readdir(userData)) {
    const path = join(userData, name);
    if (!leftOver.test(name) || Date.now() - (await stat(path)).mtimeMs < leftOverMs) continue;
    await rm(path, { recursive: true, force: true });
  }
}

/** Does what the note says, once: what fails is told, and no conversation was changed. */
export async function finishRestore({
  userData,
  settings,
  problems,
  reportError,
}: Pick<Base, "userData" | "settings" | "problems" | "reportError">): Promise<void> {
  void removeLeftOvers(userData).catch(reportError);
  const cutOff = noteIn(begunOf(userData));
  if (cutOff) {
    const message = `Parley ended while it restored ${cutOff.file}: it may not be here.`;
    const hint = "Restore it again in Settings → Data. What is here already stays as it is.";
    problems.report({ code: "restore", message, hint });
    rmSync(begunOf(userData), { force: true });
  }
  const note = noteIn(noteOf(userData));
  if (!note) return;
  renameSync(noteOf(userData), begunOf(userData));
  try {
    // Loaded at no other start.
    const { restoreBackup } = await import("../store/backup/restore.ts");
    const { restoredText } = await import("../store/backup/restored-text.ts");
    const { takeSettings } = await import("../settings/backup-settings.ts");
    const restored = await restoreBackup(note.file, databaseFile(userData));
    const taken = takeSettings(note.withSettings ? restored.settings : {}, settings);
    problems.report({
      code: "restored",
      message: restoredText(restored, taken),
      hint: `From ${note.file}.`,
    });
  } catch (error) {
    reportError(error);
    const hint = error instanceof Error && "hint" in error ? String(error.hint) : "Nothing was changed.";
    const message = error instanceof Error ? error.message : String(error);
    problems.report({ code: "restore", message: `The back-up was not restored. ${message}`, hint });
  } finally {
    rmSync(begunOf(userData), { force: true });
  }
}

function noteIn(path: string): PendingRestore | undefined {
  try {
    return pending.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}
