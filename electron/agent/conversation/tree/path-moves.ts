import type { QueuedInput } from "../../../../shared/conversation/events.ts";
import { isPrompt, type Message, promptOrigin, textOf } from "../../../../shared/conversation/messages.ts";
import { goesOn } from "../../../../shared/conversation/transcript-items.ts";
import { attachmentsOf, meetingIn, queuedOf } from "../../context/prompt-content.ts";
import type { SessionStore } from "../../ports/session-store.ts";

/** A message with its place in the tree. */
export interface Placed {
  message: Message;
  parentId: string | null;
}

/** @throws Error when the conversation has no such message, or it is no prompt of the user's */
export function promptAt(store: SessionStore, conversationId: string, messageId: string): Placed {
  const placed = messageAt(store, conversationId, messageId);
  if (!isPrompt(placed.message)) throw new Error("Only a prompt of yours can be changed or gone back to.");
  return placed;
}

/** The prompt of the turn that a message is part of; null where none stands before it. @throws Error when there is no such message */
export function promptOfTurn(store: SessionStore, conversationId: string, messageId: string): Message | null {
  let placed = messageAt(store, conversationId, messageId);
  while (!isPrompt(placed.message)) {
    if (placed.parentId === null) return null;
    placed = messageAt(store, conversationId, placed.parentId);
  }
  return placed.message;
}

/**
 * The prompt that a path up to this message ends with, as it is shown: one with the words by which its speaker went on.
 * null where it ends with something else. @throws Error when there is no such message
 */
export function promptAtEnd(store: SessionStore, conversationId: string, messageId: string) {
  let { message, parentId } = messageAt(store, conversationId, messageId);
  if (!isPrompt(message)) return null;
  let text = textOf(message.content);
  while (goesOn(message) && parentId !== null) {
    const before = messageAt(store, conversationId, parentId);
    if (!isPrompt(before.message)) break;
    ({ message, parentId } = before);
    text = `${textOf(message.content)} ${text}`;
  }
  return { parentId, text, attachments: attachmentsOf(message.content) };
}

/** @throws Error when the conversation has no such message */
export function messageAt(store: SessionStore, conversationId: string, messageId: string): Placed {
  const placed = store.loadMessage(conversationId, messageId);
  if (!placed) throw new Error(`This conversation has no message ${messageId}.`);
  return placed;
}

/** A prompt that is in the history, to be run once more. */
export function inputOf(prompt: Message, inputId: string): QueuedInput {
  const origin = promptOrigin.parse(prompt.origin);
  const { content, source } = prompt;
  const beside = { ...meetingIn(content), attachments: attachmentsOf(content) };
  return queuedOf({ text: textOf(content), origin, source, ...beside }, inputId);
}
