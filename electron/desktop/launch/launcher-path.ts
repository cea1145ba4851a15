import { join } from "node:path";
import { app } from "electron";
import { launchMark } from "./launch-request.ts";

/** What the launcher's place hangs on. */
interface Installed {
  platform: NodeJS.Platform;
  isPackaged: boolean;
  resourcesPath: string;
  appPath: string;
  env: NodeJS.ProcessEnv;
}

/**
 * The words that reach Parley from outside, to be written down: the `parley` command beside the resources of a package, or in
 * `bin` of a clone, where the set-up puts it. An AppImage is somewhere else at each start: there it is the file itself. Pure.
 */
export function launcherWordsFor({ platform, isPackaged, resourcesPath, appPath, env }: Installed): string[] {
  if (isPackaged && platform === "linux" && env.APPIMAGE) return [env.APPIMAGE, launchMark];
  const name = platform === "win32" ? "parley.cmd" : "parley";
  return [join(isPackaged ? resourcesPath : appPath, "bin", name)];
}

export const launcherWords = (): string[] =>
  launcherWordsFor({
    platform: process.platform,
    isPackaged: app.isPackaged,
    resourcesPath: process.resourcesPath,
    appPath: app.getAppPath(),
    env: process.env,
  });
