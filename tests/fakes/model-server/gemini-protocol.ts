import { z } from "zod";
import { inlineImage } from "./image-rules.ts";
import type { RequestBlock, RequestBody } from "./invariants.ts";
import { type Encoder, type Protocol, RefusedRequest, sse } from "./protocol.ts";
import type { Args, WireEvent } from "./scripts.ts";
import { geminiBreaches } from "./thinking-rules.ts";
import { geminiRefusals } from "./wire-rules.ts";

/**
 * Gemini's `streamGenerateContent`. Quirks, for a marker's `quirks`: `no-ids` (calls have none), `no-usage`,
 * `together` (calls made at once come in one chunk), `thoughts` (half of the output was thinking), `blocked` (a refusal has no
 * candidate: the prompt itself was blocked).
 */
export function geminiProtocol(): Protocol {
  /** By call: the thought signature that it was sent with. */
  const signatures = new Map<string, string>();
  return {
    accepts: (method, path) =>
      method === "POST" && /^\/v1beta\/models\/[\w.:-]+:streamGenerateContent\?alt=sse$/.test(path),
    listing: {
      path: "/v1beta/models",
      of: (ids) => ({
        models: ids.map((id) => ({
          name: `models/${id}`,
          displayName: `Name of ${id}`,
          supportedGenerationMethods: ["generateContent"],
        })),
      }),
    },
    mostBytes: 20 * 1024 * 1024,
    tooLarge: {
      code: 400,
      type: "invalid_argument",
      message: "Request payload size exceeds the limit: 20971520 bytes.",
    },
    read(json, path) {
      const refused = geminiRefusals(json);
      if (refused.length > 0) throw new RefusedRequest(refused);
      const request = geminiRequest.parse(json);
      const model = /models\/(.*):stream/.exec(path)?.[1] ?? "";
      const { thinkingConfig } = request.generationConfig;
      const breaches = [...check(request, model, signatures), ...geminiBreaches(model, thinkingConfig)];
      return { body: toBody(request, model), breaches };
    },
    encoder: (args) => geminiEncoder(args, signatures),
    error: (code, type, message) => ({
      error: { code, message, status: statuses[code] ?? type.toUpperCase(), details: detailsOf(code) },
    }),
  };
}

const statuses: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  529: "UNAVAILABLE",
};

const detailsOf = (code: number) =>
  code === 429 ? [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "3s" }] : [];

const functionName = z.string().regex(/^[A-Za-z_][\w.-]{0,63}$/);
const part = z.union([
  z.strictObject({ text: z.string().min(1) }),
  z.strictObject({ inlineData: inlineImage }),
  z.strictObject({
    functionCall: z.strictObject({
      id: z.string().optional(),
      name: functionName,
      args: z.record(z.string(), z.unknown()),
    }),
    thoughtSignature: z.string().optional(),
  }),
  z.strictObject({
    functionResponse: z.strictObject({
      id: z.string().optional(),
      name: functionName,
      response: z.record(z.string(), z.unknown()),
    }),
  }),
]);
type Part = z.infer<typeof part>;

/** Its subset of JSON Schema: anything else is refused. */
const schema: z.ZodType = z.strictObject({
  type: z.enum(["string", "number", "integer", "boolean", "array", "object", "null"]).optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  required: z.array(z.string()).optional(),
  get items() {
    return schema.optional();
  },
  get prefixItems() {
    return z.array(schema).optional();
  },
  get anyOf() {
    return z.array(schema).optional();
  },
  get properties() {
    return z.record(z.string(), schema).optional();
  },
});

const geminiRequest = z.strictObject({
  contents: z.array(z.strictObject({ role: z.enum(["user", "model"]), parts: z.array(part).min(1) })).min(1),
  systemInstruction: z.looseObject({ parts: z.array(z.object({ text: z.string() })) }).optional(),
  tools: z
    .array(
      z.strictObject({
        functionDeclarations: z
          .array(
            z.strictObject({
              name: functionName,
              description: z.string(),
              parametersJsonSchema: schema.optional(),
            }),
          )
          .min(1),
      }),
    )
    .optional(),
  generationConfig: z.strictObject({
    maxOutputTokens: z.number().int().positive().optional(),
    temperature: z.number().min(0).max(2).optional(),
    thinkingConfig: z
      .strictObject({
        includeThoughts: z.boolean().optional(),
        thinkingLevel: z.enum(["MINIMAL", "LOW", "MEDIUM", "HIGH"]).optional(),
        thinkingBudget: z.number().int().optional(),
      })
      .optional(),
  }),
});
type GeminiRequest = z.infer<typeof geminiRequest>;

function toBody(
  { contents, systemInstruction, tools, generationConfig }: GeminiRequest,
  model: string,
): RequestBody {
  const messages: RequestBody["messages"] = [];
  for (const { role, parts } of contents) {
    const own = role === "model" ? "assistant" : "user";
    const content = parts.map(blockOf);
    const last = messages.at(-1);
    if (last?.role === own && own === "user") last.content.push(...content);
    else messages.push({ role: own, content });
  }
  const declared = tools?.flatMap(({ functionDeclarations }) => functionDeclarations) ?? [];
  return {
    model,
    max_tokens: generationConfig.maxOutputTokens ?? 1,
    stream: true,
    system: systemInstruction?.parts.map(({ text }) => text).join("\n"),
    messages,
    tools: declared.map(({ name }) => ({ name, input_schema: { type: "object" } })),
    ...(generationConfig.temperature !== undefined && { temperature: generationConfig.temperature }),
  };
}

function blockOf(sent: Part): RequestBlock {
  if ("text" in sent) return { type: "text", text: sent.text };
  if ("inlineData" in sent) return { type: "image" };
  if ("functionCall" in sent) {
    const { id, name, args } = sent.functionCall;
    return { type: "tool_use", id, name, input: args };
  }
  const { id, response } = sent.functionResponse;
  const { error, output } = response;
  return {
    type: "tool_result",
    tool_use_id: id,
    content: error ?? output,
    ...(error !== undefined && { is_error: true }),
  };
}

function check(
  { contents }: GeminiRequest,
  model: string,
  signatures: ReadonlyMap<string, string>,
): string[] {
  const breaches: string[] = [];
  for (const [index, { role, parts }] of contents.entries()) {
    const at = `contents.${index}`;
    const calls = parts.flatMap((sent) => ("functionCall" in sent ? [sent] : []));
    const results = parts.filter((sent) => "functionResponse" in sent).length;
    const before = contents[index - 1]?.parts.filter((sent) => "functionCall" in sent).length ?? 0;
    if (results !== before) breaches.push(`${at}: ${results} function responses for ${before} calls`);
    if (results > 0 && results < parts.length) breaches.push(`${at}: responses mixed with other parts`);
    if (calls.length > 0 && role === "user") breaches.push(`${at}: a function call of the user`);
    for (const [place, { functionCall, thoughtSignature }] of calls.entries()) {
      const sent = signatures.get(functionCall.id ?? "");
      if (sent !== undefined && thoughtSignature !== sent)
        breaches.push(`${at}: ${functionCall.name} came back without its thought signature`);
      if (place === 0 && !thoughtSignature && model.startsWith("gemini-3"))
        breaches.push(`${at}: function call ${functionCall.name} is missing a thought_signature`);
    }
  }
  return breaches;
}

function geminiEncoder({ quirks = [] }: Args, signatures: Map<string, string>): Encoder {
  const is = (quirk: string) => quirks.includes(quirk);
  const candidate = (parts: object[], rest: object = {}, more: object = {}) =>
    sse({
      candidates: [{ content: { role: "model", parts }, index: 0, ...rest }],
      modelVersion: "scripted-gemini",
      ...more,
    });
  const calls = new Map<number, { id: string; name: string; json: string }>();
  let waiting: object[] = [];
  let counted = {};
  let signature: string | undefined;

  function whole(index: number): object[] {
    const open = calls.get(index);
    calls.delete(index);
    const args = open && jsonIn(open.json);
    // A call that the limit cut never leaves the server.
    if (!open || args === undefined) return [];
    const thoughtSignature = signature;
    signature = undefined;
    if (thoughtSignature && !is("no-ids")) signatures.set(open.id, thoughtSignature);
    const functionCall = { ...(!is("no-ids") && { id: open.id }), name: open.name, args };
    return [{ functionCall, ...(thoughtSignature && { thoughtSignature }) }];
  }

  function encode(event: WireEvent): string {
    const { delta, content_block: block, index = -1 } = event;
    switch (event.type) {
      case "message_start":
        counted = Object(event.message).usage;
        return "";
      case "content_block_start":
        if (block?.type === "tool_use")
          calls.set(index, { id: String(block.id), name: String(block.name), json: "" });
        return "";
      case "content_block_delta": {
        if (is("blocked")) return "";
        if (delta?.type === "text_delta") return candidate([{ text: delta.text }]);
        if (delta?.type === "thinking_delta") return candidate([{ text: delta.thinking, thought: true }]);
        if (delta?.type === "signature_delta") {
          signature = Buffer.from(String(delta.signature)).toString("base64");
          return "";
        }
        const open = calls.get(index);
        if (delta?.type !== "input_json_delta" || !open) return candidate([{ brandNewPart: {} }]);
        open.json += String(delta.partial_json);
        return "";
      }
      case "content_block_stop": {
        const parts = whole(index);
        if (parts.length === 0) return "";
        if (!is("together")) return candidate(parts);
        waiting.push(...parts);
        return "";
      }
      case "message_delta": {
        if (is("blocked"))
          return sse({ promptFeedback: { blockReason: "SAFETY" }, modelVersion: "scripted-gemini" });
        const before = waiting.length > 0 ? candidate(waiting) : "";
        waiting = [];
        const finishReason = finishReasons[String(delta?.stop_reason)] ?? "STOP";
        const usage = is("no-usage")
          ? {}
          : { usageMetadata: usageOf({ ...counted, ...Object(event.usage) }, is("thoughts")) };
        return before + candidate([{ text: "" }], { finishReason }, usage);
      }
      case "error":
        return sse({ error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } });
      case "ping":
        return ": ping\n\n";
      default:
        return event.type.startsWith("brand") ? sse({ brandNewField: 1 }) : "";
    }
  }
  return { encode: (event, raw) => (raw === undefined ? encode(event) : `data: ${raw}\n\n`) };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const finishReasons: Readonly<Record<string, string>> = { max_tokens: "MAX_TOKENS", refusal: "SAFETY" };

/** Cached tokens are part of the prompt's here. */
function usageOf(counted: Record<string, number>, thoughtHalf: boolean): object {
  const cached = counted.cache_read_input_tokens ?? 0;
  const { input_tokens = 0, output_tokens = 0, cache_creation_input_tokens: written = 0 } = counted;
  return {
    promptTokenCount: input_tokens + cached + written,
    cachedContentTokenCount: cached,
    candidatesTokenCount: thoughtHalf ? output_tokens / 2 : output_tokens,
    ...(thoughtHalf && { thoughtsTokenCount: output_tokens / 2 }),
  };
}
