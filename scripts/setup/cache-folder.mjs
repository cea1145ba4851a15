import { readdirSync, rmSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/** Where downloads are kept between clones, by the custom of each system. */
export function cacheFolder(env = process.env, platform = process.platform) {
  if (platform === "win32")
    return join(env.LOCALAPPDATA ?? join(homedir(), "AppData/Local"), "parley", "Cache");
  if (platform === "darwin") return join(homedir(), "Library/Caches/parley");
  return join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "parley");
}

/**
 * A fresh work folder inside `cache`, on the same file system, so that its result can be renamed into place.
 * Work folders left behind by tries that were killed are removed first.
 */
export async function workFolder(cache) {
  await mkdir(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    const pid = /^partial-(\d+)-/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(cache, name), { recursive: true, force: true });
  }
  return mkdtemp(join(cache, `partial-${process.pid}-`));
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
