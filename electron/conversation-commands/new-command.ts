import { shortId } from "../../shared/conversation/sessions.ts";
import type { Command, CommandAnswer } from "../commands/registry.ts";

export interface NewConversationOptions {
  sessions: {
    /** A new one; one that nobody has used yet does as well. */
    unused(): { id: string };
    change(conversationId: string, edit: { title: string }): void;
  };
  /** Shows a conversation in the window. */
  show(conversationId: string): void;
}

/** Of a title that is typed in a command. UTF-16 units. */
const maxTitleChars = 200;
export const titleFrom = (words: readonly string[]) => words.join(" ").trim().slice(0, maxTitleChars);

/** Shows an empty conversation. @param words its title; none: it gets one by itself */
export function openNew({ sessions, show }: NewConversationOptions, words: readonly string[]): CommandAnswer {
  const { id } = sessions.unused();
  const title = titleFrom(words);
  if (title !== "") sessions.change(id, { title });
  show(id);
  return { output: `A new conversation is open: \`${shortId(id)}\`.` };
}

/** `/new`, and `/clear` for those whose hands know it. */
export function newCommands(options: NewConversationOptions): Command[] {
  const named = (name: string, description: string): Command => ({
    name,
    usage: `/${name} [TITLE]`,
    description,
    run: (words) => openNew(options, words),
  });
  return [named("new", "Open a new conversation"), named("clear", "The same as /new: nothing is deleted")];
}
