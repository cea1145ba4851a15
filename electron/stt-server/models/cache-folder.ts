import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where models that were downloaded are put, one folder each. */
export function modelsFolder(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  return join(cacheFolder(environment, platform), "speech-models");
}

/** Where files live that can be made again: the platform's cache folder, `parley` in it. */
export function cacheFolder(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === "darwin") return join(homedir(), "Library", "Caches", "parley");
  if (platform === "win32") {
    return join(environment.LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "parley", "Cache");
  }
  const xdg = environment.XDG_CACHE_HOME;
  return join(xdg && isAbsolute(xdg) ? xdg : join(homedir(), ".cache"), "parley");
}
