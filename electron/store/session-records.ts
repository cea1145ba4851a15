import { z } from "zod";
import type { ListCursor } from "../../shared/sessions.ts";
import type { SessionChanges, SessionRecord, SessionStore } from "../agent/session-store.ts";
import type { Database, SqlValue } from "./database.ts";
import { bestMatches } from "./session-reference.ts";
import { textColumn, toTextColumn } from "./text-column.ts";
import { unknownSession } from "./unknown.ts";

export type SessionRecords = Pick<
  SessionStore,
  "loadSession" | "listSessions" | "findSessions" | "changeSession" | "deleteSession"
>;

const columns = `id, parent_session_id, title, model, working_folder, created_at, updated_at, pinned, folder, draft,
  has_own_title, archived_at, deleted_at, head_message_id,
  (SELECT count(*) FROM inputs WHERE session_id = sessions.id) AS held_inputs`;

const recordRow = z
  .object({
    id: z.string(),
    parent_session_id: z.string().nullable(),
    title: z.string(),
    model: z.string(),
    working_folder: z.string(),
    created_at: z.number(),
    updated_at: z.number(),
    pinned: z.number(),
    folder: z.string().nullable(),
    draft: textColumn,
    has_own_title: z.number(),
    archived_at: z.number().nullable(),
    deleted_at: z.number().nullable(),
    head_message_id: z.string().nullable(),
    held_inputs: z.number(),
  })
  .transform(
    (row): SessionRecord => ({
      id: row.id,
      ...(row.parent_session_id !== null && { parentId: row.parent_session_id }),
      title: row.title,
      workingFolder: row.working_folder,
      model: row.model,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      isPinned: row.pinned !== 0,
      group: row.folder,
      draft: row.draft,
      hasOwnTitle: row.has_own_title !== 0,
      archivedAt: row.archived_at,
      deletedAt: row.deleted_at,
      headMessageId: row.head_message_id,
      heldInputs: row.held_inputs,
    }),
  );
const records = z.array(recordRow);
const namedRows = z.array(z.object({ id: z.string(), title: z.string() }));

/** The table `sessions` as lists show it. */
export function sessionRecordsOf(database: Database): SessionRecords {
  const selectOne = database.prepare(`SELECT ${columns} FROM sessions WHERE id = ?`);
  const inList = "parent_session_id IS NULL AND deleted_at IS NULL";
  const order = "ORDER BY pinned DESC, updated_at DESC, id DESC";
  const archived = "(archived_at IS NOT NULL) = ?";
  const select = database.prepare(
    `SELECT ${columns} FROM sessions WHERE ${inList} AND ${archived} ${order} LIMIT ?`,
  );
  const selectAfter = database.prepare(`SELECT ${columns} FROM sessions WHERE ${inList} AND ${archived}
    AND (pinned, updated_at, id) < (?, ?, ?) ${order} LIMIT ?`);
  const selectNames = database.prepare(`SELECT id, title FROM sessions WHERE ${inList} ${order}`);
  const removeEvents = database.prepare(`
    WITH RECURSIVE doomed (id) AS (
      VALUES (?) UNION SELECT sessions.id FROM doomed JOIN sessions ON parent_session_id = doomed.id
    )
    DELETE FROM events WHERE session_id IN (SELECT id FROM doomed)`);
  const remove = database.prepare("DELETE FROM sessions WHERE id = ?");

  const load = (id: string) => database.guard(() => records.parse(selectOne.all([id]))[0]);
  return {
    loadSession: load,
    listSessions({ limit, after, isArchived = false }) {
      const which = Number(isArchived);
      return database.guard(() =>
        records.parse(
          after ? selectAfter.all([which, ...toValues(after), limit]) : select.all([which, limit]),
        ),
      );
    },
    findSessions(reference, limit) {
      const all = database.guard(() => namedRows.parse(selectNames.all([])));
      return bestMatches(all, reference)
        .slice(0, limit)
        .flatMap(({ id }) => load(id) ?? []);
    },
    changeSession(id, changes) {
      const set = Object.entries(toColumns(changes)).flatMap(([name, value]) =>
        value === undefined ? [] : [{ name, value }],
      );
      if (set.length === 0) return;
      const names = set.map(({ name }) => `${name} = ?`).join(", ");
      const values = set.map(({ value }) => value);
      const changed = database.prepare(`UPDATE sessions SET ${names} WHERE id = ?`).run([...values, id]);
      if (changed === 0) throw unknownSession(database.file, id);
    },
    deleteSession(id) {
      database.transaction(() => {
        removeEvents.run([id]);
        remove.run([id]);
      });
    },
  };
}

const toValues = ({ isPinned, updatedAt, conversationId }: ListCursor): SqlValue[] => [
  Number(isPinned),
  updatedAt,
  conversationId,
];

function toColumns(changes: SessionChanges): Record<string, SqlValue | undefined> {
  return {
    title: changes.title,
    has_own_title: changes.hasOwnTitle === undefined ? undefined : Number(changes.hasOwnTitle),
    pinned: changes.isPinned === undefined ? undefined : Number(changes.isPinned),
    folder: changes.group,
    draft: changes.draft === undefined ? undefined : toTextColumn(changes.draft),
    archived_at: changes.archivedAt,
    deleted_at: changes.deletedAt,
    working_folder: changes.workingFolder,
    model: changes.model,
  };
}
