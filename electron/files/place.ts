import type { BigIntStats } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { codeOf, lstat, realPath } from "./calls.ts";
import { FileError } from "./file-error.ts";
import {
  type HeldFolder,
  linkIn,
  openChild,
  openRoot,
  release,
  statsIn,
  statsOfFolder,
} from "./held-folder.ts";
import { done, type Work } from "./work.ts";

/** Where a path below a root leads. Its folder is held. */
export interface Place {
  /** The folder that the entry is in; where folders are missing, the last one that is there. */
  readonly folder: HeldFolder;
  /** What the entry is called; null: it is `folder` itself, such as the root. */
  readonly name: string | null;
  /** Folders to be made in `folder`, one in the other, before the entry can be. */
  readonly missing: readonly string[];
  /** Of the entry; undefined where there is none. */
  readonly stats: BigIntStats | undefined;
  /** The names from the root to the entry, free of links. */
  readonly way: readonly string[];
}

/** What is done with links: "follow" them all; "entry": all but one that is the entry itself; "refuse" them all. */
export type LinkUse = "follow" | "entry" | "refuse";

/**
 * Finds a path below a root and does something there. Links are followed by us, never by the system: whoever exchanges
 * one meanwhile leads nobody out of the root.
 * @param root absolute, and free of links
 * @param target absolute, without `..`
 * @param use what it gets is let go afterwards
 * @throws the system's error; FileError OUTSIDE, DANGLING, ELOOP, LINK, REPLACED
 */
export function* atPlace<T>(
  root: string,
  target: string,
  links: LinkUse,
  use: (place: Place) => Work<T>,
): Work<T> {
  const held = yield* openRoot(root);
  try {
    return yield* atPlaceBelow(held, target, links, use);
  } finally {
    yield* release(held);
  }
}

/** What is to be known of a place when its folder is let go. */
export type PlaceFacts = Pick<Place, "way" | "missing" | "stats">;

/** Only looks. As `atPlace`. */
export function placeFacts(root: string, target: string, links: LinkUse): Work<PlaceFacts> {
  return atPlace(root, target, links, ({ way, missing, stats }) => done({ way, missing, stats }));
}

/** As `atPlace`, from a root that is held and stays so. */
export function* atPlaceBelow<T>(
  root: HeldFolder,
  target: string,
  links: LinkUse,
  use: (place: Place) => Work<T>,
): Work<T> {
  const search = new Search(root, links);
  try {
    return yield* use(yield* search.find(target));
  } finally {
    yield* search.end();
  }
}

/** As many as the system follows. */
const mostLinks = 40;

interface Part {
  name: string;
  /** Of what a link says, not of the path that was asked for. */
  isOfLink: boolean;
}

class Search {
  readonly #root: HeldFolder;
  readonly #links: LinkUse;
  /** Where it has come to. */
  #folder: HeldFolder;
  #way: string[] = [];
  #todo: Part[] = [];
  #followed = 0;

  constructor(root: HeldFolder, links: LinkUse) {
    this.#root = root;
    this.#folder = root;
    this.#links = links;
  }

  *find(target: string): Work<Place> {
    const { path } = this.#root;
    const below = partsBelow(path, target) ?? partsBelow(path, yield* realTarget(target));
    if (!below) throw outside(target);
    this.#todo = parts(below, false);
    for (;;) {
      const part = this.#todo.shift();
      const place = part ? yield* this.#go(part) : yield* this.#here();
      if (place) return place;
    }
  }

  *end(): Work<void> {
    yield* this.#moveTo(this.#root);
  }

  /** @returns null where it goes on */
  *#go({ name, isOfLink }: Part): Work<Place | null> {
    const isLast = this.#todo.length === 0;
    if (name === "..") return yield* this.#up();
    if (!isLast && (yield* this.#enter(name))) return null;
    const stats = yield* statsIn(this.#folder, name);
    if (stats?.isSymbolicLink() && !(isLast && this.#links === "entry")) {
      yield* this.#follow(name);
      return null;
    }
    if (!stats && isOfLink) throw dangling(name);
    if (stats && !isLast) throw stats.isDirectory() ? replaced(name) : noFolder(name);
    const names = [name, ...this.#todo.map((part) => part.name)];
    return {
      folder: this.#folder,
      name: names.at(-1) ?? name,
      missing: names.slice(0, -1),
      stats,
      way: [...this.#way, ...names],
    };
  }

  *#here(): Work<Place> {
    const stats = yield* statsOfFolder(this.#folder);
    return { folder: this.#folder, name: null, missing: [], stats, way: [...this.#way] };
  }

  /** @returns whether it is a folder */
  *#enter(name: string): Work<boolean> {
    try {
      yield* this.#moveTo(yield* openChild(this.#folder, name));
      this.#way.push(name);
      return true;
    } catch (error) {
      if (["REPLACED", "ENOENT"].includes(codeOf(error))) return false;
      throw error;
    }
  }

  *#follow(name: string): Work<void> {
    if (this.#links === "refuse") throw new FileError("LINK", `${name} is a link`);
    this.#count(name);
    const text = (yield* linkIn(this.#folder, name)).toString("utf8");
    if (isAbsolute(text)) yield* this.#leave(text);
    else this.#todo.unshift(...parts(text.split(separator), true));
  }

  /** To the folder above, as a link says. */
  *#up(): Work<null> {
    if (this.#way.length === 0) {
      this.#count("..");
      yield* this.#leave(dirname(this.#root.path));
      return null;
    }
    this.#todo.unshift(...parts(this.#way.slice(0, -1), true));
    yield* this.#startAgain();
    return null;
  }

  /** A link leads somewhere by its whole path: that may be below the root, by whatever way. */
  *#leave(target: string): Work<void> {
    const { path } = this.#root;
    const rest = this.#todo;
    const isPlain = !target.split(separator).includes("..");
    const real = isPlain && partsBelow(path, target) ? target : yield* existing(target);
    const below = partsBelow(path, real);
    if (below) this.#todo = [...parts(below, true), ...rest];
    else {
      const whole = yield* realTarget(join(real, ...rest.map(({ name }) => name)));
      const back = partsBelow(path, whole);
      if (!back) throw outside(target);
      this.#todo = parts(back, false);
    }
    yield* this.#startAgain();
  }

  *#startAgain(): Work<void> {
    this.#way = [];
    yield* this.#moveTo(this.#root);
  }

  *#moveTo(next: HeldFolder): Work<void> {
    const last = this.#folder;
    this.#folder = next;
    if (last !== this.#root) yield* release(last);
  }

  #count(name: string): void {
    if (++this.#followed > mostLinks) throw new FileError("ELOOP", `${name}: links go in a circle`);
  }
}

const separator = sep === "/" ? "/" : /[\\/]/;

const parts = (names: readonly string[], isOfLink: boolean): Part[] =>
  names.filter((name) => name !== "" && name !== ".").map((name) => ({ name, isOfLink }));

/** @returns the names from the root to the target; undefined where it is not below */
function partsBelow(root: string, target: string | undefined): string[] | undefined {
  if (target === undefined) return undefined;
  const way = relative(root, target);
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) return undefined;
  return way.split(sep);
}

/** Where a path outside really leads; undefined where nobody can tell. What it is worth is seen on the way from the root. */
function* realTarget(target: string): Work<string | undefined> {
  const missing: string[] = [];
  for (let at = target; ; at = dirname(at)) {
    try {
      return join(yield* realPath(at), ...missing);
    } catch (error) {
      if (!isAbsent(error) || dirname(at) === at || (yield* isThere(at))) return undefined;
    }
    missing.unshift(basename(at));
  }
}

function* existing(target: string): Work<string> {
  try {
    return yield* realPath(target);
  } catch (error) {
    throw isAbsent(error) ? dangling(target) : error;
  }
}

function* isThere(path: string): Work<boolean> {
  try {
    return (yield* lstat(path)) !== undefined;
  } catch {
    return false;
  }
}

const isAbsent = (error: unknown) => ["ENOENT", "ENOTDIR"].includes(codeOf(error));

const outside = (target: string) => new FileError("OUTSIDE", `${target} is outside`);
const dangling = (name: string) => new FileError("DANGLING", `${name}: a link leads nowhere`);
const replaced = (name: string) => new FileError("REPLACED", `${name} was replaced`);
const noFolder = (name: string) => new FileError("ENOTDIR", `${name} is no folder`);
