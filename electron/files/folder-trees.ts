import { FolderTree } from "./folder-tree.ts";

/** Trees of several folders, made when they are asked for. */
export class FolderTrees {
  readonly #trees = new Map<string, FolderTree>();

  /** @param root absolute, and free of links */
  of(root: string): FolderTree {
    const tree = this.#trees.get(root) ?? new FolderTree(root);
    this.#trees.set(root, tree);
    return tree;
  }

  close(): void {
    for (const tree of this.#trees.values()) tree.close();
    this.#trees.clear();
  }
}

/** Lets go of the trees when the work is done, however it ends. */
export async function withTrees<T>(work: (trees: FolderTrees) => Promise<T>): Promise<T> {
  const trees = new FolderTrees();
  try {
    return await work(trees);
  } finally {
    trees.close();
  }
}
