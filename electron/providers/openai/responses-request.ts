import type OpenAI from "openai";
import type { ContentBlock } from "../../../shared/conversation/messages.ts";
import type { ModelRequest, Tool } from "../../agent/ports/ports.ts";
import { adaptHistory, idsUpTo, inputObject, plainName, ToolIds } from "../adapt-history.ts";
import { toolSchema } from "../tool-schema.ts";
import { withoutImages } from "./openai-request.ts";
import { markedSignature, signatureOf } from "./thinking-marks.ts";

type Item = OpenAI.Responses.ResponseInputItem;
type Part = OpenAI.Responses.ResponseInputText | OpenAI.Responses.ResponseInputImage;

/** Whose reasoning it is: it is sealed by one server for one model. */
export const responsesOwner = (host: string, model: string) => `responses@${host}/${model}`;

/** What is kept of a reasoning item beside its summary. @param sealed its `encrypted_content` */
export const reasoningSignature = (owner: string, id: string, sealed: string) =>
  markedSignature(owner, `${id} ${sealed}`);

interface ResponsesForm {
  /** Reasoning of others is left out. */
  owner: string;
  /** Otherwise an image is named only. */
  takesImages: boolean;
  /** Whether a reply's text goes back with what it was: said on the way, or the answer. */
  takesPhase: boolean;
}

/**
 * The history as the Responses API takes it where it keeps nothing itself: each call and each result an item of its own,
 * the model's reasoning sealed before what it led to.
 */
export function toResponsesInput({ messages }: Pick<ModelRequest, "messages">, form: ResponsesForm): Item[] {
  const ids = new ToolIds(idsUpTo(64));
  const own = adaptHistory(messages, (block) => forResponses(block, ids, form.owner));
  return own.flatMap(({ role, content }) =>
    role === "assistant"
      ? replyItems(content, form)
      : userItems(form.takesImages ? content : content.map(withoutImages)),
  );
}

/** Not strict: strict schemas want every property, and have none that may be left out. */
export function toResponsesTools(tools: readonly Tool[]): OpenAI.Responses.FunctionTool[] {
  return tools.map((tool) => {
    const { name, description } = tool;
    return { type: "function", name, description, parameters: toolSchema(tool), strict: false };
  });
}

function forResponses(block: ContentBlock, ids: ToolIds, owner: string): ContentBlock | null {
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

function replyItems(content: readonly ContentBlock[], { owner, takesPhase }: ResponsesForm): Item[] {
  // Reasoning that led to nothing, as of a reply that was cut, is refused.
  const last = content.findLastIndex(({ type }) => type !== "thinking");
  return content.slice(0, last + 1).flatMap((block): Item[] => {
    if (block.type === "text") {
      const { text, phase } = block;
      return [{ role: "assistant", content: text, ...(takesPhase && phase && { phase }) }];
    }
    if (block.type === "thinking") return [reasoningItem(block, owner)];
    if (block.type !== "tool_use") return [];
    const { id, name, input } = block;
    return [{ type: "function_call", call_id: id, name, arguments: JSON.stringify(inputObject(input)) }];
  });
}

function reasoningItem(
  { thinking, signature }: Extract<ContentBlock, { type: "thinking" }>,
  owner: string,
): Item {
  const [id = "", encrypted_content = ""] = (signatureOf(owner, signature) ?? "").split(" ");
  const summary = thinking === "" ? [] : [{ type: "summary_text" as const, text: thinking }];
  return { type: "reasoning", id, summary, encrypted_content };
}

function userItems(content: readonly ContentBlock[]): Item[] {
  const results = content.flatMap((block): Item[] => {
    if (block.type !== "tool_result") return [];
    // There is no field for a failure; the words have to say it.
    const text = block.is_error ? `Error: ${block.content}` : block.content;
    const images = block.images ?? [];
    const output =
      images.length === 0 ? text : [{ type: "input_text" as const, text }, ...images.flatMap(part)];
    return [{ type: "function_call_output", call_id: block.tool_use_id, output }];
  });
  const parts = content.flatMap(part);
  return parts.length === 0 ? results : [...results, { role: "user", content: parts }];
}

function part(block: ContentBlock): Part[] {
  if (block.type === "text") return [{ type: "input_text", text: block.text }];
  if (block.type !== "image") return [];
  const { media_type, data } = block.source;
  return [{ type: "input_image", image_url: `data:${media_type};base64,${data}`, detail: "auto" }];
}
