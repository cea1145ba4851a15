import { copyFileIn } from "./file-content.ts";
import { FileError } from "./file-error.ts";
import {
  type HeldFolder,
  linkIn,
  makeFolderIn,
  makeLinkIn,
  namesOf,
  openChild,
  release,
  removeFolderIn,
  setModeOf,
  statsIn,
  statsOfFolder,
  unlinkIn,
} from "./held-folder.ts";
import type { Work } from "./work.ts";

/** What may be copied at most. */
export interface CopyLimits {
  bytes: number;
  /** Files, links and folders. */
  entries: number;
}

/**
 * Copies an entry with all that is in it. Links are copied as links; what is no file, link or folder is left out. Nobody
 * who has the first open can write to the copy.
 * @param limits what is left of them: counted down
 * @throws the system's error; FileError TOO_MUCH beyond the limits, REPLACED
 */
export function* copyEntry(
  from: HeldFolder,
  name: string,
  to: HeldFolder,
  newName: string,
  limits: CopyLimits,
): Work<void> {
  const stats = yield* statsIn(from, name);
  if (!stats) return;
  limits.entries--;
  limits.bytes -= stats.isFile() ? Number(stats.size) : 0;
  if (limits.entries < 0 || limits.bytes < 0) throw new FileError("TOO_MUCH", `${name} is too large`);
  if (stats.isSymbolicLink()) yield* makeLinkIn(to, newName, (yield* linkIn(from, name)).toString("utf8"));
  else if (stats.isFile()) {
    const mostBytes = Number(stats.size);
    yield* copyFileIn(from, name, to, newName, { isDurable: false, mostBytes });
  } else if (stats.isDirectory()) {
    yield* makeFolderIn(to, newName);
    yield* bothFolders(from, name, to, newName, function* (source, target) {
      for (const entry of yield* namesOf(source)) yield* copyEntry(source, entry, target, entry, limits);
      yield* setModeOf(target, Number((yield* statsOfFolder(source)).mode & 0o7777n));
    });
  }
}

function* bothFolders(
  from: HeldFolder,
  name: string,
  to: HeldFolder,
  newName: string,
  use: (source: HeldFolder, target: HeldFolder) => Work<void>,
): Work<void> {
  const source = yield* openChild(from, name);
  try {
    const target = yield* openChild(to, newName);
    try {
      yield* use(source, target);
    } finally {
      yield* release(target);
    }
  } finally {
    yield* release(source);
  }
}

/** Removes an entry with all that is in it; links are not followed. @throws the system's error */
export function* removeEntry(held: HeldFolder, name: string): Work<void> {
  const stats = yield* statsIn(held, name);
  if (!stats) return;
  if (!stats.isDirectory()) {
    yield* unlinkIn(held, name);
    return;
  }
  const folder = yield* openChild(held, name);
  try {
    for (const entry of yield* namesOf(folder)) yield* removeEntry(folder, entry);
  } finally {
    yield* release(folder);
  }
  yield* removeFolderIn(held, name);
}
