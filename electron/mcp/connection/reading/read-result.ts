import {
  type CallToolResult,
  CallToolResultSchema,
  type ContentBlock,
  ContentBlockSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

const record = z.record(z.string(), z.unknown());

/**
 * What a server answered to a call. Where that breaks the rules, what can be read of it is read, and the rest is text: the call
 * was made, and who is told that it failed makes it again.
 */
export function readResult(answer: Readonly<Record<string, unknown>>): CallToolResult {
  const strict = CallToolResultSchema.safeParse(answer);
  const isOfNow = "content" in answer || "structuredContent" in answer;
  if (strict.success && isOfNow) return strict.data;
  const { content, structuredContent, isError, toolResult } = answer;
  const other = structuredContent ?? toolResult ?? null;
  const structured = record.safeParse(other);
  return {
    content: [...blocksOf(content), ...(structured.success || other === null ? [] : [blockOf(other)])],
    ...(structured.success && { structuredContent: structured.data }),
    ...(isError === true && { isError }),
  };
}

function blocksOf(content: unknown): ContentBlock[] {
  if (content === null || content === undefined) return [];
  if (!Array.isArray(content)) return [blockOf(content)];
  return content.map((block: unknown) => blockOf(block));
}

function blockOf(block: unknown): ContentBlock {
  const fields = record.safeParse(block);
  const given = fields.success
    ? Object.fromEntries(Object.entries(fields.data).filter(([, value]) => value !== null))
    : block;
  const parsed = ContentBlockSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const image = looseImage.safeParse(given);
  if (image.success) return image.data;
  return { type: "text", text: typeof block === "string" ? block : JSON.stringify(block) };
}

/** Its data is looked at where it is shown. */
const looseImage = z.object({ type: z.literal("image"), data: z.string(), mimeType: z.string().default("") });
