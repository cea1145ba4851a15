import { z } from "zod";
import { maxToldChars, plainText, plainTexts } from "./plain-text.ts";
import { inSnakeCase } from "./server-answers.ts";
import { SttError } from "./stt-errors.ts";

/** The result of a tool, read by hand: a part of an unknown kind, or an output schema that is not kept, spoils nothing. */
export const toolResult = z.looseObject({
  content: z.array(z.unknown()).optional().catch(undefined),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional().catch(undefined),
});

const textPart = z.object({ type: z.literal("text"), text: z.string() });

export interface Answer {
  /** What it may be read as, likeliest first. */
  values: unknown[];
  text: string;
  isError: boolean;
}

export function answerOf({ content, structuredContent, isError }: z.infer<typeof toolResult>): Answer {
  const text = textOf(content);
  const values = [...structuredValues(structuredContent), ...outermostJson(text)];
  return {
    values: values.map((value) => plainTexts(inSnakeCase(value))),
    text,
    isError: isError ?? false,
  };
}

export function textOf(content: readonly unknown[] = []): string {
  const parts = content.map((part) => textPart.safeParse(part));
  return parts.flatMap(({ data }) => (data ? [data.text] : [])).join("\n");
}

/** What structured content may be read as: some frameworks put what a tool returns into `result`, as it is or as text. */
export function structuredValues(structured: unknown): unknown[] {
  if (typeof structured !== "object" || structured === null) return [];
  const inner = "result" in structured ? structured.result : undefined;
  const values = typeof inner === "string" ? outermostJson(inner) : [inner];
  return [...values, structured].filter((value) => typeof value === "object" && value !== null);
}

/** @throws SttError where the server refused, or its answer cannot be read */
export function read<T>({ values, text, isError }: Answer, schema: z.ZodType<T>): T {
  if (isError)
    throw new SttError("refused", plainText(text, maxToldChars) || "The speech server reported an error.");
  const [likeliest = schema.safeParse(undefined), ...others] = values.map((value) => schema.safeParse(value));
  const parsed = [likeliest, ...others].find(({ success }) => success) ?? likeliest;
  if (parsed.success) return parsed.data;
  throw new SttError(
    "malformed",
    `The speech server's answer cannot be read: ${z.prettifyError(parsed.error)}`,
  );
}

/**
 * Servers wrap their JSON in fences or log lines: what counts is the list around everything, or the first `{` to the last `}`.
 */
function outermostJson(text: string): unknown[] {
  const object = /^[^{]*(\{.*\})/s.exec(text)?.[1];
  const list = /^[^{[]*(\[.*\])[^\]}]*$/s.exec(text)?.[1];
  return [list, object].flatMap((json) => {
    try {
      return json === undefined ? [] : [JSON.parse(json)];
    } catch {
      return [];
    }
  });
}
