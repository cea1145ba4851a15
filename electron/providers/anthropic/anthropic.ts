import type Anthropic from "@anthropic-ai/sdk";
import { z } from "zod";
import type { EffortSupport } from "../../../shared/conversation/effort.ts";
import type {
  AssistantMessage,
  Clock,
  ListedModel,
  ModelError,
  ModelFacts,
  ModelRequest,
  ModelStreamEvent,
  Provider,
  Tool,
} from "../../agent/ports/ports.ts";
import { ownHosts } from "../addresses.ts";
import { type ApiAnswer, noReply, toModelError } from "../api-errors.ts";
import { wholeMessage } from "../complete.ts";
import type { Credential } from "../credentials.ts";
import { claudeThinking, effortsOf } from "../efforts.ts";
import { imageLimits, withFittingImages } from "../fitting-images.ts";
import { jsonIn } from "../json-in.ts";
import { acceptsImages, acceptsTemperature, resolveModel } from "../models.ts";
import { errorIn } from "../openai/chat-errors.ts";
import { preconnect } from "../preconnect.ts";
import { anthropicProfile } from "../profiles.ts";
import { refusalIn, refusedTools } from "../refused-tools.ts";
import { type RetryPolicy, withRetry } from "../retry.ts";
import type { ServerSentEvent } from "../server-sent-events.ts";
import { toolSchema } from "../tool-schema.ts";
import type { WatchdogLimits } from "../watchdog.ts";
import { type StreamEvents, watchedAttempt } from "../watched-attempt.ts";
import {
  anthropicMessages,
  type Body,
  canThinkNow,
  requestBytes,
  withCacheMarks,
} from "./anthropic-request.ts";
import { GrowingJson } from "./growing-json.ts";
import { httpFetch } from "./http-fetch.ts";
import { type CountedTokens, MessageAssembler, type RawBlock, type RawEvent } from "./message-assembler.ts";

export interface AnthropicOptions {
  credential: Credential;
  /** The API's own address where undefined. */
  baseUrl?: string | undefined;
  retry: RetryPolicy;
  limits: WatchdogLimits;
  /** What is known of the model with this full id. */
  facts(id: string): ModelFacts;
  clock: Clock;
  random(): number;
  fetch?: typeof fetch;
}

/** Claude over the Messages API, streamed. */
export class AnthropicProvider implements Provider {
  readonly id = "anthropic";
  readonly profile = anthropicProfile;
  readonly #options: AnthropicOptions;
  readonly #baseUrl: string;
  readonly #host: string;
  #sdk: Promise<Sdk> | null = null;
  readonly #messages = anthropicMessages(true);
  readonly #messagesWithoutThinking = anthropicMessages(false);
  readonly #json = new GrowingJson<Anthropic.MessageParam>();
  /** The API has refused what it thought before, such as after a change of the account. */
  #isThinkingRefused = false;

  constructor(options: AnthropicOptions) {
    this.#options = options;
    this.#baseUrl = options.baseUrl || `https://${ownHosts.anthropic}`;
    this.#host = new URL(this.#baseUrl).host;
  }

  resolveModel(name: string): string {
    return resolveModel(name, "anthropic");
  }

  modelFacts(model: string): ModelFacts {
    return this.#options.facts(this.resolveModel(model));
  }

  efforts(model: string): EffortSupport {
    return effortsOf.anthropic(this.resolveModel(model));
  }

  async listModels(signal: AbortSignal): Promise<ListedModel[]> {
    const sdk = await this.#loaded();
    try {
      const listed: ListedModel[] = [];
      const query = { limit: 1000 };
      const headers = this.#headers(false);
      for await (const { id, display_name } of sdk.client.models.list(query, { signal, headers })) {
        listed.push({ id, name: display_name });
      }
      return listed;
    } catch (error) {
      signal.throwIfAborted();
      throw this.#toError(error, "", sdk);
    }
  }

  takesImages(model: string): boolean {
    return acceptsImages(this.resolveModel(model));
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelStreamEvent> {
    return this.#tries(request, withCacheMarks, signal);
  }

  /** Without cache marks: what is asked once is not worth writing to the cache. */
  complete(request: ModelRequest, signal: AbortSignal): Promise<AssistantMessage> {
    return wholeMessage(this.#tries(request, (body) => body, signal));
  }

  async connect(): Promise<void> {
    await Promise.all([this.#loaded(), preconnect(this.#baseUrl, this.#options.fetch)]);
  }

  convertTools(tools: readonly Tool[]): Anthropic.Tool[] {
    return tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      input_schema: toolSchema(tool),
    }));
  }

  #tries(
    request: ModelRequest,
    marked: (body: Body) => Body,
    signal: AbortSignal,
  ): AsyncGenerator<ModelStreamEvent> {
    const { retry: policy, clock, random } = this.#options;
    return withRetry(() => this.#attempt(request, marked, signal), { policy, clock, random, signal });
  }

  /** Where a tool is refused, or what was thought before, asks again without it: better than a conversation that is stuck. */
  async *#attempt(
    request: ModelRequest,
    marked: (body: Body) => Body,
    signal: AbortSignal,
  ): AsyncGenerator<StreamEvents> {
    const sdk = await this.#loaded();
    const refused = refusedTools(this.#baseUrl, this.resolveModel(request.model));
    for (;;) {
      const tools = refused.without(request.tools);
      try {
        yield* this.#request(marked(this.#body({ ...request, tools })), sdk, signal);
        return;
      } catch (error) {
        const notice = refused.learn(refusalIn(error), tools);
        if (notice !== null) yield [{ type: "notice", text: notice }];
        else if (this.#isThinkingRefused || !refusesThinking(refusalIn(error))) throw error;
        else this.#isThinkingRefused = true;
      }
    }
  }

  #request(body: Body, sdk: Sdk, signal: AbortSignal): AsyncGenerator<StreamEvents> {
    const { clock, limits } = this.#options;
    const toError = (error: unknown) => this.#toError(error, body.model, sdk);
    const headers = { ...json, ...this.#headers(body.thinking?.block_binding !== undefined) };
    return watchedAttempt({ clock, limits, host: this.#host, signal, toError }, async (line) => {
      // Not `messages.create`, which looks through the whole history and puts all of it into JSON again: with it, its stream
      // and its `fetch` a step of the loop takes 1.51 times as long, 2.91 times after 2,000 messages.
      const sent = { body: requestBytes(body, this.#json), headers, signal: line.signal, stream: true };
      const response = await sdk.client.post("/v1/messages", sent).asResponse();
      const reply = new MessageAssembler();
      const read = (event: ServerSentEvent) => {
        const raw = rawEvent(event, response.headers, sdk);
        return raw && reply.take(raw);
      };
      return line.events<ModelStreamEvent>(response, read, {
        isLast: ({ type }) => type === "message",
        readWhole: (text) => {
          const events = wholeReply(text, response.headers, sdk);
          if (!events) throw noReply(text, this.#host, `Check ${addressNames}.`);
          return events.flatMap((event) => reply.take(event) ?? []);
        },
      });
    });
  }

  #loaded(): Promise<Sdk> {
    this.#sdk ??= loadSdk(this.#baseUrl, this.#options);
    return this.#sdk;
  }

  #toError(error: unknown, model: string, sdk: Sdk): ModelError {
    const { clock, credential } = this.#options;
    return toModelError(error, answerIn(error, sdk), {
      host: this.#host,
      credentialName: credential.name,
      credential: credential.value,
      addressNames,
      modelHint: "opus, sonnet, haiku or a full model id",
      model,
      now: clock.now(),
    });
  }

  #headers(isBound: boolean): Record<string, string> {
    const betas = [isOAuth(this.#options.credential) ? oauthBeta : [], isBound ? bindingBeta : []].flat();
    return betas.length > 0 ? { "anthropic-beta": betas.join(",") } : {};
  }

  #body(request: ModelRequest): Body {
    const model = this.resolveModel(request.model);
    const { system, temperature, tools, effort = "default" } = request;
    const most = this.#options.facts(model).maxOutputTokens;
    const wished = claudeThinking(model, effort, request.maxTokens, most);
    // With thinking off it would only be checked against what stands before it, and may be refused.
    const isWithout = this.#isThinkingRefused || (wished.isBound && wished.thinking?.type === "disabled");
    const history = withFittingImages(request.messages, imageLimits.anthropic);
    const messages = (isWithout ? this.#messagesWithoutThinking : this.#messages).of(history);
    const isLate = wished.thinking?.type === "enabled" && !canThinkNow(messages);
    const { thinking, isThinking, maxTokens, isBound } = isLate
      ? claudeThinking(model, "off", request.maxTokens, most)
      : wished;
    const mayDrop = isBound && !isWithout && thinking?.type === "adaptive";
    return {
      model,
      max_tokens: maxTokens,
      ...(system.trim() !== "" && { system: [{ type: "text", text: system }] }),
      messages,
      ...(tools.length > 0 && { tools: this.convertTools(tools) }),
      ...(thinking && { thinking: mayDrop ? { ...thinking, block_binding: dropped } : thinking }),
      ...(wished.effort && { output_config: { effort: wished.effort } }),
      // 1 is the API's own default, and the only one that every model takes, and all that think.
      ...(temperature !== 1 &&
        !isThinking &&
        acceptsTemperature(model, false) && { temperature: Math.min(temperature, 1) }),
      stream: true,
    };
  }
}

/**
 * Parley's instructions, tools and summaries change what stands before a reply, and models whose thinking is bound to that
 * refuse it then. Source: “Fix a thinking block bound to a different conversation”.
 */
const dropped = { prefix_mismatch_behavior: "drop_block" } as const;
const bindingBeta = "thinking-binding-controls-2026-08-01";

/** Sources: that page, and the API's words for blocks that were changed or that another account made. */
const refusesThinking = (said: string) =>
  /thinking/.test(said) && /signature|bound to|block_binding|cannot be modified|prefix_mismatch/.test(said);

/** Source: the API takes OAuth tokens only with it; the SDK sends it for credentials that it reads by itself. */
const oauthBeta = "oauth-2025-04-20";
/** One of Anthropic's own; others, such as a gateway's, go as plain bearer tokens. */
const isOAuth = ({ kind, value }: Credential) => kind === "authToken" && value.startsWith("sk-ant-oat");

const json = { "content-type": "application/json" };

/** The settings that hold the address. */
const addressNames = "anthropicBaseUrl or ANTHROPIC_BASE_URL";

interface Sdk {
  client: Anthropic;
  APIError: typeof import("@anthropic-ai/sdk").APIError;
  APIConnectionError: typeof import("@anthropic-ai/sdk").APIConnectionError;
}

/** Loaded when it is needed first: it would be a quarter of what main reads before the window is whole. */
async function loadSdk(baseURL: string, { credential, fetch: ownFetch }: AnthropicOptions): Promise<Sdk> {
  const { default: Client, APIError, APIConnectionError } = await import("@anthropic-ai/sdk");
  const client = new Client({
    ...(credential.kind === "apiKey" ? { apiKey: credential.value } : { authToken: credential.value }),
    // Given in any case: the SDK reads ANTHROPIC_BASE_URL by itself where it gets none.
    baseURL,
    // One retry layer, and it is ours; the same for timeouts.
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    fetch: ownFetch ?? httpFetch,
    logLevel: "off",
    openTelemetry: false,
  });
  return { client, APIError, APIConnectionError };
}

function rawEvent(
  { event, data }: ServerSentEvent,
  headers: Headers,
  { APIError }: Pick<Sdk, "APIError">,
): RawEvent | null {
  if (event === "ping") return null;
  const body = event === "error" ? jsonIn(data) : JSON.parse(data);
  if (event !== "error" && body?.type !== "error") return body;
  throw new APIError(undefined, { error: errorIn(body) ?? { message: data } }, undefined, headers);
}

const messageShape = z.looseObject({
  type: z.literal("message"),
  model: z.string(),
  content: z.array(z.custom<RawBlock>((block) => typeof block === "object" && block !== null)),
  stop_reason: z.custom<Anthropic.StopReason | null>().default(null),
  usage: z
    .custom<CountedTokens>((usage) => typeof usage === "object" && usage !== null)
    .catch({ output_tokens: 0 }),
});

/** The events of a reply that came at once, as gateways send it; null: it is none. @throws APIError where it is an error */
function wholeReply(text: string, headers: Headers, { APIError }: Pick<Sdk, "APIError">): RawEvent[] | null {
  const body = jsonIn(text);
  const message = messageShape.safeParse(body).data;
  if (message) {
    const { content, usage, stop_reason } = message;
    return [
      { type: "message_start", message },
      ...content.map((content_block, index) => ({
        type: "content_block_start" as const,
        index,
        content_block,
      })),
      { type: "message_delta", delta: { stop_reason }, usage },
      { type: "message_stop" },
    ];
  }
  const error = errorIn(body);
  // To ask again is no use, unless it says otherwise.
  if (error)
    throw new APIError(typeof error.type === "string" ? undefined : 400, { error }, undefined, headers);
  return null;
}

function answerIn(
  error: unknown,
  { APIError, APIConnectionError }: Sdk,
): ApiAnswer | "unreachable" | undefined {
  if (error instanceof APIConnectionError) return "unreachable";
  if (!(error instanceof APIError)) return undefined;
  const { status, type, headers } = error;
  return { status, types: type ? [type] : [], said: error.apiMessage ?? error.message, headers };
}
