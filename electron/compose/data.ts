import { appendFileSync } from "node:fs";
import { systemClock } from "../agent/conversation/system-clock.ts";
import type { DataRoutesOptions } from "../desktop/ipc/data-routes.ts";
import { aboutApp, parleyVersion, startAnew } from "../desktop/shell/app-facts.ts";
import type { KeptData } from "../desktop/shell/kept-data.ts";
import type { Updates } from "../desktop/update/updates.ts";
import { exportAll } from "../store/exchange/export-all.ts";
import type { Base } from "./base.ts";
import { noteRestore } from "./pending-restore.ts";
import { type composeStore, databaseFile } from "./store.ts";

/** All that is kept, and what Parley is made of, for the settings page. */
export function composeData(
  { settings, log, userData }: Base,
  { store, isKept }: Pick<ReturnType<typeof composeStore>, "store" | "isKept">,
  keptData: KeptData,
  updates: Pick<Updates, "during">,
): DataRoutesOptions {
  const paths = { settings: settings.path, log: log.path, folder: userData };
  return {
    paths,
    prepare: (what) => {
      if (what !== "folder") appendFileSync(paths[what], "");
    },
    info: () => keptData.info(),
    about: () => aboutApp(log.path),
    exportAll: (path) =>
      updates.during("Conversations are being exported.", () => exportAll(store, path, systemClock.now())),
    backUp: async (to, withCheckpoints) => {
      if (!isKept) throw new Error("Nothing is kept on this computer, so there is nothing to back up.");
      const { backUp } = await import("../store/backup/back-up.ts");
      const { settingsToBackUp } = await import("../settings/backup-settings.ts");
      const making = backUp({
        database: databaseFile(userData),
        to,
        withCheckpoints,
        settings: settingsToBackUp(settings.current()),
        madeBy: parleyVersion(),
        now: systemClock.now(),
        copy: store.copyContents,
      });
      const done = await updates.during("A back-up is being made.", () => making);
      return done.conversations;
    },
    checkBackup: async (file) => {
      const { checkBackup } = await import("../store/backup/restore.ts");
      const { settingsFromBackup } = await import("../settings/backup-settings.ts");
      const { manifest, settings: found } = await checkBackup(file, userData);
      const { conversations, messages, hasCheckpoints, madeAt, madeBy } = manifest;
      const count = Object.keys(settingsFromBackup(found, settings.current())).length;
      return { path: file, conversations, messages, hasCheckpoints, madeAt, madeBy, settings: count };
    },
    restore: (file, withSettings) => {
      noteRestore(userData, { file, withSettings });
      startAnew();
    },
    deleteAll: () => {
      keptData.giveUp();
      startAnew();
    },
  };
}
