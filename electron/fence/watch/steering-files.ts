import type { Dirent } from "node:fs";
import PQueue from "p-queue";
import { codeOf } from "../../files/calls.ts";
import { openBelow } from "../../files/folder-below.ts";
import { entriesOf, type HeldFolder, openRoot, release } from "../../files/held-folder.ts";
import { doLater, doNow } from "../../files/work.ts";

/** What was found in a working folder, relative to it, with `/`. */
export interface SteeringFiles {
  /** Files, folders and links that decide what runs elsewhere. Of a folder the folder, and what it holds. */
  protected: readonly string[];
  /** What holds keys by its name, and what a rule denies. */
  hidden: readonly string[];
  /** Sockets: whoever listens there is outside of the fence. */
  sockets: readonly string[];
  /** Folders that were not looked into: there were too many entries. */
  unseen: readonly string[];
  /** A folder was moved away, or gave way to a link, while it was looked for: there may be more than was found. */
  isUnsteady: boolean;
}

export interface Looking {
  isProtected(path: string): boolean;
  isHidden(path: string): boolean;
  /** Names of folders that are not looked into. */
  remade: readonly string[];
}

/** Entries of a folder that are looked at; what is beyond is hidden from commands. */
export const maxEntries = 100_000;

/** Folders that are read at once. */
const mostAtOnce = 8;

/**
 * Finds what a command must not change or see. Links are seen as links and not followed, also where a command that runs
 * puts one in a folder's place meanwhile. Of a repository, also one without a work tree, only its configuration, hooks
 * and pointers are protected: all else is for git to change.
 */
export async function findSteeringFiles(
  folder: string,
  { isProtected, isHidden, remade }: Looking,
  limit = maxEntries,
): Promise<SteeringFiles> {
  const found = {
    protected: [] as string[],
    hidden: [] as string[],
    sockets: [] as string[],
    unseen: [] as string[],
    isUnsteady: false,
  };
  const skipped = new Set(remade);
  let count = 0;
  const queue = new PQueue({ concurrency: mostAtOnce });
  const root = doNow(openRoot(folder));
  const entriesAt = async (path: string) => {
    try {
      return await queue.add(() => entriesBelow(root, path));
    } catch (error) {
      if (["REPLACED", "ENOENT", "ENOTDIR"].includes(codeOf(error))) found.isUnsteady = true;
      return null;
    }
  };

  /** What is protected as a whole still has secrets in it. */
  const visitProtected = async (path: string): Promise<void> => {
    const entries = await entriesAt(path);
    count += entries?.length ?? 0;
    const names = (entries ?? []).map((entry) => ({ entry, name: `${path}/${entry.name}` }));
    found.hidden.push(...names.filter(({ name }) => isHidden(name)).map(({ name }) => name));
    const below = names.filter(({ entry, name }) => entry.isDirectory() && !isHidden(name));
    if (count > limit) found.unseen.push(...below.map(({ name }) => name));
    else await Promise.all(below.map(({ name }) => visitProtected(name)));
  };

  const visit = async (path: string, inRepository: boolean): Promise<void> => {
    const entries = await entriesAt(path);
    if (!entries) return;
    count += entries.length;
    const isRepository = inRepository || isBare(entries);
    const below: Promise<void>[] = [];
    for (const entry of entries) {
      const name = path === "" ? entry.name : `${path}/${entry.name}`;
      const isGit = entry.name === ".git" || (isRepository && entry.name === "modules");
      if (entry.isSocket()) found.sockets.push(name);
      // Git must be able to read what it is told by.
      const hides = !isRepository && isHidden(name);
      if (hides) found.hidden.push(name);
      if (hides && isProtected(name)) found.protected.push(name);
      else if (hides) continue;
      else if (isRepository && isGitSteering(entry, name)) found.protected.push(name);
      else if (isGit && entry.isDirectory()) below.push(visit(name, true));
      else if (isRepository && isGitData.has(entry.name)) continue;
      else if (!isRepository && (isProtected(name) || entry.name === ".git")) {
        found.protected.push(name);
        if (entry.isDirectory()) below.push(visitProtected(name));
      } else if (entry.isDirectory() && !skipped.has(entry.name)) {
        if (count > limit) found.unseen.push(name);
        else below.push(visit(name, isRepository));
      }
    }
    await Promise.all(below);
  };
  try {
    await visit("", false);
    return found;
  } finally {
    doNow(release(root));
  }
}

/** Opened at once, which waits for nothing but a disk that was just read; read in the background. */
async function entriesBelow(root: HeldFolder, path: string): Promise<Dirent[]> {
  const held = doNow(openBelow(root, path === "" ? [] : path.split("/")));
  try {
    return await doLater(entriesOf(held));
  } finally {
    if (held !== root) doNow(release(held));
  }
}

/** What git itself writes at every turn; nothing of it says what runs. */
const isGitData: ReadonlySet<string> = new Set(["objects", "refs", "logs", "lfs"]);

/** Configuration, hooks, and what points to another place that has some. */
const isGitSteering = (entry: Dirent, path: string): boolean =>
  gitSteering.has(entry.name) || (entry.name === "attributes" && /(^|\/)info\/attributes$/.test(path));

const gitSteering: ReadonlySet<string> = new Set(["config", "config.worktree", "hooks", "commondir"]);

const isBare = (entries: readonly Dirent[]): boolean => {
  const names = new Set(entries.map(({ name }) => name));
  return names.has("HEAD") && names.has("objects") && names.has("refs");
};
