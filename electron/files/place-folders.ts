import { codeOf } from "./calls.ts";
import { type HeldFolder, makeFolderIn, openChild, release } from "./held-folder.ts";
import type { Place } from "./place.ts";
import type { Work } from "./work.ts";

/** Does something in the folder that a place's entry goes into; folders that are missing are made. */
export function* inItsFolder<T>({ folder, missing }: Place, use: (folder: HeldFolder) => Work<T>): Work<T> {
  let held = folder;
  const leave = function* (next: HeldFolder): Work<void> {
    const last = held;
    held = next;
    if (last !== folder) yield* release(last);
  };
  try {
    for (const name of missing) {
      yield* makeUnlessThere(held, name);
      yield* leave(yield* openChild(held, name));
    }
    return yield* use(held);
  } finally {
    yield* leave(folder);
  }
}

/** Does something in the folder that a place is. @throws FileError REPLACED where it is none */
export function* inFolderItself<T>({ folder, name }: Place, use: (folder: HeldFolder) => Work<T>): Work<T> {
  if (name === null) return yield* use(folder);
  const held = yield* openChild(folder, name);
  try {
    return yield* use(held);
  } finally {
    yield* release(held);
  }
}

function* makeUnlessThere(held: HeldFolder, name: string): Work<void> {
  try {
    yield* makeFolderIn(held, name);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
