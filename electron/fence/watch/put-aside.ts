import { basename, dirname, join } from "node:path";
import { draftName } from "../../../shared/conversation/draft-file.ts";
import { grouped } from "../../../shared/grouped.ts";
import type { PutAside } from "../../agent/ports/ports.ts";
import { codeOf, makeFolders } from "../../files/calls.ts";
import { copyEntry, removeEntry } from "../../files/copy-entry.ts";
import { readFileIn } from "../../files/file-content.ts";
import { atEntryBelow } from "../../files/folder-below.ts";
import {
  type HeldFolder,
  namesOf,
  openChild,
  release,
  renameIn,
  setModeOf,
  statsIn,
  statsOfFolder,
} from "../../files/held-folder.ts";
import { atPlace, type Place } from "../../files/place.ts";
import { inItsFolder } from "../../files/place-folders.ts";
import { doLater, type Work } from "../../files/work.ts";
import { isHarmlessGitFile } from "../view/git-files.ts";

/** UTF-16 units of a file that the card shows. */
const maxShown = 20_000;
/** Bytes of a file that is read for it. */
const maxRead = 1_000_000;
/** How far down it shows what is in folders. */
const mostDepth = 4;
/** What is copied at most of one entry; nobody looks through more. */
const mostCopied = { bytes: 64 * 1_048_576, entries: 5000 };

export interface Appeared {
  /** What was there before, relative to the folder. */
  before: ReadonlySet<string>;
  /** What is there now. */
  after: readonly string[];
  /** Git's settings as the user had them, where another file has taken their place: by the path of each, their text. */
  settings: ReadonlyMap<string, string>;
}

/** What was taken, and what could not be. */
export interface Taken {
  putAside: Pick<PutAside, "paths" | "detail" | "putBack"> | null;
  /** By their names before: what could not be copied lies there still, under a name that means nothing. */
  renamed: readonly { path: string; now: string }[];
  /** Something gave way to something else meanwhile: there may be more. */
  isUnsteady: boolean;
}

/**
 * Takes what appeared of files that decide what runs elsewhere out of the working folder. A command that still runs may
 * exchange folders for links meanwhile: each folder on the way is held, and no link is followed. What is put aside are
 * copies, which nobody has open; of them the card shows what is in them.
 * @param place a folder that is not there yet, where no command writes: where they go
 */
export async function putAside(
  folder: string,
  { before, after, settings }: Appeared,
  place: string,
): Promise<Taken> {
  const appeared: string[] = [];
  const detail: string[] = [];
  const renamed: { path: string; now: string }[] = [];
  let isUnsteady = false;
  for (const path of after) {
    const gone = [...appeared, ...renamed.map((one) => one.path)];
    if (before.has(path) || gone.some((above) => path.startsWith(`${above}/`))) continue;
    const inRepository = /(^|\/)(\.git|modules)(\/|$)/.test(path) || gitNames.test(path);
    if (inRepository && (await isHarmlessGitFile(path, folder, settings.get(path)))) continue;
    try {
      const left = await doLater(atEntryBelow(folder, path, (held, name) => taken(held, name, place, path)));
      if (left === "nothing") continue;
      if (left === "copied") {
        appeared.push(path);
        detail.push(await doLater(atEntryBelow(place, path, (held, name) => shown(held, name, path))));
      } else renamed.push({ path, now: [...path.split("/").slice(0, -1), left.inert].join("/") });
    } catch (error) {
      if (!["REPLACED", "ENOENT", "ENOTDIR"].includes(codeOf(error))) throw error;
      isUnsteady = true;
    }
  }
  const aside = appeared.length > 0 ? { paths: appeared, detail: detail.join("\n\n") } : null;
  return {
    putAside: aside && { ...aside, putBack: () => putBack(folder, appeared, place) },
    renamed,
    isUnsteady,
  };
}

const gitNames = /(^|\/)(config|config\.worktree|hooks|commondir|attributes)$/;

/** @returns `inert`: it could not be copied, and lies in its folder under this name */
function* taken(
  held: HeldFolder,
  name: string,
  place: string,
  path: string,
): Work<"nothing" | "copied" | { inert: string }> {
  const stats = yield* statsIn(held, name);
  if (!stats || (stats.isDirectory() && (yield* isEmpty(held, name)))) return "nothing";
  // At once to a name that means nothing to anybody: what is copied then is what was there.
  const inert = draftName();
  yield* renamedHere(held, name, inert);
  try {
    yield* makeFolders(join(place, dirname(path)));
    yield* atEntryBelow(place, path, (target, newName) =>
      copyEntry(held, inert, target, newName, { ...mostCopied }),
    );
  } catch {
    yield* removed(join(place, path));
    return { inert };
  }
  try {
    yield* removeEntry(held, inert);
  } catch {
    // What cannot be removed stays under the name that means nothing.
  }
  return "copied";
}

/** What was copied of it so far. */
function* removed(path: string): Work<void> {
  try {
    yield* atEntryBelow(dirname(path), basename(path), removeEntry);
  } catch {
    // It may stay: nobody looks there.
  }
}

function* renamedHere(held: HeldFolder, name: string, newName: string): Work<void> {
  try {
    yield* renameIn(held, name, held, newName);
  } catch (error) {
    if (!["EACCES", "EPERM"].includes(codeOf(error))) throw error;
    // Whoever made the folder may have closed it.
    const { mode } = yield* statsOfFolder(held);
    yield* setModeOf(held, Number(mode & 0o7777n) | 0o700);
    yield* renameIn(held, name, held, newName);
  }
}

function* isEmpty(held: HeldFolder, name: string): Work<boolean> {
  const folder = yield* openChild(held, name);
  try {
    return (yield* namesOf(folder)).length === 0;
  } finally {
    yield* release(folder);
  }
}

/** Puts back what was put aside, at whatever time. What is there meanwhile stays. @throws Error in words */
export async function putBack(folder: string, paths: readonly string[], place: string): Promise<void> {
  const others: string[] = [];
  for (const path of paths) {
    if (!(await doLater(atPlace(folder, join(folder, path), "refuse", back(place, path))))) others.push(path);
  }
  if (others.length === 0) return;
  throw new Error(
    `There is now something else at ${others.join(", ")}. It stays; the other one is in ${place}.`,
  );
}

/** @returns whether nothing else stood there */
const back = (place: string, path: string) =>
  function* (goal: Place): Work<boolean> {
    const { stats, name: newName } = goal;
    if (stats || newName === null) return false;
    yield* inItsFolder(goal, (target) =>
      atEntryBelow(place, path, (source, name) =>
        copyEntry(source, name, target, newName, { ...mostCopied }),
      ),
    );
    return true;
  };

/** What decides is often at the end; what is left out is told. */
function bothEnds(text: string): string {
  if (text.length <= maxShown) return text;
  const half = maxShown / 2;
  const left = grouped(text.length - maxShown);
  return `${text.slice(0, half)}\n… (${left} characters are not shown here) …\n${text.slice(-half)}`;
}

/** Of a folder what is in it, as far as there is room. */
function* shown(held: HeldFolder, entry: string, path: string, depth = 0): Work<string> {
  const stats = yield* statsIn(held, entry);
  if (stats?.isDirectory()) {
    const folder = yield* openChild(held, entry);
    try {
      const names = (yield* namesOf(folder)).sort();
      if (depth === mostDepth) return `${path}/ (${names.length})`;
      let text = `${path}/`;
      for (const name of names) {
        if (text.length > maxShown) return `${text.slice(0, maxShown)}\n…`;
        text += `\n\n${yield* shown(folder, name, `${path}/${name}`, depth + 1)}`;
      }
      return text;
    } finally {
      yield* release(folder);
    }
  }
  if (!stats?.isFile()) return `${path} (${stats?.isSymbolicLink() ? "a link" : "no file"})`;
  if (stats.size > maxRead) return `${path} (${stats.size} bytes)`;
  const { bytes } = yield* readFileIn(held, entry, stats, maxRead);
  return `${path}\n${bothEnds(bytes.toString("utf8"))}`;
}
