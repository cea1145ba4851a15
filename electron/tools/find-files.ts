import type { Dirent } from "node:fs";
import { join, posix } from "node:path";
import PQueue from "p-queue";
import { type FileSystemAdapter, glob } from "tinyglobby";
import { entriesOf, type HeldFolder, openRoot, release, statsIn } from "../files/held-folder.ts";
import { atPlaceBelow } from "../files/place.ts";
import { inFolderItself } from "../files/place-folders.ts";
import { doLater, each, type Work } from "../files/work.ts";
import { type PathPattern, readPathPattern } from "./path-pattern.ts";

/** Left out unless the pattern names them: nobody means the files of other people's packages. */
const skipped = ["node_modules"];

/** Folders that are read at once: each holds open those on its way from the root, and a process may open only so many. */
const mostRead = 16;

/**
 * Files below a folder that match, newest first. Dot files are left out, and what lies outside by a link.
 * @param root absolute, and free of links
 * @param way the names from the root to the folder
 * @returns paths from the root, free of links, and whether there were more than `limit`
 * @throws EnvironmentError for a pattern that cannot be used; the signal's reason when aborted
 */
export async function findFiles(
  pattern: string,
  root: string,
  way: readonly string[],
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<{ paths: string[]; truncated: boolean }> {
  const wanted = readPathPattern(pattern);
  const ignored = skipped.filter((name) => !pattern.includes(name)).map((name) => `**/${name}/**`);
  const held = await doLater(openRoot(root));
  try {
    const found = await matching(wanted, held, way, ignored, signal);
    const files = await withTimes(found, held, way, signal);
    files.sort((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1));
    return { paths: files.slice(0, limit).map(({ path }) => path), truncated: files.length > limit };
  } finally {
    await doLater(release(held));
  }
}

async function matching(
  pattern: PathPattern,
  root: HeldFolder,
  way: readonly string[],
  ignore: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const reading = new PQueue({ concurrency: mostRead });
  /** In place of Node's: each folder is opened on its way from the root, which no link leads out. */
  const readdir = (path: string, _: unknown, done: (error: Error | null, entries?: Dirent[]) => void) => {
    const entries = reading.add(async () => {
      signal.throwIfAborted();
      return await doLater(inFolderAt(root, path, entriesOf));
    });
    entries.then(
      (found) => done(null, found),
      (error: Error) => done(error),
    );
  };
  try {
    const found = await glob(pattern.walks, {
      cwd: join(root.path, ...way),
      onlyFiles: false,
      expandDirectories: false,
      dot: pattern.meansHidden,
      // Through a link one can get out, or around in circles.
      followSymbolicLinks: false,
      ignore,
      fs: { readdir: readdir as FileSystemAdapter["readdir"] },
      signal,
    });
    signal.throwIfAborted();
    return found.filter((path) => !path.endsWith("/") && pattern.fits(path));
  } finally {
    // When it was given up, folders are being read still: below a root that is held.
    await reading.onIdle();
  }
}

/** Of the files among them; what has gone meanwhile, or is a link now, is left out. */
async function withTimes(
  found: readonly string[],
  root: HeldFolder,
  way: readonly string[],
  signal: AbortSignal,
): Promise<{ path: string; at: number }[]> {
  const byFolder = new Map<string, string[]>();
  for (const name of found) {
    const folder = posix.dirname(name);
    const names = byFolder.get(folder);
    if (names) names.push(name);
    else byFolder.set(folder, [name]);
  }
  // Two ways may lead to one folder.
  const files = new Map<string, number>();
  for (const [folder, names] of byFolder) {
    signal.throwIfAborted();
    const times = atPlaceBelow(root, join(root.path, ...way, folder), "follow", function* (place) {
      const all = yield* inFolderItself(place, (held) =>
        each(names.map((name) => timeOf(held, posix.basename(name)))),
      );
      return { all, real: place.way };
    });
    const known = await doLater(times).catch(() => null);
    for (const [index, at] of known?.all.entries() ?? []) {
      const name = posix.basename(names[index] ?? "");
      if (at !== undefined) files.set([...(known?.real ?? []), name].join("/"), at);
    }
  }
  return [...files].map(([path, at]) => ({ path, at }));
}

/** In milliseconds; undefined for what is no file. */
function* timeOf(held: HeldFolder, name: string): Work<number | undefined> {
  const stats = yield* statsIn(held, name);
  // A name that is not UTF-8 cannot be asked about: better shown, among the oldest, than left out.
  if (!stats && name.includes("\ufffd")) return 0;
  return stats?.isFile() ? Number(stats.mtimeNs) / 1e6 : undefined;
}

function inFolderAt<T>(root: HeldFolder, path: string, use: (folder: HeldFolder) => Work<T>): Work<T> {
  return atPlaceBelow(root, path, "follow", (place) => inFolderItself(place, use));
}
