import { z } from "zod";
import { type Meeting, type MeetingRange, meetingGapMs } from "../../../shared/conversation/meeting.ts";
import type { SaidLine } from "../../../shared/conversation/messages.ts";
import type { AskLimits, SessionStore } from "../../agent/ports/session-store.ts";
import type { Database } from "../database/database.ts";
import { bytesOf, textColumn, toTextColumn } from "../database/text-column.ts";

const lineColumns = `${bytesOf("id")}, ${bytesOf("who")}, ${bytesOf("text")}, started_at AS at, ended_at AS endedAt`;
const line = z.object({
  id: textColumn,
  who: textColumn.pipe(z.enum(["me", "them", "note"])),
  text: textColumn,
  at: z.number(),
  endedAt: z.number(),
});
const lineRows = z.array(line);
const unaskedRows = z.array(line.extend({ count: z.number() }));
const unaskedCountRows = z.array(z.object({ unasked: z.number(), goes: z.number() }));
const meetingRows: z.ZodType<Meeting[]> = z.array(
  z.object({ startedAt: z.number(), endedAt: z.number(), lines: z.number() }),
);
const countRows = z.array(z.object({ count: z.number() }));

/**
 * Who brought lines of a session, as far as it counts: prompts that wait, and messages on the path. The path is read back
 * to the first of them only.
 */
const counting = `
  WITH RECURSIVE asking (id, position) AS MATERIALIZED (
    SELECT DISTINCT asked_with, position
    FROM meeting_lines JOIN meeting_asks ON line_seq = seq LEFT JOIN messages ON messages.id = asked_with
    WHERE meeting_lines.session_id = ?1
  ),
  path (id, parent_id, position) AS (
    SELECT messages.id, parent_id, position FROM sessions JOIN messages ON messages.id = head_message_id
    WHERE sessions.id = ?1
    UNION ALL
    SELECT messages.id, messages.parent_id, messages.position FROM path JOIN messages ON messages.id = path.parent_id
    WHERE path.position > (SELECT min(position) FROM asking)
  ),
  counted (id) AS MATERIALIZED (
    SELECT id FROM asking WHERE position IS NULL OR id IN (SELECT id FROM path)
  )`;

export type MeetingStore = Pick<
  SessionStore,
  "noteLine" | "deleteLine" | "unaskedLines" | "countUnasked" | "meetingLines" | "meetings" | "countLines"
>;

/** Those of a session and a time that nobody brought; `fits`: the newest, within limits, at least one. */
const unasked = `
  ${counting},
  unasked AS (
    SELECT *, row_number() OVER newest AS place, sum(length(text)) OVER newest AS chars
    FROM meeting_lines
    WHERE session_id = ?1 AND started_at >= ?2 AND started_at < ?3 AND NOT EXISTS (
      SELECT 1 FROM meeting_asks WHERE line_seq = seq AND asked_with IN (SELECT id FROM counted)
    )
    WINDOW newest AS (ORDER BY started_at DESC, seq DESC)
  )`;
const fits = "(place = 1 OR (place <= ?4 AND chars <= ?5))";
const unaskedBindings = (id: string, range: MeetingRange | undefined, { maxLines, maxChars }: AskLimits) => [
  id,
  range?.from ?? 0,
  range?.before ?? Number.MAX_SAFE_INTEGER,
  maxLines,
  maxChars,
];

/** The tables `meeting_lines` and `meeting_asks`. */
export function meetingLinesOf(database: Database): MeetingStore {
  const insert = database.prepare(`
    INSERT INTO meeting_lines (id, session_id, who, text, started_at, ended_at) VALUES (?, ?, ?, ?, ?, ?)`);
  const touch = database.prepare("UPDATE sessions SET updated_at = max(updated_at, ?) WHERE id = ?");
  const remove = database.prepare("DELETE FROM meeting_lines WHERE session_id = ? AND id = ?");
  const selectAny = database.prepare("SELECT 1 FROM meeting_lines WHERE session_id = ? LIMIT 1");
  const selectUnasked = database.prepare(`
    ${unasked} SELECT ${lineColumns}, (SELECT count(*) FROM unasked) AS count FROM unasked
    WHERE ${fits} ORDER BY place DESC`);
  const countUnasked = database.prepare(`
    ${unasked} SELECT count(*) AS unasked, count(*) FILTER (WHERE ${fits}) AS goes FROM unasked`);
  const selectLines = database.prepare(`
    SELECT ${lineColumns} FROM meeting_lines
    WHERE session_id = ?1 AND started_at >= ?2 AND started_at < ?3
    ORDER BY started_at DESC, seq DESC LIMIT ?4`);
  const selectMeetings = database.prepare(`
    WITH gaps AS (
      SELECT started_at, ended_at, started_at - ?2 > coalesce(max(ended_at) OVER (
        ORDER BY started_at, seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ), started_at) AS is_first, seq FROM meeting_lines WHERE session_id = ?1
    ),
    numbered AS (SELECT started_at, ended_at, sum(is_first) OVER (ORDER BY started_at, seq) AS number FROM gaps)
    SELECT min(started_at) AS startedAt, max(ended_at) AS endedAt, count(*) AS lines
    FROM numbered GROUP BY number ORDER BY startedAt`);
  const selectCount = database.prepare("SELECT count(*) AS count FROM meeting_lines WHERE session_id = ?");

  return {
    noteLine(conversationId, { id, who, text, at, endedAt }) {
      database.transaction(() => {
        insert.run([id, conversationId, who, toTextColumn(text), Math.round(at), Math.round(endedAt)]);
        touch.run([Math.round(endedAt), conversationId]);
      });
    },
    deleteLine(conversationId, lineId) {
      remove.run([conversationId, lineId]);
    },
    unaskedLines(conversationId, limits, range) {
      return database.guard(() => {
        if (selectAny.all([conversationId]).length === 0) return { lines: [], left: 0 };
        const rows = unaskedRows.parse(selectUnasked.all(unaskedBindings(conversationId, range, limits)));
        const lines = rows.map(({ count: _, ...row }) => row);
        return { lines, left: (rows[0]?.count ?? 0) - lines.length };
      });
    },
    countUnasked(conversationId, limits) {
      return database.guard(() => {
        if (selectAny.all([conversationId]).length === 0) return { unasked: 0, goes: 0 };
        const rows = unaskedCountRows.parse(
          countUnasked.all(unaskedBindings(conversationId, undefined, limits)),
        );
        return rows[0] ?? { unasked: 0, goes: 0 };
      });
    },
    meetingLines(conversationId, { from = 0, before = Number.MAX_SAFE_INTEGER, limit }) {
      return database.guard(() =>
        lineRows.parse(selectLines.all([conversationId, from, before, limit])).reverse(),
      );
    },
    meetings: (conversationId) =>
      database.guard(() => meetingRows.parse(selectMeetings.all([conversationId, meetingGapMs]))),
    countLines: (conversationId) =>
      database.guard(() => countRows.parse(selectCount.all([conversationId]))[0]?.count ?? 0),
  };
}

/** @returns what keeps in mind which prompt brought which lines; to be called in the transaction that keeps the prompt */
export function asksOf(database: Database) {
  const insert = database.prepare(`
    INSERT OR IGNORE INTO meeting_asks (line_seq, asked_with)
    SELECT seq, ?2 FROM json_each(?3) AS asked JOIN meeting_lines
      ON session_id = ?1 AND meeting_lines.id = asked.value`);
  return (sessionId: string, askedWith: string, meeting: readonly SaidLine[]): void => {
    const ids = meeting.flatMap(({ id }) => (id === undefined ? [] : [id]));
    if (ids.length > 0) insert.run([sessionId, askedWith, JSON.stringify(ids)]);
  };
}
