import Anthropic from "@anthropic-ai/sdk";
import { Stream } from "@anthropic-ai/sdk/streaming";
import type { ContentBlock } from "../../shared/messages.ts";
import type {
  Clock,
  ModelRequest,
  ModelStreamEvent,
  Provider,
  ProviderCapabilities,
  Tool,
} from "../agent/ports.ts";
import { toModelError } from "./anthropic-errors.ts";
import { assembleMessage, type RawEvent } from "./message-assembler.ts";
import { acceptsTemperature, limitsOf, resolveModel } from "./models.ts";
import { type RetryPolicy, withRetry } from "./retry.ts";
import { toolSchema } from "./tool-schema.ts";
import { Watchdog, type WatchdogLimits } from "./watchdog.ts";

/** An API key, or an OAuth access token, which is sent as a bearer token; and the variable it came from. */
export type Credential = { kind: "apiKey" | "authToken"; value: string; name: string };

export interface AnthropicOptions {
  credential: Credential;
  /** The API's own address where undefined. */
  baseUrl?: string | undefined;
  retry: RetryPolicy;
  limits: WatchdogLimits;
  clock: Clock;
  random(): number;
  fetch?: typeof fetch;
}

/** Claude over the Messages API, streamed. */
export class AnthropicProvider implements Provider {
  readonly id = "anthropic";
  readonly capabilities: ProviderCapabilities = { tools: true };
  readonly #options: AnthropicOptions;
  readonly #client: Anthropic;
  readonly #host: string;

  constructor(options: AnthropicOptions) {
    this.#options = options;
    const { credential, baseUrl } = options;
    this.#client = new Anthropic({
      ...(credential.kind === "apiKey" ? { apiKey: credential.value } : { authToken: credential.value }),
      // Given in any case: the SDK reads ANTHROPIC_BASE_URL by itself where it gets none.
      baseURL: baseUrl ?? "https://api.anthropic.com",
      // One retry layer, and it is ours; the same for timeouts.
      maxRetries: 0,
      timeout: 2 ** 31 - 1,
      fetch: options.fetch ?? fetch,
      logLevel: "off",
      openTelemetry: false,
    });
    this.#host = new URL(this.#client.baseURL).host;
  }

  resolveModel(name: string): string {
    return resolveModel(name);
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelStreamEvent> {
    const { retry: policy, clock, random } = this.#options;
    return withRetry(() => this.#attempt(request, signal), { policy, clock, random, signal });
  }

  convertTools(tools: readonly Tool[]): Anthropic.Tool[] {
    return tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      input_schema: toolSchema(tool),
    }));
  }

  async *#attempt(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelStreamEvent> {
    const { clock, limits, credential } = this.#options;
    const watchdog = new Watchdog(clock, limits, this.#host, signal);
    let complete = false;
    let drained = false;
    try {
      const created = this.#client.messages.create(this.#body(request), { signal: watchdog.signal });
      const response = await created.asResponse();
      watchdog.begun();
      const events = Stream.fromSSEResponse<RawEvent>(
        watched(response, watchdog),
        new AbortController(),
        this.#client,
      );
      for await (const event of assembleMessage(events)) {
        complete ||= event.type === "message";
        yield event;
      }
      drained = true;
    } catch (error) {
      signal.throwIfAborted();
      // The message is whole: how its connection ended does not matter.
      if (complete) return;
      // The SDK reports an abort in its own words; what matters is who aborted, and why.
      throw toModelError(watchdog.signal.aborted ? watchdog.signal.reason : error, {
        host: this.#host,
        credentialName: credential.name,
        model: resolveModel(request.model),
        now: clock.now(),
      });
    } finally {
      watchdog.dispose(!drained);
    }
  }

  #body(request: ModelRequest): Anthropic.MessageCreateParamsStreaming {
    const model = resolveModel(request.model);
    const { temperature, tools } = request;
    return {
      model,
      max_tokens: Math.min(request.maxTokens, limitsOf(model).maxOutputTokens),
      system: request.system,
      messages: request.messages.map(({ role, content }) => ({ role, content: content.map(toApiBlock) })),
      ...(tools.length > 0 && { tools: this.convertTools(tools) }),
      // 1 is the API's own default, and the only one that every model takes.
      ...(temperature !== 1 && acceptsTemperature(model) && { temperature }),
      stream: true,
    };
  }
}

function toApiBlock(block: ContentBlock): Anthropic.ContentBlockParam {
  if (block.type !== "tool_result") return block;
  const { type, tool_use_id, content, is_error } = block;
  return { type, tool_use_id, content, ...(is_error && { is_error }) };
}

/** Every chunk counts as a sign of life, also the pings that the SDK swallows. */
function watched(response: Response, watchdog: Watchdog): Response {
  const tap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      watchdog.signOfLife();
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(tap) ?? null, response);
}
