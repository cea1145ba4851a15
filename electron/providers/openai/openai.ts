import type OpenAI from "openai";
import type { ContentBlock } from "../../../shared/conversation/messages.ts";
import {
  type AssistantMessage,
  type Clock,
  ModelError,
  type ModelFacts,
  type ModelRequest,
  type ModelStreamEvent,
  type Profile,
  type Provider,
  type Tool,
} from "../../agent/ports/ports.ts";
import { httpFetch } from "../anthropic/http-fetch.ts";
import { type ApiAnswer, toModelError } from "../api-errors.ts";
import { wholeMessage } from "../complete.ts";
import { acceptsImages, acceptsTemperature } from "../models.ts";
import { preconnect } from "../preconnect.ts";
import { ReplyBuilder } from "../reply-builder.ts";
import { type RetryPolicy, withRetry } from "../retry.ts";
import { toolSchema } from "../tool-schema.ts";
import type { WatchdogLimits } from "../watchdog.ts";
import { type Line, oneByOne, type StreamEvents, watchedAttempt } from "../watched-attempt.ts";
import { reasoningOwner, toChatMessages } from "./openai-request.ts";
import { assembleChat } from "./openai-stream.ts";
import { markedSignature } from "./thinking-marks.ts";

export const openaiAddress = "https://api.openai.com/v1";

export interface OpenAIOptions {
  /** `openai`, or `local` for a server that was found on this computer. */
  id: string;
  /** How its models work. */
  profile: Profile;
  /** undefined for a server that wants none. */
  key: { value: string; name: string } | undefined;
  baseUrl: string;
  /** The full id behind a name. */
  resolveModel(name: string): string;
  facts(id: string): ModelFacts;
  /** What `model` may be set to. */
  modelHint: string;
  retry: RetryPolicy;
  limits: WatchdogLimits;
  clock: Clock;
  newId(): string;
  random(): number;
  fetch?: typeof fetch;
}

/** Parameters that servers differ on; each is sent the other way once a server has refused it. */
type Dialect = Set<"temperature" | "max_tokens" | "max_completion_tokens" | "stream_options" | "images">;

/** By address and model: what was learned lasts as long as the program. */
const dialects = new Map<string, Dialect>();

/** Chat Completions, streamed: OpenAI and all servers that speak like it. */
export class OpenAIProvider implements Provider {
  readonly id: string;
  readonly profile: Profile;
  readonly isLocal: boolean;
  readonly #options: OpenAIOptions;
  readonly #host: string;
  #client: Promise<Sdk> | undefined;

  constructor(options: OpenAIOptions) {
    this.id = options.id;
    this.profile = options.profile;
    this.#options = options;
    const { host, hostname } = new URL(options.baseUrl);
    this.#host = host;
    // Behind an address of this computer a key may open something that passes on to a cloud.
    this.isLocal = options.key === undefined && /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  }

  resolveModel(name: string): string {
    return this.#options.resolveModel(name);
  }

  modelFacts(model: string): ModelFacts {
    return this.#options.facts(this.resolveModel(model));
  }

  /** By the model's name, and by what its server said before. */
  takesImages(name: string): boolean {
    const model = this.resolveModel(name);
    return acceptsImages(model) && !dialectOf(this.#options.baseUrl, model).has("images");
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelStreamEvent> {
    const { retry: policy, clock, random } = this.#options;
    return withRetry(() => this.#attempt(request, signal), { policy, clock, random, signal });
  }

  complete(request: ModelRequest, signal: AbortSignal): Promise<AssistantMessage> {
    return wholeMessage(this.stream(request, signal));
  }

  async connect(): Promise<void> {
    await Promise.allSettled([
      loadSdk(this.#options),
      preconnect(this.#options.baseUrl, this.#options.fetch),
    ]);
  }

  convertTools(tools: readonly Tool[]): OpenAI.ChatCompletionFunctionTool[] {
    return tools.map((tool) => {
      const { name, description } = tool;
      return { type: "function", function: { name, description, parameters: toolSchema(tool) } };
    });
  }

  async *#attempt(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamEvents> {
    const { clock, limits, key, modelHint, newId } = this.#options;
    this.#client ??= loadSdk(this.#options);
    const sdk = await this.#client;
    const model = this.resolveModel(request.model);
    const facts = {
      host: this.#host,
      credentialName: key?.name,
      credential: key?.value,
      addressNames: "openaiBaseUrl or OPENAI_BASE_URL",
      modelHint,
      model,
    };
    const toError = (error: unknown) =>
      toModelError(error, answerIn(error, sdk), { ...facts, now: clock.now() });
    const open = (line: Line) => this.#send(sdk, model, request, line);
    const reply = {
      reply: new ReplyBuilder(request.messages, newId),
      model,
      reasoningSignature: markedSignature(reasoningOwner(this.#host), ""),
    };
    yield* watchedAttempt({ clock, limits, host: this.#host, signal, toError }, async function* (line) {
      yield* oneByOne(assembleChat(await open(line), reply));
    });
  }

  /** Sends it again at once, said differently, when the server refuses a parameter. */
  async #send(sdk: Sdk, model: string, request: ModelRequest, line: Line): Promise<AsyncIterable<unknown>> {
    const dialect = dialectOf(this.#options.baseUrl, model);
    for (;;) {
      try {
        const created = sdk.client.chat.completions.create(this.#body(model, request, dialect), {
          signal: line.signal,
        });
        const response = line.watch(await created.asResponse());
        return sdk.Stream.fromSSEResponse<unknown>(response, new AbortController(), sdk.client);
      } catch (error) {
        if (refusesImages(error, request, dialect, sdk)) throw noImages(model, error);
        if (!learn(dialect, error, sdk)) throw error;
      }
    }
  }

  #body(model: string, request: ModelRequest, dialect: Dialect): OpenAI.ChatCompletionCreateParamsStreaming {
    const { tools, temperature } = request;
    const most = Math.min(request.maxTokens, this.#options.facts(model).maxOutputTokens);
    // OpenAI's own name for it is new; most other servers know only the old one.
    const isNewName = this.#host === "api.openai.com" || dialect.has("max_tokens");
    const name = isNewName && !dialect.has("max_completion_tokens") ? "max_completion_tokens" : "max_tokens";
    return {
      model,
      messages: toChatMessages(request, this.#host, this.takesImages(request.model)),
      ...(tools.length > 0 && { tools: this.convertTools(tools) }),
      [name]: most,
      ...(acceptsTemperature(model, true) && !dialect.has("temperature") && { temperature }),
      ...(!dialect.has("stream_options") && { stream_options: { include_usage: true } }),
      stream: true,
    };
  }
}

function dialectOf(baseUrl: string, model: string): Dialect {
  const key = `${baseUrl} ${model}`;
  const dialect = dialects.get(key) ?? new Set();
  dialects.set(key, dialect);
  return dialect;
}

/** @returns whether the refusal names a parameter that has not been changed yet */
function learn(dialect: Dialect, error: unknown, { APIError }: Sdk): boolean {
  if (!(error instanceof APIError) || (error.status !== 400 && error.status !== 422)) return false;
  for (const name of ["max_completion_tokens", "max_tokens", "temperature", "stream_options"] as const) {
    // "max_tokens is not supported, use max_completion_tokens": the first that is named is the one refused.
    const isNamed = error.param ? error.param === name : firstNamed(error.message) === name;
    if (!isNamed || dialect.has(name)) continue;
    dialect.add(name);
    return true;
  }
  return false;
}

/** There is neither a status nor a code for it: servers say it in words of their own. It is learned at once. */
function refusesImages(error: unknown, request: ModelRequest, dialect: Dialect, { APIError }: Sdk): boolean {
  if (!(error instanceof APIError) || dialect.has("images")) return false;
  const isRefusal = /\b(image|image_url|images|vision|multimodal|mmproj)\b/i.test(error.message);
  if (!isRefusal || !request.messages.some(({ content }) => content.some(hasImage))) return false;
  dialect.add("images");
  return true;
}

const hasImage = (block: ContentBlock) =>
  block.type === "image" || (block.type === "tool_result" && block.images !== undefined);

const noImages = (model: string, cause: unknown) =>
  new ModelError(
    "invalid_request",
    `${model} takes no images.`,
    "Choose a model that does. If you ask this one again, it is told that there is an image, and does not see it.",
    { cause },
  );

const firstNamed = (message: string) =>
  /\b(?:unsupported|unknown|unrecognized|not supported|not permitted|extra|unexpected|does not support)\b/i.test(
    message,
  )
    ? /\b(?:max_completion_tokens|max_tokens|temperature|stream_options)\b/.exec(message)?.[0]
    : undefined;

interface Sdk {
  client: OpenAI;
  Stream: typeof import("openai/streaming").Stream;
  APIError: typeof import("openai").APIError;
  APIConnectionError: typeof import("openai").APIConnectionError;
}

/** Loaded when it is needed first: it is large, and most conversations go elsewhere. */
async function loadSdk({ key, baseUrl, fetch: ownFetch = httpFetch }: OpenAIOptions): Promise<Sdk> {
  const { default: Client, APIError, APIConnectionError } = await import("openai");
  const { Stream } = await import("openai/streaming");
  const client = new Client({
    apiKey: key?.value ?? "none",
    ...(!key && { defaultHeaders: { authorization: null } }),
    baseURL: baseUrl,
    organization: null,
    project: null,
    // One retry layer, and it is ours; the same for timeouts.
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    fetch: ownFetch,
    logLevel: "off",
  });
  return { client, Stream, APIError, APIConnectionError };
}

function answerIn(
  error: unknown,
  { APIError, APIConnectionError }: Sdk,
): ApiAnswer | "unreachable" | undefined {
  if (error instanceof APIConnectionError) return "unreachable";
  if (!(error instanceof APIError)) return undefined;
  const { status, code, type, headers } = error;
  // In mid-stream some give the status as the code.
  const inStream = Number(code);
  return {
    status: status ?? (inStream >= 400 && inStream < 600 ? inStream : undefined),
    types: [code, type].filter((name) => typeof name === "string"),
    said: error.message.replace(/^\d{3} /, ""),
    headers,
  };
}
