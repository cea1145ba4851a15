import { z } from "zod";
import { type DialectName, dialects } from "./dialects.ts";
import { imageAddress } from "./image-rules.ts";
import type { RequestBlock, RequestBody } from "./invariants.ts";
import { type Encoder, type Protocol, Refusal, RefusedParameter, sse } from "./protocol.ts";
import type { Args, WireEvent } from "./scripts.ts";
import { chatRefusal } from "./thinking-rules.ts";

/**
 * Chat Completions, as OpenAI and the servers that speak like it. Quirks, for a marker's `quirks`:
 * `no-ids`, `no-usage`, `no-index`, `same-index` (0 for every call), `same-ids` (`call_0`, … in every reply), `whole`
 * (arguments in one piece), `as-object` (arguments as an object), `finish-stop` (`stop` after calls, too), `nulls`
 * (fields that are not there are null), `usage-early` (usage comes with the last words, and chunks without it after that).
 */
export function openaiProtocol({
  refuses = [],
  dialect,
}: {
  refuses?: readonly string[];
  /** Of all its models but one that is called `plain`. */
  dialect?: DialectName;
} = {}): Protocol {
  return {
    accepts: (method, path) => method === "POST" && path === "/v1/chat/completions",
    listing: {
      path: "/v1/models",
      of: (ids) => ({ object: "list", data: ids.map((id) => ({ object: "model", id })) }),
    },
    read(json) {
      const request = chatRequest.parse(json);
      const refused = refuses.find((name) => name in request || (name === "image_url" && hasImage(request)));
      if (refused) throw new RefusedParameter(refused);
      const { model, reasoning_effort, tools } = request;
      const refusal = dialect && model !== "plain" ? dialects[dialect](request) : null;
      if (refusal !== null) throw new Refusal(refusal);
      const unthinkable = chatRefusal(model, reasoning_effort, tools !== undefined);
      if (unthinkable) throw new RefusedParameter("reasoning_effort", unthinkable);
      return { body: toBody(request), breaches: checkOrder(request) };
    },
    encoder: (args) => chatEncoder(args),
    error: (code, type, message) => ({
      error: { message, type: types[code] ?? type, param: null, code: null },
    }),
  };
}

/** A model that sees nothing refuses what others take. */
const hasImage = ({ messages }: z.infer<typeof chatRequest>) =>
  messages.some(({ content }) => Array.isArray(content) && content.some(({ type }) => type === "image_url"));

const types: Readonly<Record<number, string>> = {
  401: "invalid_request_error",
  429: "rate_limit_exceeded",
  500: "server_error",
};

const plain = z.string().min(1);
const message = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("system"), content: plain }),
  z.strictObject({
    role: z.literal("user"),
    content: z.union([
      plain,
      z
        .array(
          z.discriminatedUnion("type", [
            z.strictObject({ type: z.literal("text"), text: plain }),
            z.strictObject({
              type: z.literal("image_url"),
              image_url: z.strictObject({ url: imageAddress }),
            }),
          ]),
        )
        .min(1),
    ]),
  }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.string(),
    reasoning_content: z.string().optional(),
    tool_calls: z
      .array(
        z.strictObject({
          id: z.string().regex(/^[\w-]{1,40}$/),
          type: z.literal("function"),
          function: z.strictObject({ name: z.string().regex(/^[\w-]{1,64}$/), arguments: z.string() }),
        }),
      )
      .min(1)
      .optional(),
  }),
  z.strictObject({ role: z.literal("tool"), tool_call_id: plain, content: z.string() }),
]);

const chatRequest = z.strictObject({
  model: plain,
  messages: z.array(message).min(1),
  stream: z.literal(true),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  max_tokens: z.number().int().positive().optional(),
  max_completion_tokens: z.number().int().positive().optional(),
  temperature: z.number().min(0).max(2).optional(),
  reasoning_effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal("function"),
        function: z.strictObject({
          name: z.string().regex(/^[\w-]{1,64}$/),
          description: z.string(),
          parameters: z.looseObject({ type: z.literal("object") }),
        }),
      }),
    )
    .min(1)
    .optional(),
});
type ChatRequest = z.infer<typeof chatRequest>;

function toBody({ model, messages, tools = [], temperature, ...rest }: ChatRequest): RequestBody {
  const converted: RequestBody["messages"] = [];
  const add = (role: "user" | "assistant", content: RequestBlock[]) => {
    const last = converted.at(-1);
    if (role === "user" && last?.role === "user") last.content.push(...content);
    else converted.push({ role, content });
  };
  for (const sent of messages) {
    if (sent.role === "user") add("user", userBlocks(sent.content));
    if (sent.role === "tool") add("user", [resultBlock(sent.tool_call_id, sent.content)]);
    if (sent.role === "assistant") {
      const text = sent.content === "" ? [] : [{ type: "text", text: sent.content }];
      const calls = (sent.tool_calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
        type: "tool_use",
        id,
        name,
        input: JSON.parse(json),
      }));
      add("assistant", [...text, ...calls]);
    }
  }
  return {
    model,
    max_tokens: rest.max_tokens ?? rest.max_completion_tokens ?? 1,
    stream: true,
    system: messages.flatMap((sent) => (sent.role === "system" ? [sent.content] : [])).join("\n"),
    messages: converted,
    tools: tools.map(({ function: { name, parameters } }) => ({ name, input_schema: parameters })),
    ...(temperature !== undefined && { temperature }),
  };
}

function userBlocks(content: Extract<ChatRequest["messages"][number], { role: "user" }>["content"]) {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map((part): RequestBlock => (part.type === "text" ? part : { type: "image" }));
}

/** There is no field for failures: the client says it in words. */
function resultBlock(id: string, content: string): RequestBlock {
  const isError = content.startsWith("Error: ");
  return {
    type: "tool_result",
    tool_use_id: id,
    content: content.replace(/^Error: /, ""),
    ...(isError && { is_error: true }),
  };
}

function checkOrder({ messages, ...request }: ChatRequest): string[] {
  const breaches: string[] = [];
  if (request.max_tokens !== undefined && request.max_completion_tokens !== undefined)
    breaches.push("max_tokens and max_completion_tokens");
  for (const [index, { role }] of messages.entries()) {
    if (role === "system" && index > 0) breaches.push(`messages.${index}: system is not the first`);
    const before = messages[index - 1]?.role;
    if (role === "tool" && before !== "tool" && before !== "assistant")
      breaches.push(`messages.${index}: a tool's message after one of ${before}`);
  }
  return breaches;
}

function chatEncoder({ quirks = [] }: Args): Encoder {
  const is = (quirk: string) => quirks.includes(quirk);
  const id = is("no-ids") ? {} : { id: "chatcmpl-scripted" };
  const chunk = (delta: object, finish_reason: string | null = null) =>
    sse({
      ...id,
      object: "chat.completion.chunk",
      model: "scripted-chat",
      choices: [
        {
          index: 0,
          delta: is("nulls") ? { content: null, tool_calls: null, ...delta } : delta,
          finish_reason,
        },
      ],
      ...(is("nulls") && { usage: null }),
    });
  /** By index of the block: its place among the calls. */
  const calls = new Map<number, { place: number; id: string; name: string; json: string }>();
  let counted = {};
  const call = (place: number, rest: object) => {
    const index = is("no-index") ? {} : { index: is("same-index") ? 0 : place };
    return chunk({ tool_calls: [{ ...index, ...rest }] });
  };
  const isWhole = is("whole") || is("as-object") || is("same-index") || is("no-index");

  function encode(event: WireEvent): string {
    const { delta, content_block: block, index = -1 } = event;
    switch (event.type) {
      case "message_start":
        counted = Object(event.message).usage;
        return chunk({ role: "assistant", content: "" });
      case "content_block_start": {
        if (block?.type !== "tool_use") return "";
        const place = calls.size;
        const known = {
          place,
          id: is("same-ids") ? `call_${place}` : String(block.id),
          name: String(block.name),
        };
        calls.set(index, { ...known, json: "" });
        const named = { type: "function", function: { name: known.name, arguments: "" } };
        return isWhole ? "" : call(place, { ...(!is("no-ids") && { id: known.id }), ...named });
      }
      case "content_block_delta": {
        if (delta?.type === "text_delta") return chunk({ content: delta.text });
        if (delta?.type === "thinking_delta") return chunk({ reasoning_content: delta.thinking });
        const open = calls.get(index);
        if (delta?.type !== "input_json_delta" || !open) return chunk({ brand_new_delta: "no" });
        open.json += String(delta.partial_json);
        return isWhole ? "" : call(open.place, { function: { arguments: delta.partial_json } });
      }
      case "content_block_stop": {
        const open = calls.get(index);
        if (!isWhole || !open) return "";
        const json = is("as-object") ? JSON.parse(open.json) : open.json;
        return call(open.place, {
          ...(!is("no-ids") && { id: open.id }),
          type: "function",
          function: { name: open.name, arguments: json },
        });
      }
      case "message_delta": {
        const reason = finishReasons[String(delta?.stop_reason)] ?? "stop";
        const end = chunk({}, reason === "tool_calls" && is("finish-stop") ? "stop" : reason);
        const used = usageOf({ ...counted, ...Object(event.usage) });
        if (is("usage-early")) return sse({ ...id, choices: [], usage: used }) + end + chunk({});
        return is("no-usage") ? end : end + sse({ ...id, choices: [], usage: used });
      }
      case "message_stop":
        return "data: [DONE]\n\n";
      case "error":
        return sse({ error: { message: "Overloaded", type: "server_error", code: 503, param: null } });
      default:
        return ": ping\n\n";
    }
  }
  return { encode: (event, raw) => (raw === undefined ? encode(event) : `data: ${raw}\n\n`) };
}

const finishReasons: Readonly<Record<string, string>> = {
  tool_use: "tool_calls",
  max_tokens: "length",
  refusal: "content_filter",
};

/** Cached tokens are part of the prompt's here. */
function usageOf(counted: Record<string, number>): object {
  const cached = counted.cache_read_input_tokens ?? 0;
  const { input_tokens = 0, output_tokens = 0, cache_creation_input_tokens: written = 0 } = counted;
  return {
    prompt_tokens: input_tokens + cached + written,
    completion_tokens: output_tokens,
    total_tokens: input_tokens + cached + written + output_tokens,
    prompt_tokens_details: { cached_tokens: cached },
  };
}
