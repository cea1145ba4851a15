import type Anthropic from "@anthropic-ai/sdk";
import type { ContentBlock } from "../../../shared/conversation/messages.ts";
import { GrowingTranslation } from "../../../shared/growing.ts";
import { wellFormedJson } from "../../../shared/well-formed.ts";
import type { ApiMessage } from "../../agent/ports/ports.ts";
import { adaptHistory, idsUpTo, inputObject, plainName, ToolIds } from "../adapt-history.ts";
import { isClaudesOwn } from "../openai/thinking-marks.ts";
import type { GrowingJson } from "./growing-json.ts";

/**
 * The history as the Messages API takes it, whichever provider it came from; in the next round at the cost of what is new.
 * @param hasThinking otherwise Claude's thinking is left out
 */
export function anthropicMessages(
  hasThinking: boolean,
): GrowingTranslation<ApiMessage, Anthropic.MessageParam> {
  let ids = new ToolIds(idsUpTo(64));
  return new GrowingTranslation(
    (messages, isWhole) => {
      if (isWhole) ids = new ToolIds(idsUpTo(64));
      return adaptHistory(messages, (block) =>
        hasThinking || !isThinking(block) ? forClaude(block, ids) : null,
      ).map((message) => withImagesInside(withoutLooseEnd(message)));
    },
    // Neighbours of one role are one.
    (before, more) => before.result.at(-1)?.role !== more.result[0]?.role,
  );
}

/** Thinking that led to nothing, as of a reply that was cut, is refused. */
function withoutLooseEnd(message: ApiMessage): ApiMessage {
  const { role, content } = message;
  const end = content.findLastIndex((block) => !isThinking(block)) + 1;
  return end === content.length ? message : { role, content: content.slice(0, end) };
}

/** A result with images has them in its content; any other message is sent as it is. */
function withImagesInside(message: ApiMessage): Anthropic.MessageParam {
  const { role, content } = message;
  if (!content.some((block) => block.type === "tool_result" && block.images)) return message;
  return { role, content: content.map(withImages) };
}

function withImages(block: ContentBlock): Anthropic.ContentBlockParam {
  if (block.type !== "tool_result") return block;
  const { images = [], content, ...rest } = block;
  return { ...rest, content: [{ type: "text", text: content }, ...images] };
}

const isThinking = ({ type }: { type: string }) => type === "thinking" || type === "redacted_thinking";

/**
 * Whether thinking with a budget can be switched on now: in the middle of a turn only where its last reply thought, too
 * (“Extended thinking”: toggling it within a turn is refused).
 */
export function canThinkNow(messages: readonly Anthropic.MessageParam[]): boolean {
  const [reply, results] = messages.slice(-2);
  const isInTurn =
    Array.isArray(results?.content) && results.content.some(({ type }) => type === "tool_result");
  if (!isInTurn || !Array.isArray(reply?.content)) return true;
  const [first] = reply.content;
  return first !== undefined && isThinking(first);
}

/** The same block where it can be sent as it is. */
function forClaude(block: ContentBlock, ids: ToolIds): ContentBlock | null {
  switch (block.type) {
    case "text":
      // The API takes no field that it does not know.
      return block.phase === undefined ? block : { type: "text", text: block.text };
    case "thinking":
      return isClaudesOwn(block.signature) ? block : null;
    case "tool_use": {
      const { type, id: ownId } = block;
      const [id, name, input] = [ids.sent(ownId), plainName(block.name), inputObject(block.input)];
      if (id === ownId && name === block.name && input === block.input) return block;
      return { type, id, name, input };
    }
    case "tool_result": {
      const tool_use_id = ids.sent(block.tool_use_id);
      return tool_use_id === block.tool_use_id ? block : { ...block, tool_use_id };
    }
    default:
      return block;
  }
}

/**
 * As the SDK has it, and what “Fix a thinking block bound to a different conversation” says to send with the beta header
 * for it.
 */
export type Body = Omit<Anthropic.MessageCreateParamsStreaming, "thinking"> & {
  thinking?: Anthropic.ThinkingConfigParam & { block_binding?: { prefix_mismatch_behavior: "drop_block" } };
};

const cache_control = { type: "ephemeral" } as const;

/**
 * The same request with its three breakpoints: after the tools, the system prompt and the newest message, so that the
 * next round reads all before it from the cache. Marks are of the one request; the history never carries them.
 */
export function withCacheMarks(body: Body): Body {
  const { tools, system, messages } = body;
  return {
    ...body,
    ...(tools && { tools: withLast(tools, (tool) => ({ ...tool, cache_control })) }),
    ...(Array.isArray(system) && { system: withLast(system, (block) => ({ ...block, cache_control })) }),
    messages: withLast(messages, markedMessage),
  };
}

/**
 * The request as JSON in UTF-8.
 * @param earlier writes the messages before the newest, which alone carries marks; in the next round it knows them
 */
export function requestBytes(
  { messages, ...rest }: Body,
  earlier: GrowingJson<Anthropic.MessageParam>,
): Uint8Array {
  const before = earlier.of(messages.slice(0, -1));
  const newest = messages.slice(-1).map((message) => wellFormedJson(JSON.stringify(message)));
  const head = `${wellFormedJson(JSON.stringify(rest)).slice(0, -1)},"messages":[`;
  const tail = `${before.length > 0 ? "," : ""}${newest.join("")}]}`;
  return Buffer.concat([Buffer.from(head), before, Buffer.from(tail)]);
}

/** The newest message is the user's, always. */
function markedMessage(message: Anthropic.MessageParam): Anthropic.MessageParam {
  if (message.role !== "user" || typeof message.content === "string") return message;
  return { ...message, content: withLast(message.content, markedBlock) };
}

function markedBlock(block: Anthropic.ContentBlockParam): Anthropic.ContentBlockParam {
  switch (block.type) {
    case "text":
    case "image":
    case "tool_result":
    case "tool_use":
      return { ...block, cache_control };
    default:
      return block;
  }
}

function withLast<T>(items: readonly T[], change: (item: T) => T): T[] {
  const last = items.at(-1);
  return last === undefined ? [] : [...items.slice(0, -1), change(last)];
}
