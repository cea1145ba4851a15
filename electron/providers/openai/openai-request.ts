import type OpenAI from "openai";
import type { ContentBlock } from "../../../shared/conversation/messages.ts";
import type { ModelRequest } from "../../agent/ports/ports.ts";
import { adaptHistory, idsUpTo, inputObject, nineLetters, plainName, ToolIds } from "../adapt-history.ts";
import { besideCalls, isOfHost, reasoningIn } from "./chat-reasoning.ts";
import type { Dialect } from "./dialect.ts";

type Param = OpenAI.ChatCompletionMessageParam;

/** See `reasoningIn`. */
type AssistantParam = OpenAI.ChatCompletionAssistantMessageParam & {
  reasoning_content?: string;
  reasoning_details?: unknown[];
  extra_content?: unknown;
};

interface ChatForm {
  /** Reasoning goes back only to the server that it came from. */
  host: string;
  /** Otherwise an image is named only. */
  takesImages: boolean;
  dialect: Dialect;
}

/** The history as Chat Completions takes it: calls beside the text of a message, each result a message of its own. */
export function toChatMessages({ system, messages }: ModelRequest, form: ChatForm): Param[] {
  const { host, takesImages, dialect } = form;
  const ids = new ToolIds(dialect.has("short ids") || host === mistralHost ? nineLetters : idsUpTo(40));
  const own = adaptHistory(messages, (block) =>
    forChat(dialect.has("tools") ? inWords(block) : block, ids, host),
  );
  const sent: Param[] = [];
  for (const { role, content } of own) {
    if (role === "assistant") sent.push(assistantParam(content, form));
    else sent.push(...userParams(takesImages ? content : content.map(withoutImages), form));
  }
  if (system.trim() === "") return sent;
  return dialect.has("system")
    ? withInstructions(sent, system)
    : [{ role: "system", content: system }, ...sent];
}

/** It takes no other ids than its own kind, and no prompt right after a result. */
const mistralHost = "api.mistral.ai";

/** For a model that takes no system prompt. */
function withInstructions(sent: Param[], system: string): Param[] {
  const [first, ...rest] = sent;
  if (first?.role !== "user") return [{ role: "user", content: system }, ...sent];
  const { content } = first;
  const text = { type: "text" as const, text: system };
  const begun = typeof content === "string" ? `${system}\n\n${content}` : [text, ...content];
  return [{ ...first, content: begun }, ...rest];
}

/** Calls and results as text, for a model that takes no tools. */
function inWords(block: ContentBlock): ContentBlock {
  if (block.type === "tool_use") {
    return { type: "text", text: `[Called ${block.name} with ${JSON.stringify(inputObject(block.input))}.]` };
  }
  return block.type === "tool_result" ? { type: "text", text: `[It gave: ${block.content}]` } : block;
}

function forChat(block: ContentBlock, ids: ToolIds, host: string): ContentBlock | null {
  switch (block.type) {
    case "thinking":
      return isOfHost(block.signature, host) ? block : null;
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

function assistantParam(content: readonly ContentBlock[], { host, dialect }: ChatForm): AssistantParam {
  const beside = dialect.has("call fields") ? null : besideCalls(content, host);
  const tool_calls = content.flatMap((block): OpenAI.ChatCompletionMessageFunctionToolCall[] => {
    if (block.type !== "tool_use") return [];
    const { id, name, input } = block;
    const called = { name, arguments: JSON.stringify(inputObject(input)) };
    return [{ ...beside?.get(block), id, type: "function", function: called }];
  });
  const text = joined(content, "\n\n");
  const { reasoning, details, beside: extra_content } = reasoningIn(content, host);
  const hasReasoning = reasoning !== "" || dialect.has("wants reasoning_content");
  return {
    role: "assistant",
    // Not null, where there is none: some refuse that.
    content: text,
    ...(tool_calls.length > 0 && { tool_calls }),
    ...(hasReasoning && !dialect.has("reasoning_content") && { reasoning_content: reasoning }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(extra_content !== undefined && !dialect.has("call fields") && { extra_content }),
  };
}

function userParams(content: readonly ContentBlock[], { host, dialect }: ChatForm): Param[] {
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
  const wantsWord = results.length > 0 && (dialect.has("user after tool") || host === mistralHost);
  const between: Param[] = wantsWord ? [{ role: "assistant", content: "I have the results." }] : [];
  return [
    ...results,
    ...between,
    { role: "user", content: plain ? joined(rest, "\n\n") : rest.flatMap(part) },
  ];
}

/** What a model that sees nothing is sent in place of images. */
export function withoutImages(block: ContentBlock): ContentBlock {
  if (block.type === "image") return { type: "text", text: "[An image, which this model cannot see.]" };
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
