import { type FSWatcher, lstatSync, watch } from "node:fs";
import { basename, dirname, isAbsolute, relative, sep } from "node:path";

/**
 * A path that a fence masks or makes read-only, with what stood there when the fence was made. On Linux the mount is on
 * that very file: the kernel takes it away, in every namespace, when another file is renamed over it or it is removed,
 * and that is how editors and git save. Source: mount_namespaces(7), rename(2).
 */
export interface HeldFile {
  /** Absolute. */
  path: string;
  /** A word for what stood there. */
  identity: string;
}

/** @param paths absolute @returns of those where something stands */
export const heldFiles = (paths: readonly string[]): HeldFile[] =>
  paths.flatMap((path) => {
    const identity = identityAt(path);
    return identity === null ? [] : [{ path, identity }];
  });

/** The number of a file that is gone is soon given to another, but not with the same time of birth. */
function identityAt(path: string): string | null {
  try {
    const info = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return info ? `${info.dev} ${info.ino} ${info.birthtimeNs}` : null;
  } catch {
    return null;
  }
}

/** What was removed has no successor yet that could be read or written. */
function wasReplaced({ path, identity }: HeldFile): boolean {
  const now = identityAt(path);
  return now !== null && now !== identity;
}

/** @returns whether an absolute path is, or lies in, what is held and still stands where it stood */
export function stillHeld(held: readonly HeldFile[]): (path: string) => boolean {
  const steady = held.filter(({ path, identity }) => identityAt(path) === identity);
  const paths = new Set(steady.map(({ path }) => path));
  return (path) => {
    for (let at = path; ; at = dirname(at)) {
      if (paths.has(at)) return true;
      if (at === dirname(at)) return false;
    }
  };
}

/** How often all of them are looked at, in milliseconds: what the system does not tell of is seen by then. */
const lookEveryMs = 100;
/** Folders whose changes the system is asked to tell of; each takes one of the user's inotify watches. */
const mostFolders = 1000;

/**
 * Tells once, and as soon as it can be known, that one of them was replaced.
 * @returns what ends the watch
 */
export function watchHeld(held: readonly HeldFile[], onReplaced: (path: string) => void): () => void {
  // Elsewhere a fence goes by paths, whatever file stands there.
  if (process.platform !== "linux" || held.length === 0) return () => {};
  const watchers: FSWatcher[] = [];
  let isOver = false;
  const end = () => {
    isOver = true;
    clearInterval(timer);
    for (const watcher of watchers) watcher.close();
  };
  const look = (files: readonly HeldFile[]) => {
    const replaced = isOver ? undefined : files.find(wasReplaced);
    if (!replaced) return;
    end();
    onReplaced(replaced.path);
  };
  const timer = setInterval(() => look(held), lookEveryMs);
  for (const folder of [...new Set(held.map(({ path }) => dirname(path)))].slice(0, mostFolders)) {
    const files = held.filter(({ path }) => dirname(path) === folder);
    const names = new Set([basename(folder), ...files.map(({ path }) => basename(path))]);
    try {
      const watcher = watch(folder, (_, name) => {
        if (name === null || names.has(name)) look(files);
      });
      watcher.on("error", () => {});
      watchers.push(watcher);
    } catch {
      // It is gone, or the user has no more watches: the timer looks there.
    }
  }
  look(held);
  return end;
}

/** In words, to follow on “ended:”. @param folder the working folder */
export function whyReplaced(path: string, folder: string): string {
  const way = relative(folder, path);
  const isInside = !isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`);
  return `${isInside ? way : path} was replaced while it ran, so the fence no longer held that file. It can be run again`;
}
