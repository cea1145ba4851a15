import type { ContentBlock, Message, ToolResultBlock, ToolUseBlock } from "../../shared/messages.ts";
import { type ApiMessage, overheardTag } from "./ports.ts";

/**
 * The history as a request carries it: neighbours of one role joined, `tool_result` first, every tool use answered
 * exactly once right after it, no result without its call, nothing blank. Pure; the history itself stays as it is.
 */
export function toApiMessages(history: readonly Message[]): ApiMessage[] {
  const joined: ApiMessage[] = [];
  for (const message of history) {
    const content = message.content
      .filter((block) => !isBlank(block))
      .map((block) => forRequest(block, message));
    if (content.length === 0) continue;
    const last = joined.at(-1);
    if (last?.role === message.role) last.content.push(...content);
    else joined.push({ role: message.role, content });
  }
  return withPairedTools(joined);
}

export function toolUsesOf(content: readonly ContentBlock[]): ToolUseBlock[] {
  return content.filter((block) => block.type === "tool_use");
}

/** The API refuses blank text blocks. */
function isBlank(block: ContentBlock): boolean {
  return block.type === "text" && block.text.trim() === "";
}

function forRequest(block: ContentBlock, message: Message): ContentBlock {
  if (block.type !== "text" || message.source !== "loopback") return block;
  // A closing tag inside the words would let them step out of their quotation.
  const text = block.text.replaceAll(/<(?=\/?overheard)/gi, "‹");
  return { type: "text", text: `<${overheardTag}>\n${text}\n</${overheardTag}>` };
}

function withPairedTools(messages: ApiMessage[]): ApiMessage[] {
  const paired: ApiMessage[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") {
      paired.push(message);
      const unanswered = toolUsesOf(message.content);
      // An assistant message that ends the history, or that is cut off from its results.
      if (unanswered.length > 0 && messages[index + 1] === undefined) {
        paired.push({ role: "user", content: unanswered.map(lostResult) });
      }
      continue;
    }
    const before = paired.at(-1);
    const calls = before?.role === "assistant" ? toolUsesOf(before.content) : [];
    const given = new Map(message.content.filter(isResult).map((block) => [block.tool_use_id, block]));
    const results = calls.map((call) => given.get(call.id) ?? lostResult(call));
    const content = [...results, ...message.content.filter((block) => !isResult(block))];
    if (content.length === 0) continue;
    // Dropping a message of orphans alone can make neighbours of one role.
    if (before?.role === "user") before.content.push(...content);
    else paired.push({ role: "user", content });
  }
  return mergeNeighbours(paired);
}

function mergeNeighbours(messages: ApiMessage[]): ApiMessage[] {
  const merged: ApiMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === message.role) last.content.push(...message.content);
    else merged.push(message);
  }
  return merged;
}

const isResult = (block: ContentBlock): block is ToolResultBlock => block.type === "tool_result";

function lostResult(call: ToolUseBlock): ToolResultBlock {
  return {
    type: "tool_result",
    tool_use_id: call.id,
    content: "The result of this call was lost: it was interrupted before it finished.",
    is_error: true,
  };
}
