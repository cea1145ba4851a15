import type {
  ContentBlock,
  Message,
  ToolResultBlock,
  ToolUseBlock,
} from "../../../shared/conversation/messages.ts";
import { GrowingTranslation } from "../../../shared/growing.ts";
import { wellFormedJson } from "../../../shared/well-formed.ts";
import { hasHalves, wellFormed } from "../loop/text-ends.ts";
import type { ApiMessage } from "../ports/ports.ts";
import { attachmentBlocks, meetingText, overheardText, spokenNote } from "./prompt-content.ts";

/**
 * The history as a request carries it: neighbours of one role joined, `tool_result` first, every tool use answered
 * exactly once right after it, no result without its call, nothing blank. Pure; the history itself stays as it is.
 */
export function toApiMessages(history: readonly Message[]): ApiMessage[] {
  const sent: ApiMessage[] = [];
  for (const message of history) {
    const own = asSent(message);
    if (own.content.length === 0) continue;
    // A crash took the results, and the turn went on: the reply is none to the same request.
    const before = sent.at(-1);
    const lost = before?.role === "assistant" && own.role === "assistant" ? toolUsesOf(before.content) : [];
    if (lost.length > 0) sent.push({ role: "user", content: lost.map(lostResult) });
    sent.push(own);
  }
  return joinNeighbours(withPairedTools(joinNeighbours(sent)));
}

/**
 * The same for one history again and again, at the cost of what is new: after a user's message that is sent, a reply
 * begins a part that neither joins nor answers anything before it.
 */
export const growingApiMessages = (): GrowingTranslation<Message, ApiMessage> =>
  new GrowingTranslation(toApiMessages, (before, more) => {
    const [last, next] = [before.source.at(-1), more.source[0]];
    return isSentAs("user", last) && before.result.at(-1)?.role === "user" && isSentAs("assistant", next);
  });

const isSentAs = (role: Message["role"], message: Message | undefined) =>
  message?.role === role && asSent(message).content.length > 0;

export function toolUsesOf(content: readonly ContentBlock[]): ToolUseBlock[] {
  return content.filter((block) => block.type === "tool_use");
}

const known = new WeakMap<Message, ApiMessage>();

/** Made once: a message never changes, and a long history is sent in every round. What is shared must not be changed. */
function asSent(message: Message): ApiMessage {
  const before = known.get(message);
  if (before) return before;
  const blocks = message.content
    .filter((block) => !isBlank(block))
    .flatMap((block) => forRequest(block, message))
    .map(wellFormedBlock);
  // Thinking that led to nothing, as of a reply that was cut, is refused.
  const sent = { role: message.role, content: blocks.every(isThinking) ? [] : blocks };
  known.set(message, sent);
  return sent;
}

/** The API refuses blank text blocks. */
function isBlank(block: ContentBlock): boolean {
  return block.type === "text" && block.text.trim() === "" && !block.meeting && !block.attachments;
}

/** The API takes none of what we keep beside a text: it goes in as text of its own. */
function forRequest(block: ContentBlock, { origin, source }: Message): ContentBlock[] {
  if (block.type !== "text") return [block];
  if (block.meeting) return [{ type: "text", text: meetingText(block.meeting, block.meetingLeft) }];
  if (block.attachments) return attachmentBlocks(block.attachments);
  const { heard = [], readings, isReadAloud, text } = block;
  if (source === "loopback") {
    const note: ContentBlock[] = heard.length > 0 ? [{ type: "text", text: spokenNote(heard) }] : [];
    return [...note, { type: "text", text: overheardText(text, readings) }];
  }
  if (origin !== "voice" && source === null) return [block];
  return [
    { type: "text", text: spokenNote(heard, readings, isReadAloud) },
    { type: "text", text },
  ];
}

const isThinking = ({ type }: ContentBlock) => type === "thinking" || type === "redacted_thinking";

/** With half a character anywhere in it an API refuses the whole request. Signed thinking must stay as it is. */
function wellFormedBlock(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case "text":
      return hasHalves(block.text) ? { ...block, text: wellFormed(block.text) } : block;
    case "tool_result":
      return hasHalves(block.content) ? { ...block, content: wellFormed(block.content) } : block;
    case "tool_use": {
      const json = JSON.stringify(block.input) ?? "null";
      const mended = wellFormedJson(json);
      return mended === json ? block : { ...block, input: JSON.parse(mended) };
    }
    default:
      return block;
  }
}

function joinNeighbours(messages: readonly ApiMessage[]): ApiMessage[] {
  const joined: ApiMessage[] = [];
  // Those made here: others belong to the history.
  const own = new Set<ApiMessage>();
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role !== message.role) joined.push(message);
    else if (own.has(last)) last.content.push(...message.content);
    else {
      const both = { role: message.role, content: [...last.content, ...message.content] };
      own.add(both);
      joined[joined.length - 1] = both;
    }
  }
  return joined;
}

/** Roles must alternate; where a message of orphans alone is dropped, they no longer do afterwards. */
function withPairedTools(messages: readonly ApiMessage[]): ApiMessage[] {
  const paired: ApiMessage[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") {
      paired.push(message);
      // An assistant message that ends the history, or that is cut off from its results.
      const unanswered = messages[index + 1] === undefined ? toolUsesOf(message.content) : [];
      if (unanswered.length > 0) paired.push({ role: "user", content: unanswered.map(lostResult) });
      continue;
    }
    const before = messages[index - 1]?.content ?? [];
    if (answersExactly(before, message.content)) {
      paired.push(message);
      continue;
    }
    const given = new Map(message.content.filter(isResult).map((block) => [block.tool_use_id, block]));
    const results = toolUsesOf(before).map((call) => given.get(call.id) ?? lostResult(call));
    const content = [...results, ...message.content.filter((block) => !isResult(block))];
    if (content.length > 0) paired.push({ role: "user", content });
  }
  return paired;
}

/** Whether the results come first, one for each call and in their order, and none else: so it is nearly always. */
function answersExactly(before: readonly ContentBlock[], content: readonly ContentBlock[]): boolean {
  let results = 0;
  for (const block of before) {
    if (block.type !== "tool_use") continue;
    const answer = content[results++];
    if (answer?.type !== "tool_result" || answer.tool_use_id !== block.id) return false;
  }
  return !content.some((block, place) => place >= results && isResult(block));
}

const isResult = (block: ContentBlock): block is ToolResultBlock => block.type === "tool_result";

function lostResult(call: ToolUseBlock): ToolResultBlock {
  return {
    type: "tool_result",
    tool_use_id: call.id,
    content: "There is no result: the call was interrupted before it finished.",
    is_error: true,
  };
}
