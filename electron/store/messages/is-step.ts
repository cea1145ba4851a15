import type { Message } from "../../../shared/conversation/messages.ts";

/**
 * Whether a message is a step within a turn: a reply that calls tools, or their results. What follows it comes at once,
 * so it is not worth another place in the list, and a write to its index.
 */
export const isStep = ({ origin, content }: Message): boolean =>
  origin === "tool" || content.some(({ type }) => type === "tool_use");
