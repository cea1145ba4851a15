import type { Dirent } from "node:fs";
import PQueue from "p-queue";
import { codeOf } from "../../files/calls.ts";
import { openBelow } from "../../files/folder-below.ts";
import { entriesOf, type HeldFolder, openRoot, release } from "../../files/held-folder.ts";
import { doLater, doNow } from "../../files/work.ts";
import { placesOn } from "./places-on.ts";
import { isRebaseList, type RebaseRun, rebaseRuns } from "./rebase-runs.ts";

/** What was found in a working folder, relative to it, with `/`. */
export interface SteeringFiles {
  /** Files, folders and links that decide what runs elsewhere. Of a folder the folder, and what it holds. */
  protected: readonly string[];
  /** What a rebase runs when somebody goes on with it. Commands have to write these files. */
  runs: readonly RebaseRun[];
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
  /** Names of folders that programs make anew: `isHidden` is asked there up to a bound, and not in those of packages. */
  remade: readonly string[];
  /**
   * Finds what is called `.git` in folders that programs make anew, however deep. Not said: nobody does.
   * @param folders relative to the folder @returns the same; null: they could not be looked through
   */
  findGit?: ((folders: readonly string[]) => Promise<readonly string[] | null>) | undefined;
  /** Finds what a rule denies in folders that programs make anew, however deep, as `findGit` does. Not said: nothing. */
  findDenied?: ((folders: readonly string[]) => Promise<readonly string[] | null>) | undefined;
  /**
   * What git obeys by a name that it was given: folders of hooks, say. Not said: nothing.
   * @param tops folders that have a `.git`, relative to the folder; `""` is the folder @returns relative to it, links not followed
   */
  namedByGit?: ((tops: readonly string[]) => readonly string[]) | undefined;
}

/** Entries of a folder that are looked at; what is beyond is hidden from commands. */
export const maxEntries = 100_000;

/** Entries of folders that programs make anew that are looked at before each command. */
export const maxRemadeEntries = 10_000;
/** What packages of others are unpacked in: many entries, and no place for one's own keys. */
const packageFolders: ReadonlySet<string> = new Set(["node_modules", ".venv", "venv", "__pycache__"]);

/** Of these it is looked at what else they name; nobody has more. */
const most = { repositories: 200, links: 1000 };

/** Folders that are read at once. */
const mostAtOnce = 8;

/**
 * Finds what a command must not change or see. Links are seen as links and not followed, also where a command that runs
 * puts one in a folder's place meanwhile. Of a repository, also one without a work tree, only its configuration, hooks
 * and pointers are protected: all else is for git to change.
 */
export async function findSteeringFiles(
  folder: string,
  { isProtected, isHidden, remade, findGit, findDenied, namedByGit }: Looking,
  limit = maxEntries,
  remadeLimit = maxRemadeEntries,
): Promise<SteeringFiles> {
  const found = {
    protected: [] as string[],
    runs: [] as RebaseRun[],
    hidden: [] as string[],
    sockets: [] as string[],
    unseen: [] as string[],
    isUnsteady: false,
  };
  const skipped = new Set(remade);
  let count = 0;
  let remadeCount = 0;
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

  /** In what is protected, and what is itself protected: where these lead, it decides as much. */
  const links: string[] = [];
  const tops: string[] = [];

  /** What is protected as a whole still has secrets in it. */
  const visitProtected = async (path: string): Promise<void> => {
    const entries = await entriesAt(path);
    count += entries?.length ?? 0;
    const names = (entries ?? []).map((entry) => ({ entry, name: `${path}/${entry.name}` }));
    found.hidden.push(...names.filter(({ name }) => isHidden(name)).map(({ name }) => name));
    links.push(...names.filter(({ entry }) => entry.isSymbolicLink()).map(({ name }) => name));
    const below = names.filter(({ entry, name }) => entry.isDirectory() && !isHidden(name));
    if (count > limit) found.unseen.push(...below.map(({ name }) => name));
    else await Promise.all(below.map(({ name }) => visitProtected(name)));
  };

  /** Folders with so many entries that another looks for `.git` in them, and for what is denied in those of them that programs make anew. */
  const packages: string[] = [];
  const anew: string[] = [];
  const visitGit = (entry: Pick<Dirent, "isDirectory">, name: string) => {
    tops.push(above(name));
    if (entry.isDirectory()) return visit(name, "git");
    found.protected.push(name);
    return Promise.resolve();
  };

  /** What programs make anew, and what is hidden, has copies of secrets in it, and may have repositories: git obeys them anywhere. */
  const visitRemade = async (path: string, looksForGit: boolean): Promise<void> => {
    if (remadeCount > remadeLimit) return;
    // What comes and goes there meanwhile is a program's at its work.
    const entries = (await queue.add(() => entriesBelow(root, path)).catch(() => null)) ?? [];
    remadeCount += entries.length;
    const isRepository = isBare(entries);
    const below: Promise<void>[] = [];
    for (const entry of entries) {
      const name = `${path}/${entry.name}`;
      if (isHidden(name)) found.hidden.push(name);
      if (entry.name === ".git") {
        if (looksForGit) below.push(visitGit(entry, name));
      } else if (isRepository && isGitSteering(entry, name, true)) found.protected.push(name);
      else if (!entry.isDirectory()) continue;
      else if (!packageFolders.has(entry.name)) below.push(visitRemade(name, looksForGit));
      else if (looksForGit) packages.push(name);
    }
    await Promise.all(below);
  };

  const visitPackages = async (): Promise<void> => {
    if (packages.length === 0 || !findGit) return;
    const inside = await findGit(packages);
    if (!inside) found.unseen.push(...packages);
    for (const name of inside ?? []) {
      const entries = await entriesAt(name.slice(0, name.lastIndexOf("/")));
      const entry = entries?.find((one) => name.endsWith(`/${one.name}`));
      if (entry) await visitGit(entry, name);
    }
  };

  const visitAnew = async (): Promise<void> => {
    if (anew.length === 0 || !findDenied) return;
    const inside = await findDenied(anew);
    if (!inside) found.unseen.push(...anew);
    else found.hidden = [...new Set([...found.hidden, ...inside])];
  };

  const lookForRuns = async (path: string): Promise<void> => {
    const lines = await doLater(rebaseRuns(root, path));
    found.runs.push(...lines.map((line) => ({ path, line })));
  };

  const visit = async (path: string, around: Repository): Promise<void> => {
    const entries = await entriesAt(path);
    if (!entries) return;
    count += entries.length;
    const within = around ?? (isBare(entries) ? "look-alike" : null);
    const isRepositoryItself = within === "git" && entries.some(({ name }) => name === "HEAD");
    const below: Promise<void>[] = [];
    for (const entry of entries) {
      const name = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.name === ".git") tops.push(path);
      const isGit = entry.name === ".git" || (within === "git" && entry.name === "modules");
      if (entry.isSocket()) found.sockets.push(name);
      // Git must be able to read what it is told by.
      const hides = isHidden(name) && !(within === "git" && gitsOwn.has(entry.name));
      if (hides) found.hidden.push(name);
      if (hides && isProtected(name)) found.protected.push(name);
      else if (hides) {
        if (entry.isDirectory()) below.push(visitRemade(name, true));
      } else if (within && isGitSteering(entry, name, isRepositoryItself || isBare(entries)))
        found.protected.push(name);
      else if (within === "git" && isRebaseList(entry)) below.push(lookForRuns(name));
      else if (isGit && entry.isDirectory()) below.push(visit(name, "git"));
      else if (isRepositoryItself && isGitData.has(entry.name)) continue;
      else if (within !== "git" && (isProtected(name) || entry.name === ".git")) {
        found.protected.push(name);
        if (entry.isSymbolicLink()) links.push(name);
        if (entry.isDirectory()) below.push(visitProtected(name));
      } else if (entry.isDirectory()) {
        const isRemade = skipped.has(entry.name);
        if (isRemade) {
          packages.push(name);
          anew.push(name);
        }
        if (isRemade && !packageFolders.has(entry.name)) below.push(visitRemade(name, false));
        else if (isRemade) continue;
        else if (count > limit) found.unseen.push(name);
        else below.push(visit(name, within));
      }
    }
    await Promise.all(below);
  };
  try {
    await visit("", null);
    await Promise.all([visitPackages(), visitAnew()]);
    const named = [...(namedByGit?.(tops.slice(0, most.repositories)) ?? []), ...links.slice(0, most.links)];
    const known = new Set(found.protected);
    for (const way of await Promise.all(named.map((path) => doLater(placesOn(root, folder, path))))) {
      if (way === null) found.isUnsteady = true;
      for (const path of way ?? []) known.add(path);
    }
    return { ...found, protected: [...known] };
  } finally {
    doNow(release(root));
  }
}

const above = (name: string) => (name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : "");

/** Opened at once, which waits for nothing but a disk that was just read; read in the background. */
async function entriesBelow(root: HeldFolder, path: string): Promise<Dirent[]> {
  const held = doNow(openBelow(root, path === "" ? [] : path.split("/")));
  try {
    return await doLater(entriesOf(held));
  } finally {
    if (held !== root) doNow(release(held));
  }
}

/**
 * What a folder belongs to: what is called `.git`, or one that has the names of a repository without a work tree. Anybody can
 * make these: what is hidden and protected elsewhere is so there, too.
 */
type Repository = "git" | "look-alike" | null;

/** What git itself writes at every turn; nothing of it says what runs. */
const isGitData: ReadonlySet<string> = new Set(["objects", "refs", "logs", "lfs"]);

/** Configuration, hooks, and what points to another place that has some. @param isTop it lies in the repository itself */
const isGitSteering = (entry: Dirent, path: string, isTop: boolean): boolean =>
  gitSteering.has(entry.name) ||
  (isTop && remoteFolders.has(entry.name)) ||
  (entry.name === "attributes" && /(^|\/)info\/attributes$/.test(path));

/** What git keeps by these names is no secret, whatever it is called elsewhere. */
const gitsOwn: ReadonlySet<string> = new Set([
  ...["HEAD", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "COMMIT_EDITMSG", "index", "packed-refs", "shallow"],
  ...["config", "config.worktree", "commondir", "gitdir", "description", "attributes", "exclude"],
  ...["objects", "refs", "logs", "lfs", "hooks", "info", "modules", "worktrees"],
]);

const gitSteering: ReadonlySet<string> = new Set(["config", "config.worktree", "hooks", "commondir"]);

/** Addresses, as git kept them once and still reads them. As names of branches they mean nothing. */
const remoteFolders: ReadonlySet<string> = new Set(["remotes", "branches"]);

const isBare = (entries: readonly Dirent[]): boolean => {
  const names = new Set(entries.map(({ name }) => name));
  return names.has("HEAD") && names.has("objects") && names.has("refs");
};
