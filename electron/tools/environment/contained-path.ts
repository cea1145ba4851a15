import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { EnvironmentError } from "../../agent/ports/ports.ts";
import { codeOf } from "../../files/calls.ts";
import { expandHome } from "../../files/expand-home.ts";
import { plainSigns } from "../patch/look-alikes.ts";

/** Where a path of a tool's input may lead: below one folder, symbolic links followed. */
export class ContainedPaths {
  readonly folder: string;
  readonly #home: string;

  /** @param folder absolute, and free of symbolic links */
  constructor(folder: string, home: string) {
    this.folder = folder;
    this.#home = home;
  }

  /** @returns where `path` really leads. @throws EnvironmentError when that is outside, or nothing is there */
  async existing(path: string): Promise<string> {
    const target = this.absolute(path);
    const real = await realpath(target).catch(async (error: unknown) => {
      // What is outside gets one answer, whether it exists or not.
      await this.possible(path);
      throw (await isThere(this.folder)) ? explained(error, path) : this.gone();
    });
    if (!this.contains(real)) throw outside(path, this.folder);
    return real;
  }

  /**
   * As `existing`, for something that need not be there yet: the folders above it that are there decide.
   * @throws EnvironmentError also for a link that leads nowhere: what it will lead to later, nobody has checked
   */
  async possible(path: string): Promise<string> {
    const target = this.absolute(path);
    const missing: string[] = [];
    for (let at = target; ; at = dirname(at)) {
      const real = await realpath(at).catch(ifAbsent);
      if (real !== undefined) {
        const result = join(real, ...missing);
        if (!this.contains(result)) throw outside(path, this.folder);
        return result;
      }
      if ((await lstat(at).catch(ifAbsent)) !== undefined) {
        throw this.contains(target)
          ? new EnvironmentError(`${path}: a symbolic link on the way leads nowhere.`)
          : outside(path, this.folder);
      }
      missing.unshift(basename(at));
    }
  }

  /** @param target absolute, and free of symbolic links */
  contains(target: string): boolean {
    const way = relative(this.folder, target);
    return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  }

  outside(path: string): EnvironmentError {
    return outside(path, this.folder);
  }

  /** Of anything below a folder that was moved or deleted it would be half of the truth that it is not there. */
  gone(): EnvironmentError {
    return new EnvironmentError(`The working folder ${this.folder} is no longer there.`);
  }

  /** As a tool shows it: relative to the folder. */
  shown(target: string): string {
    return relative(this.folder, target).replaceAll(sep, "/") || ".";
  }

  /** See `ExecutionEnvironment.ownName`. Never throws: who uses the path says what is wrong with it. */
  ownName(path: string, isLoose: boolean): string {
    try {
      const target = this.absolute(path);
      const isThere = lstatSync(target, { throwIfNoEntry: false }) !== undefined;
      if (isThere || !this.contains(target)) return path;
      const names = relative(this.folder, target).split(sep);
      let at = this.folder;
      for (const [index, name] of names.entries()) {
        // Behind a link that leads out, what is there is nobody's to know.
        if (!this.contains(realpathSync(at))) return path;
        const own = nameIn(at, name, isLoose);
        at = join(at, ...(own === undefined ? names.slice(index) : [own]));
        if (own === undefined) break;
      }
      return at === target ? path : this.shown(at);
    } catch {
      return path;
    }
  }

  /** Links not followed. @throws EnvironmentError for what is no path */
  absolute(path: string): string {
    if (path.includes("\0")) throw new EnvironmentError("A path cannot contain a NUL character.");
    return resolve(this.folder, expandHome(path, this.#home));
  }
}

/** What an entry of a folder is called, exactly or in another way to write it; undefined where there is none, or several. */
function nameIn(folder: string, name: string, isLoose: boolean): string | undefined {
  if (lstatSync(join(folder, name), { throwIfNoEntry: false })) return name;
  const all = readdirSync(folder);
  for (const form of [composed, ...(isLoose ? [plainSigns] : [])]) {
    const wanted = form(name);
    const [own, ...others] = all.filter((entry) => form(entry) === wanted);
    if (own !== undefined) return others.length === 0 ? own : undefined;
  }
  return undefined;
}

const composed = (name: string) => name.normalize("NFC");

const outside = (path: string, folder: string) =>
  new EnvironmentError(`${path} is outside the working folder ${folder}, and out of reach.`);

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    (error: unknown) => codeOf(error) !== "ENOENT",
  );

function ifAbsent(error: unknown): undefined {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "ENOTDIR") return undefined;
  throw explained(error, "The path");
}

/** A failed file operation in words. */
export function explained(error: unknown, path: string): EnvironmentError {
  if (error instanceof EnvironmentError) return error;
  const message = words[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
  return new EnvironmentError(`${path}: ${message}`, { cause: error });
}

const words: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder.",
  ENOTDIR: "that is not a folder.",
  EISDIR: "that is a folder, not a file.",
  EEXIST: "that is a file, not a folder.",
  EACCES: "access is not permitted.",
  EPERM: "access is not permitted.",
  EROFS: "that disk can only be read.",
  ENOSPC: "the disk is full.",
  ELOOP: "its symbolic links go in a circle.",
  ENAMETOOLONG: "the name is too long.",
  DANGLING: "a symbolic link on the way leads nowhere.",
  LINK: "it is a symbolic link now, or lies behind one.",
  NOFILE: "it is not a regular file.",
  REPLACED: "it was replaced while it was being opened; try again.",
};
