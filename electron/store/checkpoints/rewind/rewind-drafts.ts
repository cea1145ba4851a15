import { draftNameOf } from "../../../../shared/conversation/draft-file.ts";
import type { FolderTree } from "../../../files/folder-tree.ts";
import { withTrees } from "../../../files/folder-trees.ts";
import type { CheckpointTables } from "../turn-recorder.ts";

/** What a rewind calls a path until it is whole: whoever has the rows of the rewind finds what was cut off. */
export function rewindDraft(checkpointId: string, folder: string, path: string): string {
  return draftNameOf(JSON.stringify([checkpointId, folder, path]));
}

/**
 * Removes what the conversation's last rewind had half written when its process was killed: what has exactly the names
 * of that rewind, and is nobody's any more. Only while none of the conversation goes on. @throws StoreError
 */
export async function removeDrafts(
  { checkpoints, files }: Pick<CheckpointTables, "checkpoints" | "files">,
  conversationId: string,
): Promise<void> {
  const last = checkpoints.lastGoing(conversationId);
  if (!last) return;
  await withTrees(async (trees) => {
    for (const { folder, path, after } of files.of(last.seq)) {
      if (after?.kind !== "file" && after?.kind !== "symlink") continue;
      const within = path.slice(0, path.lastIndexOf("/") + 1);
      remove(trees.of(folder), within + rewindDraft(last.id, folder, path));
    }
  });
}

/** What cannot be removed stays. */
function remove(tree: FolderTree, draft: string): void {
  try {
    const stats = tree.stats(draft);
    if (stats?.isFile() || stats?.isSymbolicLink()) tree.unlink(draft);
  } catch {}
}
