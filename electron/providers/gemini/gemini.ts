import type { FunctionDeclaration, GenerateContentConfig, GoogleGenAI, ThinkingConfig } from "@google/genai";
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
import { httpFetch } from "../anthropic/http-fetch.ts";
import { connectionCut, noReply, toModelError } from "../api-errors.ts";
import { wholeMessage } from "../complete.ts";
import { effortsOf, geminiThinking, geminiTokens } from "../efforts.ts";
import { imageLimits, withFittingImages } from "../fitting-images.ts";
import { acceptsImages, acceptsTemperature, resolveModel } from "../models.ts";
import { leaveOutThinking, refusesThinking } from "../openai/thinking-marks.ts";
import { preconnect } from "../preconnect.ts";
import { geminiProfile } from "../profiles.ts";
import { refusalIn, refusedTools } from "../refused-tools.ts";
import { ReplyBuilder } from "../reply-builder.ts";
import { type RetryPolicy, withRetry } from "../retry.ts";
import type { WatchdogLimits } from "../watchdog.ts";
import { type Line, oneByOne, type StreamEvents, watchedAttempt } from "../watched-attempt.ts";
import { wellFormedFetch } from "../well-formed-fetch.ts";
import { geminiAnswer, NoConnection, RefusedRequest } from "./gemini-errors.ts";
import { geminiOwner, toContents, toDeclarations } from "./gemini-request.ts";
import { assembleGemini } from "./gemini-stream.ts";

export interface GeminiOptions {
  key: { value: string; name: string };
  /** The API's own address where undefined. */
  baseUrl?: string | undefined;
  facts(id: string): ModelFacts;
  retry: RetryPolicy;
  limits: WatchdogLimits;
  clock: Clock;
  newId(): string;
  random(): number;
  fetch?: typeof fetch;
}

/**
 * Gemini over its own API, streamed. Its OpenAI-compatible endpoint would be one translation less, but numbers
 * parallel calls in a stream alike and hides thought signatures in a field that no other server knows.
 */
export class GeminiProvider implements Provider {
  readonly id = "gemini";
  readonly profile = geminiProfile;
  readonly #options: GeminiOptions;
  readonly #baseUrl: string;
  readonly #host: string;
  #client: Promise<GoogleGenAI> | undefined;

  constructor(options: GeminiOptions) {
    this.#options = options;
    this.#baseUrl = options.baseUrl ?? `https://${ownHosts.gemini}`;
    this.#host = new URL(this.#baseUrl).host;
  }

  resolveModel(name: string): string {
    return resolveModel(name, "gemini");
  }

  modelFacts(model: string): ModelFacts {
    return this.#options.facts(this.resolveModel(model));
  }

  takesImages(model: string): boolean {
    return acceptsImages(this.resolveModel(model));
  }

  efforts(model: string): EffortSupport {
    return effortsOf.gemini(this.resolveModel(model));
  }

  async listModels(signal: AbortSignal): Promise<ListedModel[]> {
    this.#client ??= loadSdk(this.#options.key.value, this.#baseUrl);
    const client = await this.#client;
    try {
      const listed: ListedModel[] = [];
      const config = {
        pageSize: 1000,
        abortSignal: signal,
        httpOptions: { fetch: this.#options.fetch ?? httpFetch },
      };
      for await (const { name = "", displayName, supportedActions } of await client.models.list({ config })) {
        if (!supportedActions?.includes("generateContent")) continue;
        listed.push({ id: name.replace(/^models\//, ""), name: displayName });
      }
      return listed;
    } catch (error) {
      signal.throwIfAborted();
      throw this.#toError(error, "");
    }
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
      loadSdk(this.#options.key.value, this.#baseUrl),
      preconnect(this.#baseUrl, this.#options.fetch),
    ]);
  }

  convertTools(tools: readonly Tool[]): FunctionDeclaration[] {
    return toDeclarations(tools);
  }

  /** Where a tool is refused, or what was thought before, asks again without it. */
  async *#attempt(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamEvents> {
    const refused = refusedTools(this.#baseUrl, this.resolveModel(request.model));
    for (;;) {
      const tools = refused.without(request.tools);
      try {
        yield* this.#request({ ...request, tools }, signal);
        return;
      } catch (error) {
        const said = refusalIn(error);
        const notice = refused.learn(said, tools);
        if (notice !== null) yield [{ type: "notice", text: notice }];
        else if (!refusesThinking(said) || !leaveOutThinking(geminiOwner, request.messages)) throw error;
      }
    }
  }

  async *#request(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamEvents> {
    const { clock, limits, key, newId } = this.#options;
    this.#client ??= loadSdk(key.value, this.#baseUrl);
    const client = await this.#client;
    const model = this.resolveModel(request.model);
    const toError = (error: unknown) => this.#toError(error, model);
    const reply = new ReplyBuilder(request.messages, newId);
    const contents = toContents(withFittingImages(request.messages, imageLimits.gemini), model);
    const configOf = (line: Line) => this.#config(request, model, line);
    yield* watchedAttempt({ clock, limits, host: this.#host, signal, toError }, async function* (line) {
      const chunks = await client.models.generateContentStream({ model, contents, config: configOf(line) });
      yield* oneByOne(assembleGemini(chunks, reply, model));
    });
  }

  #toError(error: unknown, model: string): ModelError {
    if (isCut(error)) return connectionCut(error);
    const { clock, key } = this.#options;
    return toModelError(error, geminiAnswer(error), {
      host: this.#host,
      credentialName: key.name,
      credential: key.value,
      addressNames,
      modelHint: "opus, sonnet, haiku (Gemini's sizes of them) or a full model id",
      model,
      now: clock.now(),
    });
  }

  #config(request: ModelRequest, model: string, line: Line): GenerateContentConfig {
    const { system, tools, temperature, effort = "default" } = request;
    const thinkingConfig = geminiThinking(model, effort);
    const most = this.#options.facts(model).maxOutputTokens;
    return {
      ...(system.trim() !== "" && { systemInstruction: system }),
      ...(tools.length > 0 && { tools: [{ functionDeclarations: this.convertTools(tools) }] }),
      maxOutputTokens: geminiTokens(model, effort, request.maxTokens, most),
      ...(acceptsTemperature(model, true) && { temperature }),
      // Its levels are an enum of the SDK's, with the API's own words as values.
      ...(thinkingConfig && { thinkingConfig: thinkingConfig as ThinkingConfig }),
      abortSignal: line.signal,
      httpOptions: {
        fetch: watchedFetch(line, this.#host, wellFormedFetch(this.#options.fetch ?? httpFetch)),
      },
      // What the SDK would do by itself: call functions, and ask again.
      automaticFunctionCalling: { disable: true },
      automaticContinuation: false,
    };
  }
}

/** The variable that holds the address. */
const addressNames = "GEMINI_BASE_URL";

/** Loaded when it is needed first: it is large, and most conversations go elsewhere. */
async function loadSdk(apiKey: string, baseUrl: string): Promise<GoogleGenAI> {
  const { GoogleGenAI: Client } = await import("@google/genai");
  // No retry options: one retry layer, and it is ours.
  return new Client({ apiKey, vertexai: false, httpOptions: { baseUrl } });
}

function watchedFetch(line: Line, host: string, ownFetch: typeof fetch) {
  return async (...request: Parameters<typeof fetch>): Promise<Response> => {
    let response: Response;
    try {
      response = await ownFetch(...request);
    } catch (cause) {
      throw new NoConnection("No connection.", { cause });
    }
    if (response.ok && /\bhtml\b/i.test(response.headers.get("content-type") ?? ""))
      throw noReply(await response.text(), host, `Check ${addressNames}.`);
    if (response.ok) return line.watch(response);
    throw new RefusedRequest(response.status, response.headers, await response.text());
  };
}

/** The SDK's words for a stream that ends within an event. */
function isCut(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Incomplete JSON segment");
}
