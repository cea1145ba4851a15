import { z } from "zod";
import { attachmentChoice } from "../../../shared/conversation/attachments.ts";
import { effort } from "../../../shared/conversation/effort.ts";
import type { ListCursor } from "../../../shared/conversation/sessions.ts";
import { levelName } from "../../../shared/safety/permissions.ts";
import type { SessionChanges, SessionRecord, SessionStore } from "../../agent/ports/session-store.ts";
import type { Database, SqlValue } from "../database/database.ts";
import { unknownSession } from "../database/unknown.ts";
import { bestMatches } from "./session-reference.ts";

export type SessionRecords = Pick<
  SessionStore,
  "loadSession" | "listSessions" | "findSessions" | "recentModels" | "changeSession" | "deleteSession"
>;

/** One value a record instead of nineteen: libsql hands values over one by one, which would take most of the time. */
const record = `json_array(id, parent_session_id, title, model, working_folder, created_at, updated_at, pinned, folder,
  json(draft), has_own_title, archived_at, deleted_at, head_message_id, coalesce(held.inputs, 0), permission_mode,
  json(draft_attached), chosen_model, chosen_effort)`;
/** Counted once for all: a count of its own for each would take a third of the time of a long list. */
const withHeld = `sessions LEFT JOIN (SELECT session_id, count(*) AS inputs FROM inputs
    WHERE json ->> 'isNote' IS NULL GROUP BY session_id) AS held
  ON held.session_id = sessions.id`;

const text = z.string();
const number = z.number();
const recordValues = z.tuple([
  text,
  text.nullable(),
  text,
  text,
  text,
  number,
  number,
  number,
  text.nullable(),
  text,
  number,
  number.nullable(),
  number.nullable(),
  text.nullable(),
  number,
  // A level that this version does not know is none: the settings say what may run.
  levelName.nullable().catch(null),
  z.array(attachmentChoice),
  text.nullable(),
  // As of a level: an effort that this version does not know is none.
  effort.nullable().catch(null),
]);

const jsonRows = z.array(z.object({ json: z.string() }));
const modelRows = z.array(z.object({ model: z.string() }));
const namedRows = z.array(z.object({ id: z.string(), title: z.string() }));

function toRecord(values: z.infer<typeof recordValues>): SessionRecord {
  const [id, parentId, title, model, workingFolder, createdAt, updatedAt, pinned, group, draft, ...rest] =
    values;
  const [hasOwnTitle, archivedAt, deletedAt, headMessageId, heldInputs, mode, draftAttached, ...chosen] =
    rest;
  const [chosenModel, chosenEffort] = chosen;
  return {
    id,
    ...(parentId !== null && { parentId }),
    title,
    workingFolder,
    model,
    createdAt,
    updatedAt,
    isPinned: pinned !== 0,
    group,
    draft,
    draftAttached,
    hasOwnTitle: hasOwnTitle !== 0,
    archivedAt,
    deletedAt,
    headMessageId,
    heldInputs,
    permissionMode: mode,
    chosenModel,
    chosenEffort,
  };
}

/** The table `sessions` as lists show it. */
export function sessionRecordsOf(database: Database): SessionRecords {
  const inList = "parent_session_id IS NULL AND deleted_at IS NULL";
  const order = "ORDER BY pinned DESC, updated_at DESC, id DESC";
  const list = (more: string) =>
    database.prepare(`
      SELECT '[' || coalesce(group_concat(record), '') || ']' AS json FROM (
        SELECT ${record} AS record FROM ${withHeld}
        WHERE ${inList} AND (archived_at IS NOT NULL) = ? ${more} ${order} LIMIT ?
      )`);
  const select = list("");
  const selectAfter = list("AND (pinned, updated_at, id) < (?, ?, ?)");
  const selectOne = database.prepare(`SELECT '[' || ${record} || ']' AS json FROM ${withHeld} WHERE id = ?`);
  const selectNames = database.prepare(`SELECT id, title FROM sessions WHERE ${inList} ${order}`);
  const selectModels = database.prepare(`
    SELECT chosen_model AS model FROM sessions WHERE chosen_model IS NOT NULL AND deleted_at IS NULL
    GROUP BY chosen_model ORDER BY max(updated_at) DESC LIMIT ?`);
  const removeEvents = database.prepare(`
    WITH RECURSIVE doomed (id) AS (
      VALUES (?) UNION SELECT sessions.id FROM doomed JOIN sessions ON parent_session_id = doomed.id
    )
    DELETE FROM events WHERE session_id IN (SELECT id FROM doomed)`);
  const remove = database.prepare("DELETE FROM sessions WHERE id = ?");

  /** @param rows of one array of records each */
  const parse = (rows: unknown[]): SessionRecord[] =>
    jsonRows
      .parse(rows)
      .flatMap(({ json }) => z.array(recordValues).parse(JSON.parse(json)))
      .map(toRecord);
  const load = (id: string) => database.guard(() => parse(selectOne.all([id]))[0]);
  return {
    loadSession: load,
    listSessions({ limit, after, isArchived = false }) {
      const which = Number(isArchived);
      return database.guard(() =>
        parse(after ? selectAfter.all([which, ...toValues(after), limit]) : select.all([which, limit])),
      );
    },
    findSessions(reference, limit) {
      const all = database.guard(() => namedRows.parse(selectNames.all([])));
      return bestMatches(all, reference)
        .slice(0, limit)
        .flatMap(({ id }) => load(id) ?? []);
    },
    recentModels: (limit) =>
      database.guard(() => modelRows.parse(selectModels.all([limit])).map(({ model }) => model)),
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
    draft: changes.draft === undefined ? undefined : JSON.stringify(changes.draft),
    draft_attached: changes.draftAttached && JSON.stringify(changes.draftAttached),
    archived_at: changes.archivedAt,
    deleted_at: changes.deletedAt,
    working_folder: changes.workingFolder,
    model: changes.model,
    permission_mode: changes.permissionMode,
    chosen_model: changes.chosenModel,
    chosen_effort: changes.chosenEffort,
  };
}
