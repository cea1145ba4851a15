import { existsSync } from "node:fs";
import { join } from "node:path";
import { app, autoUpdater } from "electron";
import { relaunch } from "../shell/app-facts.ts";
import type { UpdateRestart, Updater } from "./updates.ts";

/** What fetches newer packages; null where this one was made without an address to look at. */
export function updaterLoader(): (() => Promise<Updater>) | null {
  if (!app.isPackaged || !existsSync(join(process.resourcesPath, "app-update.yml"))) return null;
  // It reads hundreds of files: only where it is needed.
  return async () => (await import("electron-updater")).default.autoUpdater;
}

/** A package of Linux is only replaced; an AppImage, macOS and Windows start what they installed. */
export const updateRestart: UpdateRestart = {
  system: process.platform === "darwin" ? autoUpdater : null,
  relaunch: process.platform === "linux" && !process.env.APPIMAGE ? relaunch : null,
};
