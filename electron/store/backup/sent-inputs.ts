import { z } from "zod";
import type { Attachment } from "../../../shared/conversation/attachments.ts";
import { type QueuedInput, queuedInput } from "../../../shared/conversation/events.ts";
import { type Message, textOf } from "../../../shared/conversation/messages.ts";
import type { Database } from "../database/database.ts";
import { bytesOf, jsonColumn, textColumn } from "../database/text-column.ts";
import { messageColumns, toMessages } from "../messages/message-rows.ts";

const waitingRows = z.array(
  z.object({ session: textColumn, json: jsonColumn.pipe(queuedInput) }).transform(({ session, json }) => ({
    session,
    input: json,
  })),
);

/** Ids begin with the time at which they were made, in so many letters. */
const timeLetters = 10;

/**
 * Prompts that wait on one side (a back-up, or the profile) and were sent on the other: they would be offered a second time.
 * Only what was said on the other side alone counts: what a side has sent itself was another prompt, whatever its words.
 * @param database with the back-up as `theirs`, nothing of it taken over yet
 * @returns ids
 */
export function sentInputs(database: Database): string[] {
  return [...sentBy(database, "main", "theirs"), ...sentBy(database, "theirs", "main")];
}

/** Those that wait in `here` alone, and were sent in `there`. A message stands for one of them, the oldest. */
function sentBy(database: Database, here: string, there: string): string[] {
  const selectWaiting = database.prepare(`
    SELECT ${bytesOf("session_id", "session")}, ${bytesOf("json")} FROM ${here}.inputs
    WHERE id NOT IN (SELECT id FROM ${there}.inputs) AND session_id IN (SELECT id FROM ${there}.sessions) ORDER BY inputs.id`);
  const selectSent = database.prepare(`
    SELECT ${messageColumns}
    FROM ${there}.messages AS messages LEFT JOIN ${there}.blocks AS blocks ON blocks.message_id = messages.id
    WHERE session_id = ?1 AND role = 'user' AND messages.id NOT IN (SELECT id FROM ${here}.messages)
      AND substr(messages.id, 1, ${timeLetters}) >= substr(?2, 1, ${timeLetters}) ORDER BY messages.id, seq`);
  const taken = new Set<string>();
  return waitingRows.parse(selectWaiting.all([])).flatMap(({ session, input }) => {
    const sent = toMessages(selectSent.all([session, input.inputId]));
    const own = sent.find((message) => !taken.has(message.id) && isOf(message, input));
    if (!own) return [];
    taken.add(own.id);
    return [input.inputId];
  });
}

/** Whether a message has the words of a prompt, and what is attached to it. */
function isOf({ content }: Message, { text, attachments = [] }: QueuedInput): boolean {
  const attached = content.flatMap((block) => (block.type === "text" ? (block.attachments ?? []) : []));
  return textOf(content) === text && isSame(attached, attachments);
}

const isSame = (one: readonly Attachment[], other: readonly Attachment[]) =>
  JSON.stringify(one) === JSON.stringify(other);
