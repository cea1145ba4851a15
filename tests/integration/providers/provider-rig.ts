import { z } from "zod";
import type {
  ApiMessage,
  AssistantMessage,
  ModelRequest,
  ModelStreamEvent,
  Provider,
  Tool,
} from "../../../electron/agent/ports/ports.ts";
import { httpFetch } from "../../../electron/providers/anthropic/http-fetch.ts";
import { createProvider } from "../../../electron/providers/create-provider.ts";
import type { ToolUseBlock } from "../../../shared/conversation/messages.ts";
import { defaultSettings, type Settings } from "../../../shared/settings.ts";
import { InstantClock } from "../../fakes/clock.ts";
import { anthropicProtocol } from "../../fakes/model-server/anthropic-protocol.ts";
import { geminiProtocol } from "../../fakes/model-server/gemini-protocol.ts";
import { createModelServer, type ModelServer } from "../../fakes/model-server/model-server.ts";
import { openaiProtocol } from "../../fakes/model-server/openai-protocol.ts";
import type { Protocol } from "../../fakes/model-server/protocol.ts";
import { responsesProtocol } from "../../fakes/model-server/responses-protocol.ts";

/** The four APIs, each with its fake. */
export const apis: readonly Api[] = [
  {
    id: "anthropic",
    protocol: anthropicProtocol,
    env: (url) => ({ ANTHROPIC_API_KEY: "the-key", ANTHROPIC_BASE_URL: url }),
  },
  {
    id: "openai",
    protocol: openaiProtocol,
    env: (url) => ({ OPENAI_API_KEY: "the-key", OPENAI_BASE_URL: `${url}/v1` }),
  },
  {
    id: "openai",
    api: "responses",
    protocol: responsesProtocol,
    // Only OpenAI itself is asked over it, at its own address.
    env: () => ({ OPENAI_API_KEY: "the-key" }),
    fetch: (url) => (input, init) => {
      const address = input instanceof Request ? input.url : String(input);
      return httpFetch(address.replace("https://api.openai.com", url), init);
    },
    host: "api.openai.com",
  },
  {
    id: "gemini",
    protocol: geminiProtocol,
    env: (url) => ({ GEMINI_API_KEY: "the-key", GEMINI_BASE_URL: url }),
  },
];

export interface Api {
  /** The provider's. */
  id: "anthropic" | "openai" | "gemini";
  /** What tells it from another one of the same provider's. */
  api?: "responses";
  /** Where it is said to be, if not where the fake is. */
  host?: string;
  /** How the fake at an address is reached, where that is not the provider's own way. */
  fetch?(url: string): typeof fetch;
  protocol(): Protocol;
  env(url: string): Record<string, string>;
}

export interface ProviderRig {
  provider: Provider;
  server: ModelServer;
  clock: InstantClock;
}

export async function createProviderRig(
  api: Api,
  settings: Partial<Settings> = {},
  protocol = api.protocol(),
): Promise<ProviderRig> {
  const server = await createModelServer(protocol);
  const clock = new InstantClock();
  return { provider: providerFor(api, server, settings, clock), server, clock };
}

let ids = 0;

export function providerFor(
  api: Api,
  { url }: Pick<ModelServer, "url">,
  settings: Partial<Settings> = {},
  clock = new InstantClock(),
): Provider {
  // The watchdog is off: a clock whose sleeps end at once would fire it.
  const limits = { requestTimeoutMs: 0, streamIdleMs: 0 };
  return createProvider(
    { ...defaultSettings, ...limits, provider: api.id, ...settings },
    {
      clock,
      newId: () => `n${++ids}`,
      env: api.env(url),
      random: () => 1,
      ...(api.fetch && { fetch: api.fetch(url) }),
    },
  );
}

const anyTool = (name: string): Tool => ({
  name,
  description: `The tool ${name}.`,
  input: z.object({
    path: z.string().optional().describe("A path."),
    n: z.number().int().min(0).max(9).optional(),
    mode: z.enum(["a", "b"]).nullable().optional(),
    list: z.array(z.union([z.string(), z.object({ deep: z.literal("x") })])).optional(),
    more: z.record(z.string(), z.string()).optional(),
  }),
  effect: "read",
  run: async () => ({ text: "" }),
});
const tools = [anyTool("look"), anyTool("find"), { ...anyTool("plain"), input: z.object({}) }];

export const prompt = (text: string): ApiMessage => ({ role: "user", content: [{ type: "text", text }] });
export const script = (name: string, args: object = {}) =>
  `[[script:${name} ${JSON.stringify(args)}]] Please`;

export function requestOf(messages: ApiMessage[], more: Partial<ModelRequest> = {}): ModelRequest {
  return { model: "opus", system: "Be brief.", messages, tools, maxTokens: 1000, temperature: 1, ...more };
}

export interface Reply {
  events: ModelStreamEvent[];
  message: AssistantMessage;
  /** What a reader has seen at the end: nothing that was reset. */
  shown: string;
}

/** Streams one reply. @throws what the provider throws, or Error when there is not exactly one message, at the end */
export async function replyTo(provider: Provider, request: ModelRequest): Promise<Reply> {
  const events: ModelStreamEvent[] = [];
  let shown = "";
  for await (const event of provider.stream(request, new AbortController().signal)) {
    events.push(event);
    if (event.type === "text") shown += event.text;
    if (event.type === "reset") shown = "";
  }
  const last = events.at(-1);
  if (last?.type !== "message" || events.filter(({ type }) => type === "message").length !== 1)
    throw new Error(`Not one message at the end: ${events.map(({ type }) => type).join()}`);
  return { events, message: last.message, shown };
}

export const callsOf = ({ content }: AssistantMessage): ToolUseBlock[] =>
  content.filter((block) => block.type === "tool_use");

/** The next request's messages: the reply, and a result for each of its calls. */
export function answered(messages: readonly ApiMessage[], message: AssistantMessage): ApiMessage[] {
  const results = callsOf(message).map(({ id, name, input }, index) => ({
    type: "tool_result" as const,
    tool_use_id: id,
    content: `${name} got ${JSON.stringify(input)}`,
    ...(index === 1 && { is_error: true }),
  }));
  return [...messages, { role: "assistant", content: message.content }, { role: "user", content: results }];
}
