import type { Dirent } from "node:fs";
import { isAbsolute, join, posix } from "node:path";
import PQueue from "p-queue";
import { type FileSystemAdapter, glob } from "tinyglobby";
import { EnvironmentError } from "../agent/ports/ports.ts";
import { entriesOf, type HeldFolder, openRoot, release, statsIn } from "../files/held-folder.ts";
import { atPlaceBelow } from "../files/place.ts";
import { inFolderItself } from "../files/place-folders.ts";
import { doLater, each, type Work } from "../files/work.ts";

/** Left out unless the pattern names them: nobody means the files of other people's packages. */
const skipped = ["node_modules"];

/** In one name of a pattern. */
const mostStars = 3;

/** Folders that are read at once: each holds open those on its way from the root, and a process may open only so many. */
const mostRead = 16;

/**
 * Files below a folder that match, newest first. Dot files are left out, and what lies outside by a link.
 * @param root absolute, and free of links
 * @param way the names from the root to the folder
 * @returns paths from the root, free of links, and whether there were more than `limit`
 * @throws EnvironmentError for a pattern that leads out; the signal's reason when aborted
 */
export async function findFiles(
  pattern: string,
  root: string,
  way: readonly string[],
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<{ paths: string[]; truncated: boolean }> {
  if (isAbsolute(pattern) || pattern.split(/[\\/{},]/).includes("..")) {
    throw new EnvironmentError(`${pattern}: a pattern is relative to its folder and cannot lead out of it.`);
  }
  // Each further one takes as many times longer as a name has letters.
  if (starsIn(pattern) > mostStars) {
    throw new EnvironmentError(
      `${pattern}: a name in a pattern can have at most ${mostStars} stars. Use fewer, and choose among what is found.`,
    );
  }
  const held = await doLater(openRoot(root));
  try {
    const found = await matching(pattern, held, way, signal);
    const files = await withTimes(found, held, way, signal);
    files.sort((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1));
    return { paths: files.slice(0, limit).map(({ path }) => path), truncated: files.length > limit };
  } finally {
    await doLater(release(held));
  }
}

async function matching(
  pattern: string,
  root: HeldFolder,
  way: readonly string[],
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
    const found = await glob(spellings(pattern), {
      cwd: join(root.path, ...way),
      onlyFiles: false,
      expandDirectories: false,
      // `*(…)` and the like may try a name in endlessly many ways.
      extglob: false,
      // Through a link one can get out, or around in circles.
      followSymbolicLinks: false,
      ignore: skipped.filter((name) => !pattern.includes(name)).map((name) => `**/${name}/**`),
      fs: { readdir: readdir as FileSystemAdapter["readdir"] },
      signal,
    });
    signal.throwIfAborted();
    return found;
  } finally {
    // When it was given up, folders are being read still: below a root that is held.
    await reading.onIdle();
  }
}

/** The most of any name in it; of `{a,b}` one alternative counts. */
function starsIn(pattern: string): number {
  const starsOf = (text: string) => (text.match(/\*+/g) ?? []).length;
  const most = (inner: string) =>
    inner.split(",").reduce((one, other) => (starsOf(other) > starsOf(one) ? other : one));
  const flat = pattern.replaceAll(/\{([^{}]*)\}/g, (_, inner: string) => most(inner));
  return flat === pattern ? Math.max(...pattern.split(/[\\/]/).map(starsOf)) : starsIn(flat);
}

/** A pattern in each way to write its letters: names on a disk may have them in another one. */
export function spellings(pattern: string): string[] {
  // In brackets a letter and its accent would be two.
  if (/\[[^\]]*[^ -~\]]/.test(pattern)) return [pattern];
  return [...new Set([pattern, pattern.normalize("NFC"), pattern.normalize("NFD")])];
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
    if (name.endsWith("/")) continue;
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
