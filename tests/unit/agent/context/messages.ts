import type { ContentBlock, Message } from "../../../../shared/conversation/messages.ts";

/** A message as the history keeps it. */
export const message = (
  role: Message["role"],
  content: ContentBlock[],
  more: Partial<Message> = {},
): Message => ({
  id: "m",
  role,
  origin: role === "user" ? "typed" : null,
  source: null,
  content,
  createdAt: 0,
  ...more,
});

export const text = (words: string): ContentBlock => ({ type: "text", text: words });
