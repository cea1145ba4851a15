import { resolve } from "node:path";
import type { DataJob } from "../desktop/launch/data-job.ts";
import { wordsOf } from "../desktop/launch/start-work.ts";
import { parleyVersion } from "../desktop/shell/app-facts.ts";
import { settingsToBackUp, takeSettings } from "../settings/backup-settings.ts";
import { openSettings, type SettingsFile } from "../settings/settings.ts";
import { backUp } from "../store/backup/back-up.ts";
import { makeReady, restoreBackup } from "../store/backup/restore.ts";
import { counted, restoredText } from "../store/backup/restored-text.ts";
import { databaseFile } from "./store.ts";

/**
 * `parley --backup FILE`, `parley --restore FILE`.
 * @param userData the user-data folder
 * @returns the exit code: 0, or 1 where it could not be done; why is on the standard error
 */
export async function runDataJob(job: DataJob, userData: string): Promise<number> {
  const database = databaseFile(userData);
  const file = resolve(job.file);
  let settings: SettingsFile | null = null;
  try {
    settings = openSettings(userData, {
      report: ({ message }) => void process.stderr.write(`parley: ${message}\n`),
      mended: () => {},
    });
    if (job.type === "back-up") {
      makeReady(database);
      const { withCheckpoints } = job;
      const kept = settingsToBackUp(settings.current());
      const madeBy = parleyVersion();
      const options = { database, to: file, withCheckpoints, settings: kept, madeBy, now: Date.now() };
      const { conversations, messages } = await backUp(options);
      process.stdout.write(
        `Backed up to ${file}: ${counted(conversations, "conversation")}, ${counted(messages, "message")}.\n`,
      );
    } else {
      const restored = await restoreBackup(file, database);
      const taken = takeSettings(job.withSettings ? restored.settings : {}, settings);
      process.stdout.write(`${restoredText(restored, taken)}\n`);
      if (taken.problem !== null) return 1;
    }
    return 0;
  } catch (error) {
    process.stderr.write(`parley: ${wordsOf(error)}\n`);
    return 1;
  } finally {
    settings?.close();
  }
}
