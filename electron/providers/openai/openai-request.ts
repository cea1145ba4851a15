import type OpenAI from "openai";
import type { ContentBlock } from "../../../shared/conversation/messages.ts";
import type { ModelRequest } from "../../agent/ports/ports.ts";
import { adaptHistory, inputObject, plainName, ToolIds } from "../adapt-history.ts";
import { signatureOf } from "./thinking-marks.ts";

type Param = OpenAI.ChatCompletionMessageParam;

/** Servers think in a field of their own; where one gave `reasoning_content`, it wants it back beside the calls. */
type AssistantParam = OpenAI.ChatCompletionAssistantMessageParam & { reasoning_content?: string };

/**
 * The history as Chat Completions takes it: calls beside the text of a message, each result a message of its own.
 * @param host reasoning goes back only to the server that it came from
 * @param takesImages otherwise an image is named only
 */
export function toChatMessages(
  { system, messages }: ModelRequest,
  host: string,
  takesImages = true,
): Param[] {
  const ids = new ToolIds(40);
  const owner = reasoningOwner(host);
  const own = adaptHistory(messages, (block) => forChat(block, ids, owner));
  const sent: Param[] = system.trim() === "" ? [] : [{ role: "system", content: system }];
  for (const { role, content } of own) {
    if (role === "assistant") sent.push(assistantParam(content));
    else sent.push(...userParams(takesImages ? content : content.map(withoutImages)));
  }
  return sent;
}

export const reasoningOwner = (host: string) => `reasoning@${host}`;

function forChat(block: ContentBlock, ids: ToolIds, owner: string): ContentBlock | null {
  switch (block.type) {
    case "thinking":
      return signatureOf(owner, block.signature) === null ? null : block;
    case "redacted_thinking":
      return null;
    case "tool_use":
      return { ...block, id: ids.sent(block.id), name: plainName(block.name) };
    case "tool_result":
      return { ...block, tool_use_id: ids.sent(block.tool_use_id) };
    default:
      return block;
  }
}

function assistantParam(content: readonly ContentBlock[]): AssistantParam {
  const tool_calls = content.flatMap((block): OpenAI.ChatCompletionMessageFunctionToolCall[] => {
    if (block.type !== "tool_use") return [];
    const { id, name, input } = block;
    return [{ id, type: "function", function: { name, arguments: JSON.stringify(inputObject(input)) } }];
  });
  const text = joined(content, "\n\n");
  if (tool_calls.length === 0) return { role: "assistant", content: text };
  const reasoning = content.flatMap((block) => (block.type === "thinking" ? [block.thinking] : [])).join("");
  return {
    role: "assistant",
    content: text === "" ? null : text,
    tool_calls,
    ...(reasoning !== "" && { reasoning_content: reasoning }),
  };
}

function userParams(content: readonly ContentBlock[]): Param[] {
  const results = content.flatMap((block): Param[] => {
    if (block.type !== "tool_result") return [];
    // There is no field for a failure; the words have to say it.
    const text = block.is_error ? `Error: ${block.content}` : block.content;
    return [{ role: "tool", tool_call_id: block.tool_use_id, content: text }];
  });
  const shown = content.flatMap((block) => (block.type === "tool_result" ? (block.images ?? []) : []));
  // Only the user's messages take images.
  const rest = [...shown, ...content.filter(({ type }) => type === "text" || type === "image")];
  if (rest.length === 0) return results;
  // Plain text as a string: not every server takes a list.
  const plain = rest.every(({ type }) => type === "text");
  return [...results, { role: "user", content: plain ? joined(rest, "\n\n") : rest.flatMap(part) }];
}

function withoutImages(block: ContentBlock): ContentBlock {
  if (block.type === "image") return { type: "text", text: "[An image, which this model does not see.]" };
  if (block.type !== "tool_result") return block;
  const { images: _, ...rest } = block;
  return rest;
}

function part(block: ContentBlock): OpenAI.ChatCompletionContentPart[] {
  if (block.type === "text") return [{ type: "text", text: block.text }];
  if (block.type !== "image") return [];
  const { media_type, data } = block.source;
  return [{ type: "image_url", image_url: { url: `data:${media_type};base64,${data}` } }];
}

const joined = (content: readonly ContentBlock[], gap: string) =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(gap);
