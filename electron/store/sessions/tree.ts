import { z } from "zod";
import { message as messageShape, textBlock } from "../../../shared/conversation/messages.ts";
import type { SessionStore } from "../../agent/ports/session-store.ts";
import type { Database } from "../database/database.ts";
import { asList, bytesOf, jsonColumn, listIn, textColumn } from "../database/text-column.ts";
import { unknownMessage, unknownSession } from "../database/unknown.ts";
import { isPromptRow } from "../messages/is-prompt.ts";
import { messageColumns, toMessages } from "../messages/message-rows.ts";
import { firstWords, newestLeafBelow } from "./tree-shape.ts";

export type Tree = Pick<SessionStore, "promptsFrom" | "loadMessage" | "moveHead" | "newestLeaf" | "loadTree">;

const { role, origin } = messageShape.shape;
const promptRows = z.array(z.object({ prompts: z.number() }));
const placeRows = z.array(z.object({ position: z.number(), parent_id: textColumn.nullable() }));
const nodesIn = listIn(
  z
    .tuple([z.string(), z.string().nullable(), z.number()])
    .transform(([id, parentId, createdAt]) => ({ id, parentId, createdAt })),
);
const treeRows = z.array(
  z.object({
    facts: jsonColumn.pipe(z.tuple([z.string(), z.string().nullable(), role, origin])),
    created_at: z.number(),
    /** The first block of text. */
    json: jsonColumn.pipe(textBlock).nullable(),
  }),
);

/** The messages of a session as a tree. `messages_in_order` finds the children of one: they stand one position on. */
export function treeOf(database: Database): Tree {
  const countPrompts = database.prepare(`
    WITH RECURSIVE path (id) AS (
      SELECT head_message_id FROM sessions WHERE id = ?1
      UNION ALL
      SELECT parent_id FROM messages JOIN path USING (id) WHERE messages.id <> ?2 AND parent_id IS NOT NULL
    )
    SELECT count(*) AS prompts FROM path JOIN messages USING (id)
    WHERE ${isPromptRow} AND EXISTS (SELECT 1 FROM path WHERE id = ?2)`);
  const selectMessage = database.prepare(`
    SELECT ${messageColumns} FROM messages LEFT JOIN blocks ON blocks.message_id = messages.id
    WHERE messages.id = ? AND session_id = ? ORDER BY seq`);
  const selectPlace = database.prepare(
    `SELECT position, ${bytesOf("parent_id")} FROM messages WHERE id = ? AND session_id = ?`,
  );
  const moveHead = database.prepare("UPDATE sessions SET head_message_id = ? WHERE id = ?");
  const selectBelow = database.prepare(
    asList(
      "id, parent_id, created_at",
      "SELECT id, parent_id, created_at FROM messages WHERE session_id = ? AND position > ? ORDER BY position, id",
    ),
  );
  const selectTree = database.prepare(`
    SELECT CAST(json_array(messages.id, parent_id, role, origin) AS BLOB) AS facts, created_at, (
      SELECT ${bytesOf("json")} FROM blocks WHERE message_id = messages.id AND type = 'text' ORDER BY seq LIMIT 1
    ) AS json FROM messages WHERE session_id = ? ORDER BY created_at, position, messages.id`);

  /** @throws StoreError where the session has no such message */
  function placeOf(sessionId: string, messageId: string) {
    const [place] = placeRows.parse(selectPlace.all([messageId, sessionId]));
    if (!place) throw unknownMessage(sessionId, messageId);
    return place;
  }

  return {
    promptsFrom: (sessionId, messageId) =>
      database.guard(() => promptRows.parse(countPrompts.all([sessionId, messageId])))[0]?.prompts ?? 0,
    loadMessage(sessionId, messageId) {
      return database.guard(() => {
        const [place] = placeRows.parse(selectPlace.all([messageId, sessionId]));
        const [message] = toMessages(selectMessage.all([messageId, sessionId]));
        return place && message && { message, parentId: place.parent_id };
      });
    },
    moveHead(sessionId, messageId) {
      if (messageId !== null) placeOf(sessionId, messageId);
      if (moveHead.run([messageId, sessionId]) === 0) throw unknownSession(database.file, sessionId);
    },
    newestLeaf(sessionId, messageId) {
      const { position } = placeOf(sessionId, messageId);
      return newestLeafBelow(
        messageId,
        database.guard(() => nodesIn(selectBelow.all([sessionId, position]))),
      );
    },
    loadTree: (sessionId) =>
      database.guard(() =>
        treeRows
          .parse(selectTree.all([sessionId]))
          .map(({ facts: [id, parentId, role, origin], created_at: createdAt, json }) => ({
            id,
            parentId,
            role,
            origin,
            text: json ? firstWords([json]) : "",
            createdAt,
          })),
      ),
  };
}
