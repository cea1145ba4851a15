import type { ConversationChanges } from "../../../../shared/conversation/checkpoints.ts";
import { TimeSlices } from "../../../../shared/time-slices.ts";
import { withTrees } from "../../../files/folder-trees.ts";
import { type FileState, isSame } from "../contents/file-state.ts";
import { stateLike } from "../contents/state-like.ts";
import type { FileRow } from "../file-rows.ts";
import type { Limits } from "../limits.ts";
import type { CheckpointTables } from "../turn-recorder.ts";
import { shownPath, stateDiff } from "./rewind-plan.ts";

/**
 * The files that a conversation changed and that are still otherwise than before it, from before its first change to now.
 * What was rewound, or never came about, is not among them. @throws StoreError
 */
export async function conversationChanges(
  { checkpoints, files, contents }: Pick<CheckpointTables, "checkpoints" | "files" | "contents">,
  { conversationId, workingFolder }: { conversationId: string; workingFolder: string },
  limits: Limits,
): Promise<ConversationChanges> {
  const looker = contents.looking(limits);
  const read = (hash: string) => contents.read(hash);
  const slices = new TimeSlices();
  const changes: ConversationChanges["files"] = [];
  await withTrees(async (trees) => {
    for (const { folder, path, before, after } of files.since(conversationId, 0).filter(isChanged)) {
      await slices.pause();
      const now = stateLike(before, trees.of(folder), path, limits, looker);
      if (isSame(before, now) || isFolder(before, now)) continue;
      const change = before.kind === "absent" ? "created" : now.kind === "absent" ? "removed" : "changed";
      const shown = shownPath(workingFolder, folder, path);
      // What is written right now is told without its lines: it has no end yet.
      const step = { folder, path, shown, now };
      const diff = after === null ? { diff: null } : stateDiff(step, before, now, read, trees);
      changes.push({ path: shown, change, ...diff });
    }
  });
  const first = checkpoints.all(conversationId).findLast(({ kind, files }) => kind === "turn" && files > 0);
  return { files: changes.sort((a, b) => a.path.localeCompare(b.path)), checkpointId: first?.id ?? null };
}

const isChanged = ({ before, after }: FileRow) => after === null || !isSame(before, after);

/** A folder alone is nothing to look at: what is in it is told. */
const isFolder = (before: FileState, now: FileState) =>
  [before, now].every(({ kind }) => kind === "directory" || kind === "absent");
