import Anthropic from "@anthropic-ai/sdk";
import type {
  AssistantMessage,
  Clock,
  ModelFacts,
  ModelRequest,
  ModelStreamEvent,
  Provider,
  Tool,
} from "../../agent/ports/ports.ts";
import { type ApiAnswer, toModelError } from "../api-errors.ts";
import { wholeMessage } from "../complete.ts";
import type { Credential } from "../credentials.ts";
import { acceptsImages, acceptsTemperature, resolveModel } from "../models.ts";
import { preconnect } from "../preconnect.ts";
import { anthropicProfile } from "../profiles.ts";
import { type RetryPolicy, withRetry } from "../retry.ts";
import type { ServerSentEvent } from "../server-sent-events.ts";
import { toolSchema } from "../tool-schema.ts";
import type { WatchdogLimits } from "../watchdog.ts";
import { type StreamEvents, watchedAttempt } from "../watched-attempt.ts";
import { anthropicMessages, requestBytes, withCacheMarks } from "./anthropic-request.ts";
import { GrowingJson } from "./growing-json.ts";
import { httpFetch } from "./http-fetch.ts";
import { MessageAssembler, type RawEvent } from "./message-assembler.ts";

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
  readonly #client: Anthropic;
  readonly #host: string;
  readonly #messages = anthropicMessages();
  readonly #json = new GrowingJson<Anthropic.MessageParam>();

  constructor(options: AnthropicOptions) {
    this.#options = options;
    const { credential, baseUrl } = options;
    this.#client = new Anthropic({
      ...(credential.kind === "apiKey" ? { apiKey: credential.value } : { authToken: credential.value }),
      ...(isOAuth(credential) && { defaultHeaders: { "anthropic-beta": oauthBeta } }),
      // Given in any case: the SDK reads ANTHROPIC_BASE_URL by itself where it gets none.
      baseURL: baseUrl ?? "https://api.anthropic.com",
      // One retry layer, and it is ours; the same for timeouts.
      maxRetries: 0,
      timeout: 2 ** 31 - 1,
      fetch: options.fetch ?? httpFetch,
      logLevel: "off",
      openTelemetry: false,
    });
    this.#host = new URL(this.#client.baseURL).host;
  }

  resolveModel(name: string): string {
    return resolveModel(name, "anthropic");
  }

  modelFacts(model: string): ModelFacts {
    return this.#options.facts(this.resolveModel(model));
  }

  takesImages(model: string): boolean {
    return acceptsImages(this.resolveModel(model));
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelStreamEvent> {
    return this.#tries(() => withCacheMarks(this.#body(request)), signal);
  }

  /** Without cache marks: what is asked once is not worth writing to the cache. */
  complete(request: ModelRequest, signal: AbortSignal): Promise<AssistantMessage> {
    return wholeMessage(this.#tries(() => this.#body(request), signal));
  }

  async connect(): Promise<void> {
    await preconnect(this.#client.baseURL, this.#options.fetch);
  }

  convertTools(tools: readonly Tool[]): Anthropic.Tool[] {
    return tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      input_schema: toolSchema(tool),
    }));
  }

  #tries(body: () => Body, signal: AbortSignal): AsyncGenerator<ModelStreamEvent> {
    const { retry: policy, clock, random } = this.#options;
    return withRetry(() => this.#attempt(body(), signal), { policy, clock, random, signal });
  }

  #attempt(body: Body, signal: AbortSignal): AsyncGenerator<StreamEvents> {
    const { clock, limits, credential } = this.#options;
    const client = this.#client;
    const facts = {
      host: this.#host,
      credentialName: credential.name,
      credential: credential.value,
      addressNames: "anthropicBaseUrl or ANTHROPIC_BASE_URL",
      modelHint: "opus, sonnet, haiku or a full model id",
      model: body.model,
    };
    const toError = (error: unknown) => toModelError(error, answerIn(error), { ...facts, now: clock.now() });
    return watchedAttempt({ clock, limits, host: this.#host, signal, toError }, async (line) => {
      // Not `messages.create`, which looks through the whole history and puts all of it into JSON again: with it, its stream
      // and its `fetch` a step of the loop takes 1.51 times as long, 2.91 times after 2,000 messages.
      const sent = { body: requestBytes(body, this.#json), headers: json, signal: line.signal, stream: true };
      const response = await client.post("/v1/messages", sent).asResponse();
      const reply = new MessageAssembler();
      return line.events(response, (event) => {
        const raw = rawEvent(event, response.headers);
        return raw && reply.take(raw);
      });
    });
  }

  #body(request: ModelRequest): Body {
    const model = this.resolveModel(request.model);
    const { system, temperature, tools } = request;
    return {
      model,
      max_tokens: Math.min(request.maxTokens, this.#options.facts(model).maxOutputTokens),
      ...(system.trim() !== "" && { system: [{ type: "text", text: system }] }),
      messages: this.#messages.of(request.messages),
      ...(tools.length > 0 && { tools: this.convertTools(tools) }),
      // 1 is the API's own default, and the only one that every model takes.
      ...(temperature !== 1 && acceptsTemperature(model, false) && { temperature: Math.min(temperature, 1) }),
      stream: true,
    };
  }
}

type Body = Anthropic.MessageCreateParamsStreaming;

/** Source: the API takes OAuth tokens only with it; the SDK sends it for credentials that it reads by itself. */
const oauthBeta = "oauth-2025-04-20";
/** One of Anthropic's own; others, such as a gateway's, go as plain bearer tokens. */
const isOAuth = ({ kind, value }: Credential) => kind === "authToken" && value.startsWith("sk-ant-oat");

const json = { "content-type": "application/json" };

function rawEvent({ event, data }: ServerSentEvent, headers: Headers): RawEvent | null {
  if (event === "ping") return null;
  const body = JSON.parse(data);
  if (event === "error") throw new Anthropic.APIError(undefined, body, undefined, headers, body?.error?.type);
  return body;
}

function answerIn(error: unknown): ApiAnswer | "unreachable" | undefined {
  if (error instanceof Anthropic.APIConnectionError) return "unreachable";
  if (!(error instanceof Anthropic.APIError)) return undefined;
  const { status, type, headers } = error;
  return { status, types: type ? [type] : [], said: error.apiMessage ?? error.message, headers };
}
