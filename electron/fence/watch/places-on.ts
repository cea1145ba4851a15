import { isAbsolute } from "node:path";
import { codeOf } from "../../files/calls.ts";
import { openBelow } from "../../files/folder-below.ts";
import { wayBelow } from "../../files/git-named.ts";
import { type HeldFolder, linkIn, release, statsIn } from "../../files/held-folder.ts";
import type { Work } from "../../files/work.ts";

/** Links on one way. The kernel follows as many. */
const mostLinks = 40;

/**
 * What stands on a path in the folder and decides where it leads: the links on the way, what they lead to, and what is at
 * its end. None of it is outside of the folder, nor the folder itself.
 * @param root the folder, held open @param folder the same; absolute, free of links @param path relative to it
 * @returns relative to it; null where something was moved meanwhile
 */
export function* placesOn(root: HeldFolder, folder: string, path: string): Work<string[] | null> {
  const places: string[] = [];
  let waiting = path.split("/");
  let at: string[] = [];
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (at.pop() === undefined) return places;
      continue;
    }
    let found: Entry;
    try {
      found = yield* entryAt(root, at, name);
    } catch (error) {
      return ["REPLACED", "ENOENT", "ENOTDIR"].includes(codeOf(error)) ? null : places;
    }
    if (found === "none" || (found === "file" && waiting.length > 0)) return places;
    if (typeof found === "string") at.push(name);
    else {
      places.push([...at, name].join("/"));
      const target = isAbsolute(found.target) ? wayBelow(folder, found.target) : found.target;
      if (target === null || places.length > mostLinks) return places;
      if (isAbsolute(found.target)) at = [];
      waiting = [...target.split("/"), ...waiting];
    }
  }
  return at.length === 0 ? places : [...places, at.join("/")];
}

type Entry = "none" | "folder" | "file" | { target: string };

function* entryAt(root: HeldFolder, at: readonly string[], name: string): Work<Entry> {
  const held = yield* openBelow(root, at);
  try {
    const stats = yield* statsIn(held, name);
    if (!stats) return "none";
    if (stats.isSymbolicLink()) return { target: String(yield* linkIn(held, name)) };
    return stats.isDirectory() ? "folder" : "file";
  } finally {
    if (held !== root) yield* release(held);
  }
}
