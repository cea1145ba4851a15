import { relative, resolve, sep } from "node:path";
import { codeOf } from "../../../files/calls.ts";
import { expandHome } from "../../../files/expand-home.ts";
import { type LinkUse, type PlaceFacts, placeFacts } from "../../../files/place.ts";
import { doNow } from "../../../files/work.ts";

/**
 * What in the folder a call that names these paths can change: each path, what it leads to where it is a link, and the
 * folders above it that are not there yet. What lies outside is left out: tools refuse it.
 * @param folder absolute, and free of symbolic links
 * @returns relative to the folder, with `/`, folders before what is in them
 */
export function touchedEntries(folder: string, paths: readonly string[]): string[] {
  const entries = new Set<string>();
  for (const path of paths) {
    const target = resolve(folder, expandHome(path));
    const entry = placeOf(folder, target, "entry");
    add(entry, entries);
    if (entry?.stats?.isSymbolicLink()) add(placeOf(folder, target, "follow"), entries);
  }
  return [...entries];
}

function add(found: PlaceFacts | null, entries: Set<string>): void {
  if (!found) return;
  const { way, missing } = found;
  for (let length = way.length - missing.length; length <= way.length; length++) {
    if (length > 0) entries.add(way.slice(0, length).join("/"));
  }
}

/** @returns null where it leads out; where it cannot be told where it leads, what it says itself */
function placeOf(folder: string, target: string, links: LinkUse): PlaceFacts | null {
  try {
    return doNow(placeFacts(folder, target, links));
  } catch (error) {
    const way = relative(folder, target).split(sep);
    return codeOf(error) === "OUTSIDE" || way[0] === ".." ? null : { way, missing: [], stats: undefined };
  }
}
