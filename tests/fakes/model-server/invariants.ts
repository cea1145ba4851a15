import { isUtf8 } from "node:buffer";
import { z } from "zod";

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
  is_error: z.boolean().optional(),
  thinking: z.string().optional(),
  signature: z.string().optional(),
});
export type RequestBlock = z.infer<typeof block>;

const apiMessage = z.object({
  role: z.enum(["user", "assistant"]),
  content: z.union([
    z.string().transform((text): RequestBlock[] => [block.parse({ type: "text", text })]),
    z.array(block),
  ]),
});

/** The body of a request, as far as tests look at it. */
export const requestBody = z.looseObject({
  model: z.string(),
  max_tokens: z.number().int().positive(),
  stream: z.literal(true),
  system: z.unknown().optional(),
  temperature: z.number().optional(),
  messages: z.array(apiMessage).min(1),
  tools: z.array(z.looseObject({ name: z.string(), input_schema: z.looseObject({}) })).optional(),
});
export type RequestBody = z.infer<typeof requestBody>;

/** Half a surrogate pair, which `JSON.stringify` escapes, is no JSON for any API; nor is what is no UTF-8. */
export function checkText(bytes: Uint8Array, json: string): string[] {
  const at = json.search(/(?<!\\)(?:\\\\)*\\ud[89a-f]/i);
  const why = isUtf8(bytes) ? (at < 0 ? null : "no low surrogate in string") : "invalid UTF-8";
  return why === null
    ? []
    : [`The request body is not valid JSON: ${why}: line 1 column ${at + 1} (char ${at})`];
}

/** What every API would refuse, and what would confuse a model. Empty when all is well. */
export function checkRequest({ messages, tools = [] }: RequestBody): string[] {
  const breaches: string[] = [];
  if (messages[0]?.role !== "user") breaches.push("the first message is not the user's");
  if (messages.at(-1)?.role !== "user") breaches.push("the last message is not the user's");
  breaches.push(...checkNames(tools.map(({ name }) => name)));
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const before = messages[index - 1];
    const at = `messages.${index}`;
    if (before?.role === message.role) breaches.push(`${at}: roles do not alternate`);
    if (message.content.length === 0) breaches.push(`${at}: empty content`);
    for (const { type, text } of message.content) {
      if (type === "text" && text?.trim() === "") breaches.push(`${at}: blank text block`);
    }
    breaches.push(...message.content.flatMap((result) => checkResultShape(result, at)));
    breaches.push(...checkCalls(message.content, at, seen));
    if (message.role === "user") breaches.push(...checkResults(before?.content ?? [], message.content, at));
    if (message.role === "assistant" && messages[index + 1] === undefined) {
      if (message.content.some(({ type }) => type === "tool_use"))
        breaches.push(`${at}: unanswered tool_use`);
    }
  }
  if (seen.size > 0 && tools.length === 0)
    breaches.push("tool use in the history, but no tools in the request");
  return breaches;
}

/** The narrowest of the three APIs: letters, digits, `_` and `-`, at most 64, each name once. */
function checkNames(names: readonly string[]): string[] {
  const wrong = names.filter((name) => !/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name));
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return [
    ...wrong.map((name) => `the tool name ${JSON.stringify(name)} is not allowed`),
    ...twice.map((name) => `two tools are named ${name}`),
  ];
}

const resultFields = new Set(["type", "tool_use_id", "content", "is_error", "cache_control"]);
const resultContent = z.union([
  z.string(),
  z.array(
    z.discriminatedUnion("type", [
      z.looseObject({ type: z.literal("text"), text: z.string().min(1) }),
      z.looseObject({
        type: z.literal("image"),
        source: z.strictObject({
          type: z.literal("base64"),
          media_type: z.string(),
          data: z.string().min(1),
        }),
      }),
    ]),
  ),
]);

/** The Messages API refuses fields that it does not know, and other content. */
function checkResultShape(result: RequestBlock, at: string): string[] {
  if (result.type !== "tool_result") return [];
  const unknown = Object.keys(result).filter((key) => !resultFields.has(key));
  const breaches = unknown.map((key) => `${at}: tool_result has the unknown field ${key}`);
  if (!resultContent.safeParse(result.content).success)
    breaches.push(`${at}: tool_result with content of no known kind`);
  return breaches;
}

function checkCalls(content: readonly RequestBlock[], at: string, seen: Set<string>): string[] {
  return content.flatMap(({ type, id = "", input }) => {
    if (type !== "tool_use") return [];
    const breaches: string[] = [];
    if (seen.has(id)) breaches.push(`${at}: tool_use ${id} stands twice`);
    seen.add(id);
    if (typeof input !== "object" || input === null) breaches.push(`${at}: input of ${id} is no object`);
    return breaches;
  });
}

function checkResults(
  calls: readonly RequestBlock[],
  content: readonly RequestBlock[],
  at: string,
): string[] {
  const asked = calls.filter(({ type }) => type === "tool_use").map(({ id }) => id);
  const answered = content.filter(({ type }) => type === "tool_result").map(({ tool_use_id }) => tool_use_id);
  const breaches: string[] = [];
  for (const id of asked) {
    const times = answered.filter((other) => other === id).length;
    if (times !== 1) breaches.push(`${at}: tool_use ${id} is answered ${times} times`);
  }
  for (const id of answered) if (!asked.includes(id)) breaches.push(`${at}: tool_result ${id} has no call`);
  const firstOther = content.findIndex(({ type }) => type !== "tool_result");
  const lastResult = content.findLastIndex(({ type }) => type === "tool_result");
  if (firstOther >= 0 && firstOther < lastResult) breaches.push(`${at}: tool_result after other content`);
  return breaches;
}
