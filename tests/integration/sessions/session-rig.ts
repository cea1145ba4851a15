import type { Conversation } from "../../../electron/agent/conversation/conversation.ts";
import type { Message } from "../../../shared/conversation/messages.ts";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { type Rig, typed } from "../agent/agent-rig.ts";

/** As a new process does: what is in memory is gone. */
export async function reopen(from: Rig, conversation: Conversation): Promise<Conversation> {
  await from.conversations.dispose();
  return from.conversations.open(conversation.id);
}

export const script = (name: string, args: object = {}) =>
  typed(`[[script:${name} ${JSON.stringify(args)}]]`);
/** A reply that stops at its first word until the gate is opened. */
export const held = (gate: string, words = 2) => script("text", { words, hold: gate, at: 1 });
/** What a transcript says, without its tools. */
export const shown = (items: readonly TranscriptItem[]) =>
  items.flatMap((item) => (item.kind === "user" || item.kind === "assistant" ? [item.text] : []));
export const lastOf = (conversation: Conversation, role: Message["role"]) => {
  const found = conversation.history.findLast((message) => message.role === role);
  if (!found) throw new Error(`There is no message of the ${role}.`);
  return found;
};
