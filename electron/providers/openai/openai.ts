import type OpenAI from "openai";
import type { EffortSupport } from "../../../shared/conversation/effort.ts";
import type {
  AssistantMessage,
  Clock,
  ListedModel,
  ModelError,
  ModelFacts,
  ModelRequest,
  ModelStreamEvent,
  Profile,
  Provider,
  Tool,
} from "../../agent/ports/ports.ts";
import { httpFetch } from "../anthropic/http-fetch.ts";
import { isPage, toModelError } from "../api-errors.ts";
import { wholeMessage } from "../complete.ts";
import { type ChatServer, chatEffort, effortsOf, responsesTokens, speaksResponses } from "../efforts.ts";
import { imageLimits, imagesIn, withFittingImages } from "../fitting-images.ts";
import { acceptsImages, acceptsTemperature, isKnownModel, servedAt } from "../models.ts";
import { preconnect } from "../preconnect.ts";
import { namesOf, refusedTools } from "../refused-tools.ts";
import { ReplyBuilder } from "../reply-builder.ts";
import { type RetryPolicy, withRetry } from "../retry.ts";
import { toolSchema } from "../tool-schema.ts";
import type { WatchdogLimits } from "../watchdog.ts";
import { type Line, type StreamEvents, watchedAttempt } from "../watched-attempt.ts";
import { wellFormedFetch } from "../well-formed-fetch.ts";
import { chatAnswer, type Errors, errorIn, saidBy, wordsOf } from "./chat-errors.ts";
import { chatEvents } from "./chat-events.ts";
import { detailsOwner } from "./chat-reasoning.ts";
import {
  chatServer,
  type Dialect,
  dialectOf,
  isOfServer,
  type Lesson,
  learn,
  noImages,
  refusesImages,
} from "./dialect.ts";
import { modelsIn } from "./listed-models.ts";
import { toChatMessages } from "./openai-request.ts";
import { assembleChat } from "./openai-stream.ts";
import { plainSchema } from "./plain-schema.ts";
import { responsesOwner, toResponsesInput, toResponsesTools } from "./responses-request.ts";
import { assembleResponse, readResponseEvent } from "./responses-stream.ts";
import { servedWindow } from "./served-window.ts";
import { leaveOutThinking, refusesThinking } from "./thinking-marks.ts";

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
  /** @param served the window that its server gives it, where that told */
  facts(id: string, served?: number): ModelFacts;
  /** The user said how large it is. */
  isWindowSet: boolean;
  /** What `model` may be set to. */
  modelHint: string;
  retry: RetryPolicy;
  limits: WatchdogLimits;
  clock: Clock;
  newId(): string;
  random(): number;
  fetch?: typeof fetch;
}

/**
 * Chat Completions, streamed: all servers that speak like OpenAI. OpenAI itself is asked over its Responses API where the
 * model reasons.
 */
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

  modelFacts(name: string): ModelFacts {
    const model = this.resolveModel(name);
    return this.#options.facts(model, dialectOf(this.#options.baseUrl, model).window);
  }

  async learnWindow(name: string, signal: AbortSignal): Promise<void> {
    const { baseUrl, isWindowSet } = this.#options;
    const model = this.resolveModel(name);
    const dialect = dialectOf(baseUrl, model);
    // A server here may have loaded it anew, with another one.
    if (
      isWindowSet ||
      (dialect.window !== undefined && !this.isLocal) ||
      (!this.isLocal && this.#isKnown(model))
    )
      return;
    try {
      this.#client ??= loadSdk(this.#options);
      const { client } = await this.#client;
      const soon = { signal: AbortSignal.any([signal, AbortSignal.timeout(mostWindowMs)]) };
      const ask = (url: string, body?: object) =>
        body ? client.post<unknown>(url, { ...soon, body }) : client.get<unknown>(url, soon);
      dialect.window = (await servedWindow(baseUrl, model, { ask, isLocal: this.isLocal })) ?? dialect.window;
    } catch {
      // Who cannot be asked says so when the prompt is sent.
    }
  }

  /** By the model's name, and by what its server said before. */
  takesImages(name: string): boolean {
    const model = this.resolveModel(name);
    return acceptsImages(model) && !dialectOf(this.#options.baseUrl, model).has("images");
  }

  /** By the model's name, and by what its server said before. */
  efforts(name: string): EffortSupport {
    const model = this.resolveModel(name);
    return effortsOf.openai(model, this.#serverOf(model));
  }

  async listModels(signal: AbortSignal): Promise<ListedModel[] | null> {
    this.#client ??= loadSdk(this.#options);
    const sdk = await this.#client;
    try {
      return modelsIn(await sdk.client.get("/models", { signal }));
    } catch (error) {
      signal.throwIfAborted();
      throw this.#toError(error, sdk, "");
    }
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelStreamEvent> {
    const { retry: policy, clock, random } = this.#options;
    const told: string[] = [];
    return withRetry(() => this.#attempt(request, told, signal), { policy, clock, random, signal });
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
    return tools.map((tool) => toChatTool(tool, toolSchema(tool)));
  }

  /**
   * Asks again at once, said differently, where the server refuses a parameter, a tool or what the model thought before: with
   * a status, or in an answer that says nothing else.
   * @param told what the user is to know of that, and was not told yet
   */
  async *#attempt(request: ModelRequest, told: string[], signal: AbortSignal): AsyncGenerator<StreamEvents> {
    this.#client ??= loadSdk(this.#options);
    const sdk = await this.#client;
    const tried: { said: string; lesson: Lesson; notices: string[] }[] = [];
    for (;;) {
      const asked = this.#asked(request);
      let isSaid = false;
      try {
        for await (const events of this.#request(sdk, request, asked, told, signal)) {
          isSaid ||= events.some(({ type }) => type !== "notice");
          yield events;
        }
        return;
      } catch (error) {
        const learned = isSaid || !(error instanceof Error) ? null : this.#learn(error.cause, asked, sdk);
        const said = error instanceof Error ? error.message : "";
        if (learned === null) {
          // The same words again: they were not about what was left out.
          const dialect = dialectOf(this.#options.baseUrl, this.resolveModel(request.model));
          for (const { lesson, notices } of tried.filter((one) => one.said === said)) {
            dialect.unlearn(lesson);
            told.splice(0, told.length, ...told.filter((text) => !notices.includes(text)));
          }
          throw error;
        }
        const { lesson, notices } = learned;
        if (lesson !== null) tried.push({ said, lesson, notices });
        told.push(...notices);
      }
    }
  }

  /** The request as far as its server takes it. */
  #asked(request: ModelRequest): ModelRequest {
    const { baseUrl } = this.#options;
    const model = this.resolveModel(request.model);
    const dialect = dialectOf(baseUrl, model);
    const images = this.#serverOf(model).isOpenAI ? imageLimits.openai : imageLimits.other;
    const most = Math.min(images.most, dialect.maxImages);
    return {
      ...request,
      messages: withFittingImages(request.messages, { ...images, most }),
      tools: takenTools(refusedTools(baseUrl, model).without(request.tools), dialect),
    };
  }

  /** @param told what the user is to know, once the server answers */
  #request(
    sdk: Sdk,
    request: ModelRequest,
    asked: ModelRequest,
    told: string[],
    signal: AbortSignal,
  ): AsyncGenerator<StreamEvents> {
    const { clock, limits, newId } = this.#options;
    const model = this.resolveModel(asked.model);
    const dialect = dialectOf(this.#options.baseUrl, model);
    const isResponses = speaksResponses(model, this.#serverOf(model));
    const toError = (error: unknown) => this.#toError(error, sdk, model);
    const host = this.#host;
    const send = async (line: Line) => {
      const { responses, chat } = sdk.client;
      const created = isResponses
        ? responses.create(this.#responsesBody(model, asked, dialect), { signal: line.signal })
        : chat.completions.create(this.#body(model, asked, dialect), { signal: line.signal });
      return await created.asResponse();
    };
    // Said once, where a conversation goes on that is to fit.
    const isGuessed = () =>
      request.tools.length > 0 &&
      !this.#options.isWindowSet &&
      dialect.window === undefined &&
      !this.#isKnown(model) &&
      dialect.isNew("window");
    return watchedAttempt({ clock, limits, host, signal, toError }, async function* (line) {
      const response = await send(line);
      if (isGuessed()) told.push(guessedWindow(model));
      if (told.length > 0) yield told.splice(0).map((text) => ({ type: "notice", text }));
      const made = { reply: new ReplyBuilder(request.messages, newId), model };
      if (isResponses) {
        const owner = responsesOwner(host, model);
        yield* assembleResponse(line.events(response, readResponseEvent), { ...made, owner });
        return;
      }
      const toFailure = (error: object, status?: number) =>
        new sdk.APIError(status, error, undefined, response.headers);
      yield* assembleChat(chatEvents(response, line, { host, addressNames, toFailure }), {
        ...made,
        host,
        tools: new Map(request.tools.map((tool) => [tool.name, toolSchema(tool)])),
        thinksFirst: dialect.has("thinks first"),
        onThinksFirst: (isSo) => dialect[isSo ? "add" : "delete"]("thinks first"),
      });
    });
  }

  /**
   * @param error as the server gave it
   * @returns what it taught of the server, and what the user is to know of that; null: nothing
   * @throws ModelError where the model takes no images
   */
  #learn(error: unknown, asked: ModelRequest, sdk: Sdk): { lesson: Lesson | null; notices: string[] } | null {
    const { baseUrl } = this.#options;
    const model = this.resolveModel(asked.model);
    const dialect = dialectOf(baseUrl, model);
    // Its head holds any word.
    if (error instanceof sdk.APIError && isPage(saidBy(error))) return null;
    if (refusesImages(error, asked, dialect, sdk)) throw noImages(model, error);
    const isResponses = speaksResponses(model, this.#serverOf(model));
    const owner = isResponses ? responsesOwner(this.#host, model) : detailsOwner(this.#host);
    if (refusesThinking(wordsOf(error, sdk)) && leaveOutThinking(owner, asked.messages))
      return { lesson: null, notices: [] };
    const said = error instanceof sdk.APIError ? `${error.param ?? ""} ${saidBy(error)}` : "";
    const notice = refusedTools(baseUrl, model).learn(said, asked.tools);
    if (notice !== null) return { lesson: null, notices: [notice] };
    const sent = {
      tools: asked.tools,
      hasEffort: this.#effort(model, asked) !== undefined,
      maxTokens: this.#mostTokens(model, asked, dialect),
      images: imagesIn(asked.messages).length,
    };
    const lesson = learn(dialect, error, sent, sdk);
    return lesson === null ? null : { lesson, notices: noticesOf(lesson, asked) };
  }

  /** What is sent of how much to think; undefined: nothing. */
  #effort(model: string, { tools, effort = "default" }: ModelRequest): ReturnType<typeof chatEffort> {
    return chatEffort(model, effort, { ...this.#serverOf(model), hasTools: tools.length > 0 });
  }

  #toError(error: unknown, sdk: Sdk, model: string): ModelError {
    const { clock, key, modelHint } = this.#options;
    return toModelError(error, chatAnswer(error, sdk), {
      host: this.#host,
      credentialName: key?.name,
      credential: key?.value,
      addressNames,
      modelHint,
      model,
      now: clock.now(),
    });
  }

  /** Tokens of one reply. */
  #mostTokens(model: string, { maxTokens }: ModelRequest, dialect: Dialect): number {
    return Math.min(maxTokens, this.#options.facts(model).maxOutputTokens, dialect.maxTokens);
  }

  #isKnown(model: string): boolean {
    return isKnownModel(model, servedAt(this.#options.baseUrl));
  }

  #serverOf(model: string): ChatServer {
    return chatServer(this.#options.baseUrl, model);
  }

  /** It keeps nothing there: what the model reasoned comes sealed, and goes back with the history. */
  #responsesBody(
    model: string,
    request: ModelRequest,
    dialect: Dialect,
  ): OpenAI.Responses.ResponseCreateParamsStreaming {
    const { system, tools, effort: chosen = "default" } = request;
    const effort = this.#effort(model, request);
    const reasoning = {
      ...(effort !== undefined && { effort }),
      ...(!dialect.has("summary") && effort !== "none" && { summary: "auto" as const }),
    };
    return {
      model,
      ...(system.trim() !== "" && { instructions: system }),
      input: toResponsesInput(request, {
        owner: responsesOwner(this.#host, model),
        takesImages: this.takesImages(request.model),
        takesPhase: !dialect.has("phase"),
      }),
      ...(tools.length > 0 && { tools: toResponsesTools(tools) }),
      max_output_tokens: responsesTokens(
        chosen,
        request.maxTokens,
        this.#options.facts(model).maxOutputTokens,
      ),
      ...(Object.keys(reasoning).length > 0 && { reasoning }),
      include: ["reasoning.encrypted_content"],
      store: false,
      stream: true,
    };
  }

  #body(model: string, request: ModelRequest, dialect: Dialect): OpenAI.ChatCompletionCreateParamsStreaming {
    const { temperature } = request;
    const tools = chatTools(request.tools, dialect);
    const reasoning = this.#effort(model, request);
    const most = this.#mostTokens(model, request, dialect);
    // OpenAI's own name for it is new; most other servers know only the old one.
    const isNewName = this.#serverOf(model).isOpenAI || dialect.has("max_tokens");
    const name = isNewName && !dialect.has("max_completion_tokens") ? "max_completion_tokens" : "max_tokens";
    return {
      model,
      messages: toChatMessages(request, {
        host: this.#host,
        takesImages: this.takesImages(request.model),
        dialect,
      }),
      ...(tools.length > 0 && { tools }),
      [name]: most,
      ...(acceptsTemperature(model, true) && !dialect.has("temperature") && { temperature }),
      ...(reasoning !== undefined && { reasoning_effort: reasoning }),
      ...(!dialect.has("stream_options") && { stream_options: { include_usage: true } }),
      stream: true,
    };
  }
}

/** Nobody waits longer to be told how large a window is, in milliseconds. */
const mostWindowMs = 1500;

const guessedWindow = (model: string) =>
  `Parley doesn't know how much ${model} can read at once, and keeps conversations below 32,000 tokens. If it can read more, set “Context window” in Settings.`;

/** The settings that hold the address. */
const addressNames = "openaiBaseUrl or OPENAI_BASE_URL";

const toChatTool = (
  { name, description }: Tool,
  parameters: Record<string, unknown>,
): OpenAI.ChatCompletionFunctionTool => ({ type: "function", function: { name, description, parameters } });

/** Those that its server takes. */
const takenTools = (tools: readonly Tool[], dialect: Dialect): readonly Tool[] =>
  tools.filter((tool) => !dialect.has("tools") && !(dialect.has("server tools") && isOfServer(tool)));

/** As its server takes them. */
function chatTools(tools: readonly Tool[], dialect: Dialect): OpenAI.ChatCompletionFunctionTool[] {
  const isPlain = dialect.has("schema keywords");
  return tools.map((tool) => toChatTool(tool, isPlain ? plainSchema(toolSchema(tool)) : toolSchema(tool)));
}

/** What the user is told of a lesson: what it costs them. */
function noticesOf(lesson: Lesson, { tools }: Pick<ModelRequest, "tools">): string[] {
  if (lesson === "tools") {
    return [
      "This model takes no tools, so it is asked without: it can't read files, run commands or look anything up.",
    ];
  }
  if (lesson !== "server tools") return [];
  const names = namesOf(tools.filter(isOfServer));
  return [
    `The model's server can't read the schemas of tools from MCP servers, so it is asked without ${names}.`,
  ];
}

interface Sdk extends Errors {
  client: OpenAI;
}

/** Loaded when it is needed first: it is large, and most conversations go elsewhere. */
async function loadSdk({ key, baseUrl, fetch: ownFetch = httpFetch }: OpenAIOptions): Promise<Sdk> {
  const { default: Client, APIError, APIConnectionError } = await import("openai");
  class ChatClient extends Client {
    protected override makeStatusError(
      status: number,
      body: object,
      message: string | undefined,
      headers: Headers,
    ) {
      const error = errorIn(body) ?? (body ? { message: JSON.stringify(body).slice(0, 300) } : null);
      return super.makeStatusError(status, error ? { error } : body, message, headers);
    }
  }
  const client = new ChatClient({
    apiKey: key?.value ?? "none",
    ...(!key && { defaultHeaders: { authorization: null } }),
    baseURL: baseUrl,
    organization: null,
    project: null,
    // One retry layer, and it is ours; the same for timeouts.
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    fetch: wellFormedFetch(ownFetch),
    logLevel: "off",
  });
  return { client, APIError, APIConnectionError };
}
