import type { BigIntStats } from "node:fs";
import { codeOf } from "./calls.ts";
import {
  type FileContent,
  fillFileIn,
  readFileIn,
  withFileIn,
  writeFileIn,
  writeLinkIn,
} from "./file-content.ts";
import { FileError } from "./file-error.ts";
import {
  type HeldFolder,
  linkIn,
  makeFolderIn,
  namesOf,
  openChild,
  openRoot,
  rawNamesOf,
  release,
  removeFolderIn,
  setModeOf,
  statsIn,
  statsOfFolder,
  unlinkIn,
} from "./held-folder.ts";
import { doNow, done } from "./work.ts";

/** Folders that are held at once: those of a walk that goes from the top down are opened once each. */
const mostHeld = 64;

/** What stands for bytes that are no valid UTF-8. */
const noCharacter = "\ufffd";

export interface FolderNames {
  names: string[];
  /** With a stand-in for what is no text: to be shown, not to be used. */
  unreachable: string[];
}

/**
 * A folder and all that is below it, for a thread that may wait for a disk. Paths are relative, with `/`; "" is the folder
 * itself. No link is followed: where one stands in for a folder, nothing is there. Whoever made it closes it.
 */
export class FolderTree {
  /** Absolute. */
  readonly root: string;
  /** By path, the one that was used last at the end. */
  readonly #held = new Map<string, HeldFolder>();

  /** @param root absolute, and free of links; need not be there */
  constructor(root: string) {
    this.root = root;
  }

  /** Of the entry itself; undefined where there is none. @throws the system's error */
  stats(path: string): BigIntStats | undefined {
    if (path === "") return this.#ifThere(() => doNow(statsOfFolder(this.#folder(""))));
    return this.#ifThere(() => this.#at(path, (folder, name) => doNow(statsIn(folder, name))));
  }

  /** @returns apart, those that are no valid text: no path leads to them. @throws the system's error */
  names(path: string): FolderNames {
    const names = doNow(namesOf(this.#folder(path)));
    if (!names.some((name) => name.includes(noCharacter))) return { names, unreachable: [] };
    const found: FolderNames = { names: [], unreachable: [] };
    for (const raw of doNow(rawNamesOf(this.#folder(path)))) {
      const name = raw.toString("utf8");
      const isText = Buffer.from(name, "utf8").equals(raw);
      (isText ? found.names : found.unreachable).push(name);
    }
    return found;
  }

  /** Where a link says that it leads. @throws the system's error */
  linkAt(path: string): Buffer {
    return this.#at(path, (folder, name) => doNow(linkIn(folder, name)));
  }

  /**
   * @param looked what `stats` said
   * @param maxBytes from the file's start; of how it is when it is open
   * @throws the system's error; FileError REPLACED, NOFILE for what is no regular file
   */
  readFile(
    path: string,
    looked: BigIntStats,
    maxBytes: number | ((stats: BigIntStats) => number),
  ): FileContent {
    return this.#at(path, (folder, name) => doNow(readFileIn(folder, name, looked, maxBytes)));
  }

  /**
   * Opens a file that is too large to be read at once, for as long as it is used.
   * @param looked what `stats` said
   * @throws the system's error; FileError REPLACED where it is another by now, NOFILE; what `use` throws
   */
  withFile<T>(path: string, looked: BigIntStats, use: (fd: number) => T): T {
    const checked = (fd: number, { ino, dev }: BigIntStats) => {
      if (ino !== looked.ino || dev !== looked.dev) throw new FileError("REPLACED", `${path} was replaced`);
      return done(use(fd));
    };
    return this.#at(path, (folder, name) => doNow(withFileIn(folder, name, looked, checked)));
  }

  /** Whole or not at all. @param mode permission bits @param draft what it is called until it is whole */
  writeFile(path: string, bytes: Uint8Array, mode: number, draft?: string): void {
    const options = { mode, isDurable: false, draft };
    this.#at(path, (folder, name) => doNow(writeFileIn(folder, name, bytes, options)));
  }

  /** As `writeFile`. @param fill gets the new file, empty and open for writing; when it throws, nothing is replaced */
  fillFile(path: string, mode: number, fill: (fd: number) => void, draft?: string): void {
    const options = { mode, isDurable: false, draft };
    this.#at(path, (folder, name) => doNow(fillFileIn(folder, name, (fd) => done(fill(fd)), options)));
  }

  /** @param draft as `writeFile` takes it */
  writeLink(path: string, target: string, draft?: string): void {
    this.#at(path, (folder, name) => doNow(writeLinkIn(folder, name, target, draft)));
  }

  makeFolder(path: string): void {
    this.#at(path, (folder, name) => doNow(makeFolderIn(folder, name)));
  }

  removeFolder(path: string): void {
    this.#letGo(path);
    this.#at(path, (folder, name) => doNow(removeFolderIn(folder, name)));
  }

  /** Removes what is no folder. */
  unlink(path: string): void {
    this.#at(path, (folder, name) => doNow(unlinkIn(folder, name)));
  }

  /** @returns permission bits of a folder */
  modeOfFolder(path: string): number {
    return Number(doNow(statsOfFolder(this.#folder(path))).mode & 0o7777n);
  }

  setModeOfFolder(path: string, mode: number): void {
    doNow(setModeOf(this.#folder(path), mode));
  }

  close(): void {
    for (const held of this.#held.values()) doNow(release(held));
    this.#held.clear();
  }

  #at<T>(path: string, use: (folder: HeldFolder, name: string) => T): T {
    const end = path.lastIndexOf("/");
    return use(this.#folder(end < 0 ? "" : path.slice(0, end)), path.slice(end + 1));
  }

  #folder(path: string): HeldFolder {
    const known = this.#held.get(path);
    const held = known ?? this.#open(path);
    this.#held.delete(path);
    this.#held.set(path, held);
    for (const [oldest, unused] of this.#held) {
      if (this.#held.size <= mostHeld) break;
      this.#held.delete(oldest);
      doNow(release(unused));
    }
    return held;
  }

  #open(path: string): HeldFolder {
    if (path === "") return doNow(openRoot(this.root));
    return this.#at(path, (folder, name) => doNow(openChild(folder, name)));
  }

  #letGo(path: string): void {
    for (const [known, held] of this.#held) {
      if (known !== path && !known.startsWith(`${path}/`)) continue;
      this.#held.delete(known);
      doNow(release(held));
    }
  }

  #ifThere<T>(look: () => T): T | undefined {
    try {
      return look();
    } catch (error) {
      if (["ENOENT", "ENOTDIR", "REPLACED"].includes(codeOf(error))) return undefined;
      throw error;
    }
  }
}
