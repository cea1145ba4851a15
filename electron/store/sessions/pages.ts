import { z } from "zod";
import type { Message } from "../../../shared/conversation/messages.ts";
import { TimeSlices } from "../../../shared/time-slices.ts";
import type { MessagePage } from "../../agent/ports/session-store.ts";
import type { Database } from "../database/database.ts";
import { asList, bytesOf, listIn, textColumn } from "../database/text-column.ts";
import { contextOf, isOfUser, isSummary } from "../messages/context-path.ts";
import { messageColumns, toMessages } from "../messages/message-rows.ts";
import { branchesOf } from "./tree-shape.ts";

export interface Pages {
  load(sessionId: string, page: { limit: number; before?: string | undefined }): MessagePage;
  loadContext(sessionId: string): Promise<Message[]>;
}

const startRows = z.array(z.object({ id: textColumn.nullable() }));
const stretchIn = listIn(
  z
    .tuple([z.string(), z.number(), z.string().nullable()])
    .transform(([id, position, parentId]) => ({ id, position, parentId })),
);
const nodesIn = listIn(
  z.tuple([z.string(), z.string().nullable()]).transform(([id, parentId]) => ({ id, parentId })),
);

/** So many messages are read at once on the way back to what a summary covers, or to the first: about a millisecond. */
const contextStep = 25;

/** Stretches of a session's path, read from its end backwards: the rest of it costs nothing. */
export function pagesOf(database: Database): Pages {
  const selectHead = database.prepare(
    `SELECT ${bytesOf("head_message_id", "id")} FROM sessions WHERE id = ?`,
  );
  const selectParent = database.prepare(
    `SELECT ${bytesOf("parent_id", "id")} FROM messages WHERE id = ? AND session_id = ?`,
  );
  const path = `
    WITH RECURSIVE path (id) AS (
      SELECT ?
      UNION ALL
      SELECT parent_id FROM messages JOIN path USING (id) WHERE parent_id IS NOT NULL
      LIMIT ?
    )`;
  const selectStretch = database.prepare(
    `${path} ${asList(
      "id, position, parent_id",
      "SELECT id, position, parent_id FROM path JOIN messages USING (id) ORDER BY position",
    )}`,
  );
  const selectMessages = database.prepare(`${path}
    SELECT ${messageColumns} FROM path JOIN messages USING (id) LEFT JOIN blocks ON blocks.message_id = messages.id
    ORDER BY position, seq`);
  const selectVersions = database.prepare(
    asList(
      "id, parent_id",
      `SELECT id, parent_id FROM messages WHERE session_id = ? AND position BETWEEN ? AND ?
       ORDER BY position, created_at, id`,
    ),
  );
  const selectRoots = database.prepare(
    asList("id, parent_id", "SELECT id, parent_id FROM messages WHERE session_id = ? AND position = 0"),
  );

  /** @returns where a page that ends before `before` (or at the head) ends; null: there is nothing */
  function endOf(sessionId: string, before: string | undefined): string | null {
    const rows = before === undefined ? selectHead.all([sessionId]) : selectParent.all([before, sessionId]);
    return startRows.parse(rows)[0]?.id ?? null;
  }

  function load(
    sessionId: string,
    { limit, before }: { limit: number; before?: string | undefined },
  ): MessagePage {
    const end = endOf(sessionId, before);
    if (end === null || limit < 1) return { messages: [], branches: new Map(), hasEarlier: end !== null };
    const stretch = stretchIn(selectStretch.all([end, limit]));
    const [first, last] = [stretch[0], stretch.at(-1)];
    if (!first || !last) return { messages: [], branches: new Map(), hasEarlier: false };
    const versions = nodesIn(selectVersions.all([sessionId, first.position, last.position]));
    return {
      messages: toMessages(selectMessages.all([end, limit])),
      branches: branchesOf(
        stretch.map(({ id }) => id),
        versions,
      ),
      hasEarlier: first.parentId !== null,
    };
  }

  /** A path never changes behind its end, so others may have their turn while it is read. */
  async function loadContext(sessionId: string): Promise<Message[]> {
    const slices = new TimeSlices();
    const head = database.guard(() => endOf(sessionId, undefined));
    const stretches: Message[][] = [];
    let summary: Message | undefined;
    for (let end = head; end !== null; ) {
      const [stretch, before] = stretchBefore(sessionId, end);
      stretches.push(stretch);
      summary ??= stretch.findLast(isSummary);
      const isReached = summary !== undefined && stretch.some(({ id }) => id === summary?.covers);
      if (isReached && before !== null) {
        const path = stretches.reverse().flat();
        return contextOf(path, (await firstPrompt(sessionId, before, slices)) ?? path.find(isOfUser));
      }
      end = before;
      await slices.pause();
    }
    const path = stretches.reverse().flat();
    return contextOf(path, path.find(isOfUser));
  }

  /** Messages up to and with `end`, and what comes before them. */
  function stretchBefore(sessionId: string, end: string): [Message[], string | null] {
    return database.guard(() => {
      const stretch = toMessages(selectMessages.all([end, contextStep]));
      const [oldest] = stretch;
      return [stretch, oldest ? endOf(sessionId, oldest.id) : null];
    });
  }

  /**
   * Of the path up to and with `end`. Nearly always it is the only root there is; where a first prompt was edited, the
   * path is asked.
   */
  async function firstPrompt(
    sessionId: string,
    end: string,
    slices: TimeSlices,
  ): Promise<Message | undefined> {
    const only = database.guard(() => onlyRoot(sessionId));
    if (only && isOfUser(only)) return only;
    let first: Message | undefined;
    for (let at: string | null = end; at !== null; ) {
      const [stretch, before] = stretchBefore(sessionId, at);
      first = stretch.find(isOfUser) ?? first;
      at = before;
      await slices.pause();
    }
    return first;
  }

  function onlyRoot(sessionId: string): Message | undefined {
    const [root, other] = nodesIn(selectRoots.all([sessionId]));
    return root && !other ? toMessages(selectMessages.all([root.id, 1]))[0] : undefined;
  }

  return {
    load: (sessionId, page) => database.guard(() => load(sessionId, page)),
    loadContext,
  };
}
