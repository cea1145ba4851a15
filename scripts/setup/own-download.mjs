import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "./run.mjs";
import { say } from "./say.mjs";

const probeMs = 4000;

/**
 * Lets Electron fetch its own runtime, if its host answers: a blocked host must cost seconds, not minutes.
 * @param electron the folder of the electron package
 * @returns whether the runtime is there now
 */
export async function ownDownload(electron, env = process.env) {
  if (!(isCached(env) || (await answers(env)))) {
    say("Electron's own download host does not answer; taking another way");
    return false;
  }
  say("fetching the Electron runtime");
  const { code } = await run(process.execPath, [join(electron, "install.js")]);
  return code === 0 && existsSync(join(electron, "path.txt"));
}

async function answers(env) {
  // Through a proxy only Electron's own downloader knows the way.
  if (env.ELECTRON_GET_USE_PROXY) return true;
  const host =
    env.npm_config_electron_mirror || env.ELECTRON_MIRROR || "https://github.com/electron/electron/releases/";
  try {
    await fetch(host, { method: "HEAD", signal: AbortSignal.timeout(probeMs) });
    return true;
  } catch {
    return false;
  }
}

/** Electron's downloader keeps what it fetched; with a copy there it needs no network. */
function isCached(env) {
  const folders = {
    win32: join(env.LOCALAPPDATA ?? homedir(), "electron/Cache"),
    darwin: join(homedir(), "Library/Caches/electron"),
  };
  const linux = join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "electron");
  const folder = env.electron_config_cache ?? folders[process.platform] ?? linux;
  return existsSync(folder) && readdirSync(folder).length > 0;
}
