import { type HeldFolder, openChild, openRoot, release } from "./held-folder.ts";
import type { Work } from "./work.ts";

/**
 * Opens a folder below one that is held, from folder to folder: no link is followed, whoever puts one there.
 * @param held stays open @param names on the way, at least one
 * @throws the system's error, FileError REPLACED where a link or a file stands in the way
 */
export function* openBelow(held: HeldFolder, names: readonly string[]): Work<HeldFolder> {
  let at = held;
  for (const name of names) {
    try {
      const next = yield* openChild(at, name);
      if (at !== held) yield* release(at);
      at = next;
    } catch (error) {
      if (at !== held) yield* release(at);
      throw error;
    }
  }
  return at;
}

/**
 * Does something in the folder that an entry below a root is in. No link is followed on the way.
 * @param root absolute, and free of links @param path of the entry, relative to the root, with `/`
 * @throws as `openBelow`
 */
export function* atEntryBelow<T>(
  root: string,
  path: string,
  use: (folder: HeldFolder, name: string) => Work<T>,
): Work<T> {
  const names = path.split("/");
  const name = names.pop() ?? "";
  const held = yield* openRoot(root);
  try {
    const folder = yield* openBelow(held, names);
    try {
      return yield* use(folder, name);
    } finally {
      if (folder !== held) yield* release(folder);
    }
  } finally {
    yield* release(held);
  }
}
