import type { FolderTrees } from "../../../files/folder-trees.ts";
import { namesIn } from "../folder-index.ts";

/** The same for names that a disk may take for one: macOS and Windows know neither case nor how accents are written. */
export const foldName = (path: string) => path.normalize("NFC").toLowerCase();

/** @returns those of which another one differs only so */
export function twinsOf(paths: Iterable<string>): Set<string> {
  const first = new Map<string, string>();
  const twins = new Set<string>();
  for (const path of paths) {
    const folded = foldName(path);
    const other = first.get(folded);
    if (other === undefined) first.set(folded, path);
    else if (other !== path) twins.add(other).add(path);
  }
  return twins;
}

/** Which names folders have exactly, each folder listed once. */
export class ListedNames {
  readonly #trees: FolderTrees;
  readonly #names = new Map<string, ReadonlySet<string>>();

  constructor(trees: FolderTrees) {
    this.#trees = trees;
  }

  has(folder: string, path: string): boolean {
    const end = path.lastIndexOf("/");
    const within = end < 0 ? "" : path.slice(0, end);
    if (within !== "" && !this.has(folder, within)) return false;
    return this.#in(folder, within).has(path.slice(end + 1));
  }

  #in(folder: string, within: string): ReadonlySet<string> {
    const key = `${folder}/${within}`;
    const names = this.#names.get(key) ?? new Set(namesIn(this.#trees.of(folder), within, () => {}).names);
    this.#names.set(key, names);
    return names;
  }
}
