import { z } from "zod";
import { attachmentChoice } from "../../../shared/conversation/attachments.ts";
import { effort } from "../../../shared/conversation/effort.ts";
import { type ListCursor, sessionKind } from "../../../shared/conversation/sessions.ts";
import { levelName } from "../../../shared/safety/permissions.ts";
import type { SessionChanges, SessionRecord, SessionStore } from "../../agent/ports/session-store.ts";
import type { Database, SqlValue } from "../database/database.ts";
import { damagedPart } from "../database/store-errors.ts";
import { asList, isWhole, readableIn, shownText, wholeText } from "../database/text-column.ts";
import { unknownSession } from "../database/unknown.ts";
import { bestMatches } from "./session-reference.ts";

export type SessionRecords = Pick<
  SessionStore,
  | "loadSession"
  | "listSessions"
  | "findSessions"
  | "recentModels"
  | "recentFolders"
  | "changeSession"
  | "deleteSession"
>;

/** One value a record instead of twenty-one: libsql hands values over one by one, which would take most of the time. */
const record = `json_array(id, parent_session_id, title, model, working_folder, created_at, updated_at, pinned, folder,
  draft, has_own_title, archived_at, deleted_at, head_message_id, coalesce(held.inputs, 0), permission_mode,
  draft_attached, chosen_model, chosen_effort, forked_from,
  CASE WHEN EXISTS (SELECT 1 FROM meeting_lines WHERE session_id = sessions.id) THEN 'meeting'
    WHEN (SELECT origin FROM messages WHERE session_id = sessions.id AND position = 0 LIMIT 1) = 'quick' THEN 'quick'
  END)`;
/** Counted once for all: a count of its own for each would take a third of the time of a long list. */
const withHeld = `sessions LEFT JOIN (SELECT session_id, count(*) AS inputs FROM inputs
    WHERE CASE WHEN json_valid(json) THEN json ->> 'isNote' END IS NULL GROUP BY session_id) AS held
  ON held.session_id = sessions.id`;

const number = z.number();
const draftChoices = z.array(attachmentChoice);
const recordValues = z.tuple([
  wholeText,
  wholeText.nullable(),
  shownText,
  shownText,
  shownText,
  number,
  number,
  number,
  shownText.nullable(),
  // Drafts are JSON.
  z.string(),
  number,
  number.nullable(),
  number.nullable(),
  // A list needs it not: whether it is whole is asked where the conversation is opened.
  z.string().nullable(),
  number,
  // Of a level that is damaged or unknown nothing is known: the one that runs nothing.
  levelName.nullable().catch("look"),
  z.string(),
  // One that is damaged is none, either.
  wholeText.nullable().catch(null),
  // As of a level: an effort that this version does not know is none.
  effort.nullable().catch(null),
  wholeText.nullable().catch(null),
  sessionKind.nullable(),
]);

const recordsIn = readableIn(recordValues);
const wholeIn = readableIn(z.tuple([wholeText]));
const namedIn = readableIn(z.tuple([wholeText, shownText]).transform(([id, title]) => ({ id, title })));

/** JSON, so that no character of it can be lost: where it is none any more, the words in it are still there. */
function draftIn(json: string): string {
  return json === '""' ? "" : (z.string().safeParse(parsed(json)).data ?? json);
}

const attachedIn = (json: string) => (json === "[]" ? [] : (draftChoices.safeParse(parsed(json)).data ?? []));

/** @returns undefined for what is no JSON */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function toRecord(values: z.infer<typeof recordValues>): SessionRecord {
  const [id, parentId, title, model, workingFolder, createdAt, updatedAt, pinned, group, draft, ...rest] =
    values;
  const [hasOwnTitle, archivedAt, deletedAt, headMessageId, heldInputs, mode, draftAttached, ...chosen] =
    rest;
  const [chosenModel, chosenEffort, forkedFrom, kind] = chosen;
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
    draft: draftIn(draft),
    draftAttached: attachedIn(draftAttached),
    hasOwnTitle: hasOwnTitle !== 0,
    archivedAt,
    deletedAt,
    headMessageId,
    heldInputs,
    permissionMode: mode,
    chosenModel,
    chosenEffort,
    forkedFrom,
    kind,
  };
}

/** The table `sessions` as lists show it. */
export function sessionRecordsOf(database: Database): SessionRecords {
  const inList = "parent_session_id IS NULL AND deleted_at IS NULL";
  const order = "ORDER BY pinned DESC, updated_at DESC, id DESC";
  const list = (more: string) =>
    database.prepare(`
      SELECT CAST('[' || coalesce(group_concat(record), '') || ']' AS BLOB) AS list FROM (
        SELECT ${record} AS record FROM ${withHeld}
        WHERE ${inList} AND (archived_at IS NOT NULL) = ? ${more} ${order} LIMIT ?
      )`);
  const select = list("");
  const selectAfter = list("AND (pinned, updated_at, id) < (?, ?, ?)");
  const selectOne = database.prepare(`
    SELECT CAST('[' || coalesce(max(${record}), '') || ']' AS BLOB) AS list FROM ${withHeld} WHERE id = ?`);
  const selectNames = database.prepare(
    asList("id, title", `SELECT id, title FROM sessions WHERE ${inList} ${order}`),
  );
  const selectModels = database.prepare(
    asList(
      "chosen_model",
      `SELECT chosen_model FROM sessions WHERE chosen_model IS NOT NULL AND deleted_at IS NULL
       GROUP BY chosen_model ORDER BY max(updated_at) DESC LIMIT ?`,
    ),
  );
  const selectFolders = database.prepare(
    asList(
      "working_folder",
      `SELECT working_folder FROM sessions WHERE ${inList}
       GROUP BY working_folder ORDER BY max(updated_at) DESC LIMIT ?`,
    ),
  );
  const removeEvents = database.prepare(`
    WITH RECURSIVE doomed (id) AS (
      VALUES (?) UNION SELECT sessions.id FROM doomed JOIN sessions ON parent_session_id = doomed.id
    )
    DELETE FROM events WHERE session_id IN (SELECT id FROM doomed)`);
  const remove = database.prepare("DELETE FROM sessions WHERE id = ?");

  const load = (id: string): SessionRecord | undefined => {
    const [found] = database.guard(() => recordsIn(selectOne.all([id])).map(toRecord));
    // Without its end nothing of it could be shown, and what is added would hide the rest.
    if (!isWhole(found?.headMessageId ?? "")) throw damagedPart(database.file);
    return found;
  };
  return {
    loadSession: load,
    listSessions({ limit, after, isArchived = false }) {
      const which = Number(isArchived);
      return database.guard(() =>
        recordsIn(
          after ? selectAfter.all([which, ...toValues(after), limit]) : select.all([which, limit]),
        ).map(toRecord),
      );
    },
    findSessions(reference, limit) {
      const all = database.guard(() => namedIn(selectNames.all([])));
      return bestMatches(all, reference)
        .slice(0, limit)
        .flatMap(({ id }) => load(id) ?? []);
    },
    recentModels: (limit) => database.guard(() => wholeIn(selectModels.all([limit])).map(([model]) => model)),
    recentFolders: (limit) =>
      database.guard(() => wholeIn(selectFolders.all([limit])).map(([folder]) => folder)),
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
    forked_from: changes.forkedFrom,
  };
}
