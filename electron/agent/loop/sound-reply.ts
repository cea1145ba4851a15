import { type ContentBlock, contentBlock, type Usage } from "../../../shared/conversation/messages.ts";
import type { AssistantMessage } from "../ports/ports.ts";

/**
 * A reply that can be kept and read again, whatever the server left out of it: one message that cannot be read makes its
 * whole conversation unreadable.
 * @param model that was asked, where the server names none
 */
export function soundReply(reply: AssistantMessage, model: string): AssistantMessage {
  const content = reply.content.flatMap((block): ContentBlock[] => {
    const whole = completed(block);
    return contentBlock.safeParse(whole).success ? [whole] : [];
  });
  return { ...reply, content, usage: soundUsage(reply.usage), model: reply.model || model };
}

/** Whole numbers of tokens: some servers count in fractions, or below zero. */
export function soundUsage(usage: Usage): Usage {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return {
    inputTokens: tokens(inputTokens),
    outputTokens: tokens(outputTokens),
    cacheReadTokens: tokens(cacheReadTokens),
    cacheWriteTokens: tokens(cacheWriteTokens),
  };
}

const tokens = (count: number) => (Number.isFinite(count) ? Math.max(0, Math.round(count)) : 0);

/** An id that is missing is given later: it must be new. */
function completed(block: ContentBlock): ContentBlock {
  if (block.type === "thinking") return { ...block, signature: block.signature || "" };
  if (block.type !== "tool_use") return block;
  return { ...block, id: block.id || noId, name: block.name || "unknown", input: block.input ?? {} };
}

/** Stands for an id that a server left out. */
export const noId = "none";
