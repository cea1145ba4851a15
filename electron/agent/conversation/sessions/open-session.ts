import type { QueuedInput } from "../../../../shared/conversation/events.ts";
import { type Message, textOf } from "../../../../shared/conversation/messages.ts";
import type { TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import type { Settings } from "../../../../shared/settings.ts";
import { TimeSlices } from "../../../../shared/time-slices.ts";
import { Context } from "../../context/context.ts";
import { toolUsesOf } from "../../context/history.ts";
import type { SessionRecord, SessionStore } from "../../ports/session-store.ts";

/** A conversation as it was left. */
export interface OpenedSession {
  session: SessionRecord;
  /** Prompts that had no run yet. */
  inputs: QueuedInput[];
  lastEventId: number;
  /** The reply that a crash cut off, which is the end of the path now. */
  cutShortId: string | null;
}

/**
 * Opens one from the store. What was streaming when Parley died becomes a message that is marked as cut short.
 * @returns null when there is none of that id, or it was deleted @throws StoreError
 */
export function openSession(store: SessionStore, conversationId: string): OpenedSession | null {
  const session = store.loadSession(conversationId);
  if (!session || session.deletedAt !== null) return null;
  const partial = store.loadPartial(conversationId);
  const isWorthKeeping = partial !== undefined && textOf(partial.content).trim() !== "";
  if (isWorthKeeping) store.appendMessage(conversationId, { ...partial, interrupted: true });
  else if (partial) store.dropPartial(conversationId);
  return {
    session,
    inputs: store.loadInputs(conversationId),
    lastEventId: store.lastEventId(conversationId),
    cutShortId: isWorthKeeping ? partial.id : null,
  };
}

/** What runs need of the past: a long one is taken in while others have their turn. @throws StoreError */
export async function readContext(
  store: SessionStore,
  conversationId: string,
  { maxTurns }: Settings,
): Promise<Context> {
  const messages = await store.loadContext(conversationId);
  const isWhole = !messages.some(({ origin }) => origin === "summary");
  // Counting them reads the whole path: only where the number matters.
  const replies =
    isWhole || maxTurns === 0 ? 0 : repliesIn(store.loadMessages(conversationId)) - repliesIn(messages);
  const context = new Context([], replies);
  const slices = new TimeSlices();
  for (const message of messages) {
    context.append(message);
    await slices.pause();
  }
  return context;
}

const repliesIn = (messages: readonly Message[]) =>
  messages.filter(({ role }) => role === "assistant").length;

/**
 * The end of a path that is in the middle of a turn: a prompt, results that got no reply, calls without results. The
 * turn can go on from there. null where the turn came to its end.
 * @param messages the end of the path, oldest first
 */
export function endOfUnfinishedTurn(messages: readonly Message[]): Message | null {
  const last = messages.findLast(({ origin }) => origin !== "summary" && origin !== "system");
  if (!last) return null;
  return last.role === "assistant" && toolUsesOf(last.content).length === 0 ? null : last;
}

export const unfinishedNotice = (end: Message): TranscriptItem => notice(end, noReply);

/** The line below a reply that a crash cut off. */
export const cutShortNotice = (reply: Message): TranscriptItem => notice(reply, cutShort);

const notice = ({ id, createdAt }: Message, error: typeof noReply): TranscriptItem => ({
  kind: "error",
  key: `unfinished-${id}`,
  error,
  canRetry: true,
  at: createdAt,
});

const noReply = {
  code: "no_reply",
  message: "This turn didn't finish.",
  hint: "Press Retry to continue, or ask something else.",
};

const cutShort = {
  code: "cut_short",
  message: "Parley closed before this reply finished.",
  hint: "Press Retry to ask again. This beginning is kept.",
};
