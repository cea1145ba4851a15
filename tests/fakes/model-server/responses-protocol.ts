import { z } from "zod";
import { imageAddress } from "./image-rules.ts";
import type { RequestBlock, RequestBody } from "./invariants.ts";
import { type Encoder, type Protocol, RefusedParameter } from "./protocol.ts";
import type { Args, WireEvent } from "./scripts.ts";
import { responsesRefusal } from "./thinking-rules.ts";

/**
 * OpenAI's Responses API, asked to keep nothing. Quirks, for a marker's `quirks`: `unsealed` (reasoning comes without its
 * sealed form), `no-summary` (there is nothing of the reasoning to be read).
 * @param options.unverified it refuses summaries of reasoning, as it does to organisations that are not verified
 */
export function responsesProtocol({ unverified = false }: { unverified?: boolean } = {}): Protocol {
  /** By the id of a call: the sealed reasoning that led to it. */
  const sealed = new Map<string, string>();
  return {
    accepts: (method, path) => method === "POST" && path === "/v1/responses",
    listing: {
      path: "/v1/models",
      of: (ids) => ({ object: "list", data: ids.map((id) => ({ object: "model", id })) }),
    },
    read(json) {
      const request = responsesRequest.parse(json);
      if (unverified && request.reasoning?.summary)
        throw new RefusedParameter(
          "reasoning.summary",
          "Your organization must be verified to generate reasoning summaries.",
        );
      const refusal = responsesRefusal(request.model, request.reasoning?.effort);
      if (refusal) throw new RefusedParameter("reasoning.effort", refusal);
      return { body: toBody(request), breaches: checkItems(request, sealed) };
    },
    encoder: (args) => responsesEncoder(args, sealed),
    error: (code, type, message) => ({
      error: { message, type: code === 500 ? "server_error" : type, param: null, code: null },
    }),
  };
}

const plain = z.string().min(1);
const id = z.string().regex(/^[\w-]{1,64}$/);
const textPart = z.strictObject({ type: z.literal("input_text"), text: plain });
const imagePart = z.strictObject({
  type: z.literal("input_image"),
  image_url: imageAddress,
  detail: z.enum(["auto", "low", "high", "original"]),
});
const part = z.discriminatedUnion("type", [textPart, imagePart]);

const item = z.union([
  z.strictObject({ role: z.literal("user"), content: z.array(part).min(1) }),
  z.strictObject({ role: z.literal("assistant"), content: plain }),
  z.strictObject({ type: z.literal("function_call"), call_id: id, name: id, arguments: z.string() }),
  z.strictObject({
    type: z.literal("function_call_output"),
    call_id: id,
    output: z.union([z.string(), z.array(part).min(1)]),
  }),
  z.strictObject({
    type: z.literal("reasoning"),
    id: z.string().startsWith("rs_"),
    summary: z.array(z.strictObject({ type: z.literal("summary_text"), text: plain })),
    encrypted_content: plain,
  }),
]);

const responsesRequest = z.strictObject({
  model: plain,
  instructions: plain.optional(),
  input: z.array(item).min(1),
  tools: z
    .array(
      z.strictObject({
        type: z.literal("function"),
        name: id,
        description: z.string(),
        parameters: z.looseObject({ type: z.literal("object") }),
        strict: z.literal(false),
      }),
    )
    .min(1)
    .optional(),
  max_output_tokens: z.number().int().min(16),
  reasoning: z
    .strictObject({
      effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).optional(),
      summary: z.enum(["auto", "concise", "detailed"]).optional(),
    })
    .optional(),
  include: z.tuple([z.literal("reasoning.encrypted_content")]),
  store: z.literal(false),
  stream: z.literal(true),
});
type ResponsesRequest = z.infer<typeof responsesRequest>;

function toBody({ model, instructions, input, tools = [], ...rest }: ResponsesRequest): RequestBody {
  const messages: RequestBody["messages"] = [];
  const add = (role: "user" | "assistant", content: RequestBlock[]) => {
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content });
  };
  for (const sent of input) {
    if ("role" in sent) {
      if (sent.role === "assistant") add("assistant", [{ type: "text", text: sent.content }]);
      else add("user", sent.content.map(blockOf));
    } else if (sent.type === "function_call") {
      const { call_id, name, arguments: json } = sent;
      add("assistant", [{ type: "tool_use", id: call_id, name, input: JSON.parse(json) }]);
    } else if (sent.type === "function_call_output") add("user", [resultBlock(sent)]);
    else add("assistant", [{ type: "thinking", thinking: "", signature: sent.encrypted_content }]);
  }
  return {
    model,
    max_tokens: rest.max_output_tokens,
    stream: true,
    system: instructions ?? "",
    messages,
    tools: tools.map(({ name, parameters }) => ({ name, input_schema: parameters })),
  };
}

const blockOf = (sent: z.infer<typeof part>): RequestBlock =>
  sent.type === "input_text" ? { type: "text", text: sent.text } : { type: "image" };

/** There is no field for failures: the client says it in words. */
function resultBlock({
  call_id,
  output,
}: Extract<ResponsesRequest["input"][number], { call_id: string; output: unknown }>): RequestBlock {
  const said =
    typeof output === "string"
      ? output
      : output.map((one) => (one.type === "input_text" ? one.text : "")).join("");
  return {
    type: "tool_result",
    tool_use_id: call_id,
    content: said.replace(/^Error: /, ""),
    ...(said.startsWith("Error: ") && { is_error: true }),
  };
}

/** Reasoning goes right before what it led to, and a call that came of it does not go without it. */
function checkItems({ input }: ResponsesRequest, sealed: ReadonlyMap<string, string>): string[] {
  const breaches: string[] = [];
  const seen = new Set<string>();
  for (const [place, sent] of input.entries()) {
    const isReasoning = "type" in sent && sent.type === "reasoning";
    if (isReasoning) seen.add(sent.encrypted_content);
    const next = input[place + 1];
    if (isReasoning && (next === undefined || ("role" in next && next.role === "user")))
      breaches.push(
        `Item '${sent.id}' of type 'reasoning' was provided without its required following item.`,
      );
    if (!("type" in sent) || sent.type !== "function_call") continue;
    const wanted = sealed.get(sent.call_id);
    if (wanted !== undefined && !seen.has(wanted))
      breaches.push(
        `Item '${sent.call_id}' of type 'function_call' was provided without its reasoning item.`,
      );
  }
  return breaches;
}

let made = 0;

function responsesEncoder({ quirks = [] }: Args, sealed: Map<string, string>): Encoder {
  const is = (quirk: string) => quirks.includes(quirk);
  let sequence_number = 0;
  let output_index = -1;
  let counted = {};
  let model = "";
  let seal: string | null = null;
  let open: { type: string; id: string; call_id: string; name: string; text: string } | null = null;
  const sse = (type: string, rest: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...rest })}\n\n`;
  const base = (status: string, rest: object = {}) => ({
    response: { id: "resp_scripted", object: "response", status, model, output: [], error: null, ...rest },
  });
  const at = () => ({ item_id: open?.id, output_index });

  function begun(type: string, block: WireEvent["content_block"]): string {
    output_index += 1;
    const prefix = { reasoning: "rs", function_call: "fc" }[type] ?? "msg";
    open = {
      type,
      id: `${prefix}_${++made}`,
      call_id: String(block?.id ?? ""),
      name: String(block?.name ?? ""),
      text: "",
    };
    const item = itemOf("in_progress");
    const added = sse("response.output_item.added", { output_index, item });
    if (type === "reasoning")
      return is("no-summary")
        ? added
        : added + sse("response.reasoning_summary_part.added", { ...at(), summary_index: 0, part: {} });
    return type === "message"
      ? added + sse("response.content_part.added", { ...at(), content_index: 0, part: {} })
      : added;
  }

  function itemOf(status: string): object {
    const { type = "", id, call_id, name, text } = open ?? {};
    switch (type) {
      case "reasoning":
        return {
          ...{ type, id, summary: [] },
          ...(status !== "in_progress" && !is("unsealed") && { encrypted_content: seal }),
        };
      case "function_call":
        return { type, id, call_id, name, arguments: status === "in_progress" ? "" : text, status };
      default:
        return { type, id, role: "assistant", status, content: [] };
    }
  }

  function ended(): string {
    if (!open) return "";
    const { type, call_id, text } = open;
    if (type === "reasoning" && !is("unsealed")) seal = `sealed-${++made}`;
    const isCut = type === "function_call" && !isJson(text);
    if (type === "function_call" && seal !== null) sealed.set(call_id, seal);
    const done = sse("response.output_item.done", {
      output_index,
      item: itemOf(isCut ? "incomplete" : "completed"),
    });
    open = null;
    return done;
  }

  function encode(event: WireEvent): string {
    const { delta, content_block: block } = event;
    switch (event.type) {
      case "message_start":
        ({ usage: counted = {} } = Object(event.message));
        model = "scripted-responses";
        return (
          sse("response.created", base("in_progress")) + sse("response.in_progress", base("in_progress"))
        );
      case "content_block_start": {
        const types = { text: "message", thinking: "reasoning", tool_use: "function_call" } as const;
        const type = types[block?.type as keyof typeof types];
        return type ? begun(type, block) : sse("response.brand_new_event", {});
      }
      case "content_block_delta": {
        if (delta?.type === "text_delta")
          return sse("response.output_text.delta", { ...at(), content_index: 0, delta: delta.text });
        if (delta?.type === "thinking_delta")
          return is("no-summary")
            ? ""
            : sse("response.reasoning_summary_text.delta", {
                ...at(),
                summary_index: 0,
                delta: delta.thinking,
              });
        if (delta?.type !== "input_json_delta" || !open) return "";
        open.text += String(delta.partial_json);
        return sse("response.function_call_arguments.delta", { ...at(), delta: delta.partial_json });
      }
      case "content_block_stop":
        return ended();
      case "message_delta": {
        const reason = incomplete[String(delta?.stop_reason)];
        const usage = usageOf({ ...counted, ...Object(event.usage) });
        return reason
          ? sse("response.incomplete", base("incomplete", { incomplete_details: { reason }, usage }))
          : sse("response.completed", base("completed", { usage }));
      }
      case "error":
        return sse("error", { code: "server_error", message: "Overloaded", param: null });
      case "ping":
        return ": ping\n\n";
      default:
        return event.type.startsWith("brand") ? sse("response.brand_new_event", {}) : "";
    }
  }
  return { encode: (event, raw) => (raw === undefined ? encode(event) : `data: ${raw}\n\n`) };
}

const isJson = (text: string) => text === "" || JSON.stringify(tryJson(text)) !== undefined;

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const incomplete: Readonly<Record<string, string>> = {
  max_tokens: "max_output_tokens",
  refusal: "content_filter",
};

/** Cached tokens are part of the input's here. */
function usageOf(counted: Record<string, number>): object {
  const cached = counted.cache_read_input_tokens ?? 0;
  const { input_tokens = 0, output_tokens = 0, cache_creation_input_tokens: written = 0 } = counted;
  return {
    input_tokens: input_tokens + cached + written,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + cached + written + output_tokens,
  };
}
