import type { BigIntStats, Dirent } from "node:fs";
import { type DirectoryEntry, EnvironmentError, type FileStat } from "../../agent/ports/ports.ts";
import { codeOf, lstat } from "../../files/calls.ts";
import { moveAcross, readFileIn, writeFileIn } from "../../files/file-content.ts";
import { FileError } from "../../files/file-error.ts";
import {
  entriesOf,
  type HeldFolder,
  mustBeWritable,
  renameIn,
  statsIn,
  unlinkIn,
} from "../../files/held-folder.ts";
import { atPlace, type LinkUse, type Place, type PlaceFacts } from "../../files/place.ts";
import { inFolderItself, inItsFolder } from "../../files/place-folders.ts";
import { doLater, done, each, type Work } from "../../files/work.ts";
import { type ContainedPaths, explained } from "./contained-path.ts";

/** Where a path led: its names from the root, links followed, and followed but for the entry itself. Null: nobody could tell. */
type Pin = Readonly<Record<"follow" | "entry", string | null>>;

/** The files below one folder. Each call holds the folders on its way: no link that somebody puts there leads it out. */
export class LocalFiles {
  readonly #paths: ContainedPaths;
  /** By absolute path. */
  readonly #pins: ReadonlyMap<string, Pin>;

  constructor(paths: ContainedPaths, pins: ReadonlyMap<string, Pin> = new Map()) {
    this.#paths = paths;
    this.#pins = pins;
  }

  /** The same files, of which these lead where they lead now. Never throws. */
  async pinned(paths: readonly string[]): Promise<LocalFiles> {
    const way = async (path: string, links: "follow" | "entry") => {
      const facts = this.#at(path, links, ({ stats, way, missing }) => done({ stats, way, missing }));
      return await facts.then(
        (found) => found.way.join("/"),
        () => null,
      );
    };
    const pins = new Map<string, Pin>();
    for (const path of paths) {
      // What is no path is refused by itself.
      if (path.includes("\0")) continue;
      pins.set(this.#paths.absolute(path), {
        follow: await way(path, "follow"),
        entry: await way(path, "entry"),
      });
    }
    return new LocalFiles(this.#paths, pins);
  }

  /** @returns where a pinned path leads, from the root; undefined for others, and where nobody can tell */
  leadsTo(path: string): string | undefined {
    return path.includes("\0")
      ? undefined
      : (this.#pins.get(this.#paths.absolute(path))?.follow ?? undefined);
  }

  /** @param links "refuse" for a path that was looked at before: it must lead where it led then */
  async read(
    path: string,
    { maxBytes, links = "follow" }: { maxBytes: number; links?: LinkUse },
  ): Promise<{ bytes: Uint8Array; totalBytes: number }> {
    return await this.#at(path, links, function* (place) {
      const name = fileName(place, path);
      const looked = mustBeThere(place.stats, path);
      const { bytes, stats } = yield* readFileIn(place.folder, name, looked, maxBytes);
      return { bytes, totalBytes: Number(stats.size) };
    });
  }

  /** Whole or not at all; parents are made, an existing file keeps its mode. On the disk when it resolves. */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    await this.#at(path, "follow", function* (place) {
      const name = place.stats ? fileName(place, path) : entryName(place, path);
      if (place.stats) yield* mustBeWritable(place.folder, name);
      const mode = place.stats && modeOf(place.stats);
      yield* inItsFolder(place, (folder) => writeFileIn(folder, name, bytes, { mode, isDurable: true }));
    });
  }

  async exists(path: string): Promise<boolean> {
    try {
      return (await this.#look(path)).stats !== undefined;
    } catch (error) {
      if (error instanceof EnvironmentError && codeOf(error.cause) === "ENOTDIR") return false;
      throw error;
    }
  }

  async remove(path: string): Promise<void> {
    await this.#atFile(path, function* ({ folder }, name) {
      yield* unlinkIn(folder, name);
    });
  }

  /** Never replaces what is there; parents are made. */
  async move(from: string, to: string): Promise<void> {
    await this.#atFile(from, (source, name) =>
      this.#work(to, "follow", function* (place) {
        if (place.stats) throw new EnvironmentError(`${to} is there already.`);
        const newName = entryName(place, to);
        yield* inItsFolder(place, (folder) => moved(source.folder, name, folder, newName));
      }),
    );
  }

  async stat(path: string): Promise<FileStat> {
    const stats = mustBeThere((await this.#look(path)).stats, path);
    return {
      kind: stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other",
      size: Number(stats.size),
      modifiedAt: Number(stats.mtimeNs) / 1e6,
      mode: modeOf(stats),
    };
  }

  async list(path: string): Promise<DirectoryEntry[]> {
    return await this.#inFolder(path, function* (folder) {
      const entries = yield* entriesOf(folder);
      return yield* each(entries.map((entry) => described(folder, entry)));
    });
  }

  /** @returns the names from the root to a folder, free of links */
  async wayTo(path: string): Promise<readonly string[]> {
    const { stats, way } = await this.#look(path);
    if (!mustBeThere(stats, path).isDirectory()) throw new EnvironmentError(`${path} is not a folder.`);
    return way;
  }

  async #look(path: string): Promise<PlaceFacts> {
    return await this.#at(path, "follow", ({ stats, way, missing }) => done({ stats, way, missing }));
  }

  /** The entry that a path names, of a link the link; what it leads to is looked at as well. */
  async #atFile<T>(path: string, use: (place: Place, name: string) => Work<T>): Promise<T> {
    return await this.#at(path, "follow", (target) => {
      fileName(target, path, true);
      return this.#work(path, "entry", (place) => use(place, entryName(place, path)));
    });
  }

  async #inFolder<T>(path: string, use: (folder: HeldFolder) => Work<T>): Promise<T> {
    return await this.#at(path, "follow", function* (place) {
      if (!mustBeThere(place.stats, path).isDirectory())
        throw new EnvironmentError(`${path} is not a folder.`);
      return yield* inFolderItself(place, use);
    });
  }

  async #at<T>(path: string, links: LinkUse, use: (place: Place) => Work<T>): Promise<T> {
    return await doLater(this.#work(path, links, use));
  }

  *#work<T>(path: string, links: LinkUse, use: (place: Place) => Work<T>): Work<T> {
    const target = this.#paths.absolute(path);
    const pin = this.#pins.get(target)?.[links === "entry" ? "entry" : "follow"];
    try {
      return yield* atPlace(this.#paths.folder, target, links, (place) => {
        if (pin === undefined || pin === place.way.join("/")) return use(place);
        throw new FileError("REPLACED", `${path} leads elsewhere now`);
      });
    } catch (error) {
      const code = codeOf(error);
      if (code === "ENOENT" && (yield* lstat(this.#paths.folder)) === undefined) throw this.#paths.gone();
      throw code === "OUTSIDE" ? this.#paths.outside(path) : explained(error, path);
    }
  }
}

function* moved(from: HeldFolder, name: string, to: HeldFolder, newName: string): Work<void> {
  try {
    yield* renameIn(from, name, to, newName);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    // Another disk is mounted on a folder in between.
    yield* moveAcross(from, name, to, newName);
  }
}

function* described(folder: HeldFolder, entry: Dirent): Work<DirectoryEntry> {
  const { name } = entry;
  if (entry.isDirectory()) return { name, kind: "directory" };
  if (entry.isSymbolicLink()) return { name, kind: "symlink" };
  if (!entry.isFile()) return { name, kind: "other" };
  const stats = yield* statsIn(folder, name);
  return { name, kind: "file", ...(stats && { size: Number(stats.size) }) };
}

/** @param isAny whether a pipe or a socket will do @throws EnvironmentError for what is no file */
function fileName(place: Place, path: string, isAny = false): string {
  const stats = mustBeThere(place.stats, path);
  if (!isAny && !stats.isFile() && !stats.isDirectory()) {
    throw new EnvironmentError(`${path} is not a regular file.`);
  }
  if (stats.isDirectory()) throw new EnvironmentError(`${path} is a folder, not a file.`);
  return entryName(place, path);
}

function entryName({ name }: Place, path: string): string {
  if (name === null) throw new EnvironmentError(`${path} is a folder, not a file.`);
  return name;
}

function mustBeThere(stats: BigIntStats | undefined, path: string): BigIntStats {
  if (stats) return stats;
  throw explained(new FileError("ENOENT", "nothing is there"), path);
}

const modeOf = (stats: BigIntStats) => Number(stats.mode & 0o7777n);
