import { app } from "electron";
import type { AboutInfo } from "../../../shared/ipc/setting-routes.ts";
import { wordsToStartAnew } from "../launch/launch-request.ts";
import { licences } from "./licences.ts";
import { testRuntimeVersion } from "./runtime-version.ts";

export const parleyVersion = (): string => app.getVersion();

/** What Parley is made of, for the settings page. */
export const aboutApp = (logPath: string): AboutInfo => ({
  version: app.getVersion(),
  electron: process.versions.electron,
  chromium: process.versions.chrome,
  node: process.versions.node,
  isDevelopment: process.versions.electron === testRuntimeVersion,
  logPath,
  licences: licences(app.getAppPath(), app.isPackaged ? process.resourcesPath : null),
});

/** Ends Parley as a quit does, and opens it again. */
export function startAnew(): void {
  relaunch();
  app.quit();
}

/** Parley is opened again when it ends, but does not once more what its first start was to do. */
export function relaunch(): void {
  app.relaunch({ args: wordsToStartAnew(process.argv) });
}
