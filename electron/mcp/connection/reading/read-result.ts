import { z } from "zod";

const record = z.record(z.string(), z.unknown());
const word = z.string().optional().catch(undefined);

const contents = z.union([
  z.object({ uri: z.string(), mimeType: word, text: z.string() }),
  z.object({ uri: z.string(), mimeType: word, blob: z.string() }),
]);
export type ResourceContents = z.infer<typeof contents>;

/** What Parley reads of a block: what its bytes are is looked at where they are shown. */
const block = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image"), data: z.string(), mimeType: z.string().catch("") }),
  z.object({ type: z.literal("audio"), data: z.string(), mimeType: z.string().catch("unknown kind") }),
  z.object({ type: z.literal("resource"), resource: contents }),
  z.object({
    type: z.literal("resource_link"),
    uri: z.string(),
    name: word,
    title: word,
    description: word,
    mimeType: word,
    size: z.number().optional().catch(undefined),
  }),
]);
export type Block = z.infer<typeof block>;

export interface CallResult {
  content: Block[];
  /** Any JSON; undefined: none. */
  structuredContent: unknown;
  isError: boolean;
}

/**
 * What a server answered to a call. Where that breaks the rules, what can be read of it is read, and the rest is text: the call
 * was made, and who is told that it failed makes it again.
 */
export function readResult(answer: Readonly<Record<string, unknown>>): CallResult {
  const { content, structuredContent, toolResult, isError, _meta, ...others } = answer;
  // Some put what they say where no result has it.
  const rest = content === undefined && Object.keys(others).length > 0 ? others : undefined;
  return {
    content: blocksOf(content),
    structuredContent: structuredContent ?? toolResult ?? rest,
    isError: isTrue(isError),
  };
}

/** Some write it as a word or a number. */
const isTrue = (value: unknown) => /^(?:true|1)$/i.test(String(value));

export interface PromptMessage {
  isReply: boolean;
  content: Block[];
}

/** The same of a prompt. */
export function readPrompt({ messages, content: bare }: Readonly<Record<string, unknown>>): PromptMessage[] {
  return listOf(messages ?? bare).map((message) => {
    const { role, content } = record.safeParse(message).data ?? { content: message };
    return { isReply: role === "assistant", content: blocksOf(content) };
  });
}

/** The same of a resource. @param uri what was asked for */
export function readContents(answer: Readonly<Record<string, unknown>>, uri: string): ResourceContents[] {
  return listOf(answer.contents ?? answer.content).map((one) => {
    const { uri: own, ...fields } = record.safeParse(one).data ?? {};
    const parsed = contents.safeParse({ uri: typeof own === "string" ? own : uri, ...fields });
    return parsed.success ? parsed.data : { uri, text: unknownText(one) };
  });
}

/** Many servers give one in place of a list, or null for none. */
const listOf = (value: unknown): unknown[] =>
  [value].flat().filter((one: unknown) => one !== null && one !== undefined);

const blocksOf = (content: unknown): Block[] =>
  listOf(content).map((one) => {
    const parsed = block.safeParse(one);
    return parsed.success ? parsed.data : { type: "text", text: unknownText(one) };
  });

/** Letters of a word that is shown: a longer one is no word. */
const maxWord = 500;

/** What is no block that is known: its kind, and what it says. */
function unknownText(given: unknown): string {
  const fields = record.safeParse(given).data;
  if (!fields) return typeof given === "string" ? given : JSON.stringify(given);
  const { type, text } = fields;
  if (type === "text") return typeof (text ?? "") === "object" ? JSON.stringify(text) : String(text ?? "");
  const said =
    typeof text === "string"
      ? text
      : JSON.stringify(given, (_, value: unknown) =>
          typeof value === "string" && value.length > maxWord && !/\s/.test(value)
            ? `(${value.length} characters)`
            : value,
        );
  return `[${typeof type === "string" ? type : "unknown"}: Parley does not know this kind of content]\n${said}`;
}
