import { z } from "zod";
import { attachment } from "../../../shared/conversation/attachments.ts";
import type { SessionStore } from "../../agent/ports/session-store.ts";
import type { Database } from "../database/database.ts";
import { bytesOf, jsonColumn } from "../database/text-column.ts";

export const draftFileRows = z.array(z.object({ json: jsonColumn.pipe(attachment) }));

/**
 * The table `draft_files`. What no draft names any more goes when it is opened: until then a removal can be undone. What
 * a damaged draft names, nobody knows: nothing goes then.
 */
export function draftFilesOf(database: Database): Pick<SessionStore, "saveDraftFile" | "loadDraftFile"> {
  database
    .prepare(`DELETE FROM draft_files WHERE 'attached:' || id NOT IN (
      SELECT choice.value ->> 'reference' FROM sessions, json_each(sessions.draft_attached) AS choice
      WHERE draft_attached <> '[]' AND json_valid(draft_attached))
      AND NOT EXISTS (SELECT 1 FROM sessions WHERE draft_attached <> '[]' AND NOT json_valid(draft_attached))`)
    .run([]);
  const upsert = database.prepare(`
    INSERT INTO draft_files (id, json) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json`);
  const select = database.prepare(`SELECT ${bytesOf("json")} FROM draft_files WHERE id = ?`);
  return {
    saveDraftFile: (id, file) => void upsert.run([id, JSON.stringify(file)]),
    loadDraftFile: (id) => database.guard(() => draftFileRows.parse(select.all([id]))[0]?.json),
  };
}
