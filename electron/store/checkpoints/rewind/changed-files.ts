import type { ChangedFile } from "../../../agent/ports/checkpoint-ports.ts";
import type { Database } from "../../database/database.ts";
import { isSame } from "../contents/file-state.ts";
import { type FileRow, fileList, filesIn } from "../file-rows.ts";

/** Looks up what a conversation's calls changed; throws StoreError. @param fits which files are asked about */
export function changedFiles(database: Database) {
  const select = database.prepare(
    fileList(
      "checkpoints JOIN checkpoint_files ON checkpoint_seq = seq WHERE session_id = ? AND folder = ? ORDER BY seq",
    ),
  );
  return (conversationId: string, folder: string, fits: (path: string) => boolean): ChangedFile[] => {
    const rows = database
      .guard(() => filesIn(select.all([conversationId, folder])))
      .filter(({ path }) => fits(path));
    const paths = new Map<string, FileRow>();
    for (const row of rows) {
      const { before } = paths.get(row.path) ?? row;
      paths.set(row.path, { ...row, before });
    }
    return [...paths.values()].flatMap(({ path, before, after }) =>
      after && isSame(before, after) ? [] : [{ path, now: JSON.stringify(after) }],
    );
  };
}
