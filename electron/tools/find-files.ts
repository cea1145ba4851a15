import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { glob } from "tinyglobby";
import { EnvironmentError } from "../agent/ports.ts";
import type { ContainedPaths } from "./contained-path.ts";

/** Left out unless the pattern names them: nobody means the files of other people's packages. */
const skipped = ["node_modules"];

/**
 * Files below `folder` that match, newest first. Dot files are left out, and what lies outside by a link.
 * @param folder absolute, checked
 * @returns paths as `paths.shown` shows them, and whether there were more than `limit`
 * @throws EnvironmentError for a pattern that leads out; the signal's reason when aborted
 */
export async function findFiles(
  pattern: string,
  folder: string,
  paths: ContainedPaths,
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<{ paths: string[]; truncated: boolean }> {
  if (isAbsolute(pattern) || pattern.split(/[\\/{},]/).includes("..")) {
    throw new EnvironmentError(`${pattern}: a pattern is relative to its folder and cannot lead out of it.`);
  }
  const ignored = skipped.filter((name) => !pattern.includes(name)).map((name) => `**/${name}/**`);
  const found = await glob(pattern, {
    cwd: folder,
    onlyFiles: false,
    expandDirectories: false,
    // Through a link one can get out, or around in circles.
    followSymbolicLinks: false,
    ignore: ignored,
    signal,
  });
  signal.throwIfAborted();
  const files = await Promise.all(found.map((name) => modified(join(folder, name), paths)));
  const known = files.filter((file) => file !== undefined);
  known.sort((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1));
  const shown = known.slice(0, limit).map(({ path }) => paths.shown(path));
  return { paths: shown, truncated: known.length > limit };
}

/** @returns undefined for folders, and for what is outside or has gone meanwhile */
async function modified(
  path: string,
  paths: ContainedPaths,
): Promise<{ path: string; at: number } | undefined> {
  try {
    if (!paths.contains(await realpath(path))) return undefined;
    const info = await stat(path);
    return info.isFile() ? { path, at: info.mtimeMs } : undefined;
  } catch {
    return undefined;
  }
}
