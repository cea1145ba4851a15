import { BrowserWindow, dialog, shell } from "electron";
import type { AboutInfo, BackupInfo, DataInfo } from "../../../shared/ipc/setting-routes.ts";
import type { IpcHandlers } from "./ipc.ts";

export interface DataRoutesOptions {
  /** Paths of what can be opened. */
  paths: { settings: string; log: string; folder: string };
  /** Makes the file where there is none yet. */
  prepare(what: "settings" | "log" | "folder"): void;
  info(): Promise<DataInfo>;
  about(): AboutInfo;
  /** @returns how many conversations the file has */
  exportAll(path: string): Promise<number>;
  /** @returns how many conversations it has */
  backUp(path: string, withCheckpoints: boolean): Promise<number>;
  /** Reads all of a back-up, and changes nothing. */
  checkBackup(path: string): Promise<BackupInfo>;
  /** Parley starts anew, and takes over what is in it. */
  restore(path: string, withSettings: boolean): void;
  /** Everything goes, and Parley starts anew. */
  deleteAll(): void;
}

const backupEnding = "parley-back-up";
const backups = { name: "Parley back-up", extensions: [backupEnding] };

/** What windows do with all that Parley keeps. */
export function dataRoutes(options: DataRoutesOptions) {
  /** What the user chose last: a page names no path of its own. */
  let chosen: string | null = null;
  return {
    "data.open": async ({ what }) => {
      options.prepare(what);
      const problem = await shell.openPath(options.paths[what]);
      if (problem) throw new Error(`${options.paths[what]} could not be opened: ${problem}`);
    },
    "data.info": options.info,
    "data.exportAll": async (_, sender) => {
      const window = BrowserWindow.fromWebContents(sender);
      const choices = {
        title: "Export all conversations",
        defaultPath: "Parley conversations.json",
        filters: [{ name: "JSON", extensions: ["json"] }],
      };
      const { filePath } = window
        ? await dialog.showSaveDialog(window, choices)
        : await dialog.showSaveDialog(choices);
      if (!filePath) return { path: null, count: 0 };
      return { path: filePath, count: await options.exportAll(filePath) };
    },
    "data.backUp": async ({ withCheckpoints }, sender) => {
      const window = BrowserWindow.fromWebContents(sender);
      const choices = { title: "Back up", defaultPath: `Parley.${backupEnding}`, filters: [backups] };
      const { filePath } = window
        ? await dialog.showSaveDialog(window, choices)
        : await dialog.showSaveDialog(choices);
      if (!filePath) return { path: null, count: 0 };
      return { path: filePath, count: await options.backUp(filePath, withCheckpoints) };
    },
    "data.chooseBackup": async (_, sender) => {
      chosen = null;
      const window = BrowserWindow.fromWebContents(sender);
      const choices = { title: "Restore", filters: [backups], properties: ["openFile" as const] };
      const { filePaths } = window
        ? await dialog.showOpenDialog(window, choices)
        : await dialog.showOpenDialog(choices);
      const [path] = filePaths;
      if (path === undefined) return null;
      const found = await options.checkBackup(path);
      chosen = path;
      return found;
    },
    "data.restore": ({ withSettings }) => {
      if (chosen === null) throw new Error("Choose a back-up first.");
      options.restore(chosen, withSettings);
    },
    "data.deleteAll": () => options.deleteAll(),
    "about.info": options.about,
  } satisfies Partial<IpcHandlers>;
}
