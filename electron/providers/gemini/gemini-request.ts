import type { Content, FunctionDeclaration, Part } from "@google/genai";
import type { ContentBlock } from "../../../shared/conversation/messages.ts";
import type { ApiMessage, Tool } from "../../agent/ports/ports.ts";
import { adaptHistory, idsUpTo, inputObject, ToolIds } from "../adapt-history.ts";
import { signatureOf } from "../openai/thinking-marks.ts";
import { toolSchema } from "../tool-schema.ts";
import { geminiSchema } from "./gemini-schema.ts";

export const geminiOwner = "gemini";

/**
 * The history as Gemini takes it: calls and results go by name, results in a turn of their own right after the calls,
 * and a call's thought signature stands on the call.
 * @param model the full id: from Gemini 3 on, which `-latest` stands for, calls without a signature are refused
 */
export function toContents(messages: readonly ApiMessage[], model: string): Content[] {
  const ids = new ToolIds(idsUpTo(64));
  const names = new Map<string, string>();
  const wantsSignatures = /^gemini-(?:[3-9]|\d\d|(?:pro|flash|flash-lite)-latest)/.test(model);
  return adaptHistory(messages, forGemini).flatMap(({ role, content }): Content[] => {
    if (role === "assistant")
      return [{ role: "model", parts: modelParts(content, ids, names, wantsSignatures) }];
    const results = content.flatMap((block) => resultPart(block, ids, names));
    const shown = content.flatMap((block) => (block.type === "tool_result" ? (block.images ?? []) : []));
    const rest = [...shown, ...content].flatMap(userPart);
    return [results, rest].flatMap((parts) => (parts.length > 0 ? [{ role: "user", parts }] : []));
  });
}

export function toDeclarations(tools: readonly Tool[]): FunctionDeclaration[] {
  return tools.map((tool) => {
    const { name, description } = tool;
    const parametersJsonSchema = geminiSchema(toolSchema(tool));
    // A function without parameters has none: an empty object is refused.
    const takesNone = Object.keys(Object(parametersJsonSchema.properties)).length === 0;
    return { name: functionName(name), description, ...(!takesNone && { parametersJsonSchema }) };
  });
}

/** Thinking that signs no call says nothing to the API. */
function forGemini(block: ContentBlock): ContentBlock | null {
  if (block.type === "thinking") return signatureOf(geminiOwner, block.signature) === null ? null : block;
  return block.type === "redacted_thinking" ? null : block;
}

/** What the API documents for calls that another model made. */
const foreignSignature = "skip_thought_signature_validator";

function modelParts(
  content: readonly ContentBlock[],
  ids: ToolIds,
  names: Map<string, string>,
  wantsSignatures: boolean,
): Part[] {
  const parts: Part[] = [];
  let signature: string | null = null;
  // Of calls made at once only the first is signed.
  let isFirst = true;
  for (const block of content) {
    if (block.type === "thinking") signature = signatureOf(geminiOwner, block.signature);
    if (block.type === "text") parts.push({ text: block.text });
    if (block.type !== "tool_use") continue;
    const name = functionName(block.name);
    names.set(block.id, name);
    const thoughtSignature = signature ?? (isFirst && wantsSignatures ? foreignSignature : null);
    parts.push({
      functionCall: { id: ids.sent(block.id), name, args: inputObject(block.input) },
      ...(thoughtSignature && { thoughtSignature }),
    });
    signature = null;
    isFirst = false;
  }
  // Thinking alone: a turn must not be empty.
  return parts.length > 0 ? parts : [{ text: "…" }];
}

function resultPart(block: ContentBlock, ids: ToolIds, names: ReadonlyMap<string, string>): Part[] {
  if (block.type !== "tool_result") return [];
  const { tool_use_id, content, is_error } = block;
  const name = names.get(tool_use_id) ?? "unknown";
  const response = is_error ? { error: content } : { output: content };
  return [{ functionResponse: { id: ids.sent(tool_use_id), name, response } }];
}

function userPart(block: ContentBlock): Part[] {
  if (block.type === "text") return [{ text: block.text }];
  if (block.type !== "image") return [];
  return [{ inlineData: { mimeType: block.source.media_type, data: block.source.data } }];
}

/** It begins with a letter or `_`, and holds letters, digits, `_`, `.` and `-`. */
function functionName(name: string): string {
  if (/^[A-Za-z_][\w.-]{0,63}$/.test(name)) return name;
  const plain = name.replaceAll(/[^\w.-]/g, "_");
  return (/^[A-Za-z_]/.test(plain) ? plain : `_${plain}`).slice(0, 64);
}
