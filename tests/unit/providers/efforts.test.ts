import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Provider } from "../../../electron/agent/ports/ports.ts";
import { createProvider } from "../../../electron/providers/create-provider.ts";
import { claudeThinking } from "../../../electron/providers/efforts.ts";
import type { Effort } from "../../../shared/conversation/effort.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { InstantClock } from "../../fakes/clock.ts";

interface Sent {
  url: string;
  body: Record<string, unknown>;
  headers: Headers;
}

/** However the API names it. */
const reasoningIn = ({ reasoning, reasoning_effort }: Record<string, unknown>): unknown =>
  reasoning_effort ?? Object(reasoning).effort;

/** What a request of the model says about thinking, and the limit and the temperature that go with it. */
async function sentFor(
  keys: Record<string, string>,
  model: string,
  effort: Effort,
  hasTools = false,
): Promise<Sent> {
  let sent: Sent | null = null;
  const answer: typeof fetch = async (url, init) => {
    const request = url instanceof Request ? url : new Request(url, init);
    sent = { url: request.url, body: JSON.parse(await request.text()), headers: request.headers };
    return new Response(JSON.stringify({ error: { message: "No." } }), { status: 400 });
  };
  const provider: Provider = createProvider(
    { ...defaultSettings, retryMax: 0 },
    { clock: new InstantClock(), newId: () => "id", env: keys, fetch: answer },
  );
  const tool = { name: "look", description: "", input: emptyInput, effect: "read" as const, run: noRun };
  const request = {
    model,
    system: "",
    messages: [{ role: "user" as const, content: [{ type: "text" as const, text: "Hello" }] }],
    tools: hasTools ? [tool] : [],
    maxTokens: 8192,
    temperature: 0.5,
    effort,
  };
  await expect(provider.complete(request, new AbortController().signal)).rejects.toThrow("No.");
  return sent ?? expect.unreachable("nothing was sent");
}

const emptyInput = z.object({});
const noRun = async () => ({ text: "" });

const summarized = { display: "summarized" };
const adaptive = { type: "adaptive", ...summarized };
const bound = { ...adaptive, block_binding: { prefix_mismatch_behavior: "drop_block" } };
const budget = (tokens: number) => ({ type: "enabled", budget_tokens: tokens, ...summarized });
const room = { low: 8192 + 4096, medium: 8192 + 12_288, high: 8192 + 32_000 };
const none = { max_tokens: 8192 };

type Expected = Readonly<Record<Effort, object>>;
const leveled = (thinking: object, more: object = {}) => ({
  low: { thinking, output_config: { effort: "low" }, max_tokens: room.low, ...more },
  medium: { thinking, output_config: { effort: "medium" }, max_tokens: room.medium, ...more },
  high: { thinking, output_config: { effort: "high" }, max_tokens: room.high, ...more },
});
const always = (thinking: object, byItself: "medium" | "high"): Expected => {
  const self = { thinking, max_tokens: room[byItself] };
  return { default: self, off: self, ...leveled(thinking) };
};
const onDemand: Expected = {
  default: { ...none, temperature: 0.5 },
  off: { ...none, temperature: 0.5 },
  ...leveled(adaptive),
};
const onDemandWithoutSampling: Expected = { default: none, off: none, ...leveled(adaptive) };
const budgets: Expected = {
  default: { ...none, temperature: 0.5 },
  off: { ...none, temperature: 0.5 },
  low: { thinking: budget(4096), max_tokens: room.low },
  medium: { thinking: budget(12_288), max_tokens: room.medium },
  high: { thinking: budget(32_000), max_tokens: room.high },
};

const claude: Readonly<Record<string, Expected>> = {
  "claude-fable-5-2": always(bound, "high"),
  "claude-fable-5-1": always(bound, "high"),
  "claude-mythos-5": always(adaptive, "high"),
  "claude-fable-5": always(adaptive, "high"),
  "claude-opus-5-5": always(bound, "medium"),
  "claude-sonnet-5-5": {
    default: { thinking: bound, max_tokens: room.high },
    off: { thinking: { type: "between_tools" }, ...none },
    ...leveled(bound),
  },
  "claude-haiku-5-5": {
    default: { thinking: bound, max_tokens: room.medium },
    off: { thinking: { type: "disabled" }, ...none },
    ...leveled(bound),
  },
  "claude-opus-5": {
    default: { thinking: adaptive, max_tokens: room.high },
    off: { thinking: { type: "disabled" }, ...none },
    ...leveled(adaptive),
  },
  "claude-sonnet-5": {
    default: { thinking: adaptive, max_tokens: room.high },
    off: { thinking: { type: "disabled" }, ...none },
    ...leveled(adaptive),
  },
  "claude-opus-4-8": onDemandWithoutSampling,
  "claude-opus-4-7": onDemandWithoutSampling,
  "claude-opus-4-6": onDemand,
  "claude-sonnet-4-6": onDemand,
  "claude-opus-4-5-20251101": {
    ...budgets,
    low: { ...budgets.low, output_config: { effort: "low" } },
    medium: { ...budgets.medium, output_config: { effort: "medium" } },
    high: { ...budgets.high, output_config: { effort: "high" } },
  },
  "claude-sonnet-4-5": budgets,
  "claude-haiku-4-5-20251001": budgets,
  // Not in the table: nothing is sent, and no temperature that it may refuse.
  "claude-opus-9": { default: none, off: none, low: none, medium: none, high: none },
};

const all = (table: Readonly<Record<string, Expected>>) =>
  Object.entries(table).flatMap(([model, row]) =>
    (["default", "off", "low", "medium", "high"] as const).map(
      (effort) => [model, effort, row[effort]] as const,
    ),
  );

describe("what each family is sent for each effort", () => {
  test.each(all(claude))("%s, %s", async (model, effort, expected) => {
    const { body, headers } = await sentFor({ ANTHROPIC_API_KEY: "k" }, model, effort);
    const { thinking, output_config, max_tokens, temperature } = body;
    expect({ thinking, output_config, max_tokens, temperature }).toEqual({
      thinking: undefined,
      output_config: undefined,
      temperature: undefined,
      ...expected,
    });
    const isBound = JSON.stringify(thinking ?? {}).includes("block_binding");
    expect(headers.get("anthropic-beta")).toBe(isBound ? "thinking-binding-controls-2026-08-01" : null);
  });

  const taken = (off: string | undefined) => [undefined, off, "low", "medium", "high"];
  const nothing = [undefined, undefined, undefined, undefined, undefined];
  test.each([
    ["gpt-5", "/v1/responses", taken("minimal")],
    ["gpt-5-mini-2025-08-07", "/v1/responses", taken("minimal")],
    ["gpt-5.1", "/v1/responses", taken("none")],
    ["gpt-5.2", "/v1/responses", taken("none")],
    ["gpt-5.4-mini", "/v1/responses", taken("none")],
    ["gpt-5.6-terra", "/v1/responses", taken("none")],
    ["gpt-6-luna", "/v1/responses", taken("none")],
    ["gpt-6.1-sol", "/v1/responses", taken(undefined)],
    ["o4-mini", "/v1/responses", taken(undefined)],
    ["gpt-5-chat-latest", "/v1/chat/completions", nothing],
    ["gpt-4.1", "/v1/chat/completions", nothing],
  ])("%s at OpenAI, over %s: %j, beside tools, too", async (model, path, expected) => {
    const efforts = ["default", "off", "low", "medium", "high"] as const;
    for (const hasTools of [true, false]) {
      const sent = await Promise.all(
        efforts.map((effort) => sentFor({ OPENAI_API_KEY: "k" }, model, effort, hasTools)),
      );
      expect(new Set(sent.map(({ url }) => new URL(url).pathname))).toEqual(new Set([path]));
      expect(sent.map(({ body }) => reasoningIn(body))).toEqual(expected);
    }
  });

  test("tokens of thinking count among those of the reply there: there is room for both", async () => {
    const sent = (effort: Effort) => sentFor({ OPENAI_API_KEY: "k" }, "gpt-5.6-terra", effort);
    expect((await sent("off")).body.max_output_tokens).toBe(8192);
    expect((await sent("default")).body.max_output_tokens).toBe(room.medium);
    expect((await sent("high")).body.max_output_tokens).toBe(room.high);
  });

  test("a model that is not known goes there once it is refused tools elsewhere", async () => {
    const asked: string[] = [];
    const answer: typeof fetch = async (input) => {
      const { pathname } = new URL(input instanceof Request ? input.url : String(input));
      asked.push(pathname);
      const error = pathname.endsWith("/responses")
        ? { message: "No.", param: null }
        : {
            message:
              "Function tools with reasoning_effort are not supported for gpt-9 in /v1/chat/completions. Please use /v1/responses instead.",
            param: "reasoning_effort",
          };
      return new Response(JSON.stringify({ error }), { status: 400 });
    };
    const provider = createProvider(
      { ...defaultSettings, retryMax: 0 },
      { clock: new InstantClock(), newId: () => "id", env: { OPENAI_API_KEY: "k" }, fetch: answer },
    );
    const tool = { name: "look", description: "", input: emptyInput, effect: "read" as const, run: noRun };
    const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hello" }] }];
    const request = { model: "gpt-9", system: "", messages, tools: [tool], maxTokens: 100, temperature: 1 };
    const ask = () => provider.complete(request, new AbortController().signal);
    await expect(ask()).rejects.toThrow("No.");
    await expect(ask()).rejects.toThrow("No.");
    expect(asked).toEqual(["/v1/chat/completions", "/v1/responses", "/v1/responses"]);
  });

  test.each([
    ["qwen3", [undefined, "none", "low", "medium", "high"]],
    ["gpt-oss:20b", [undefined, undefined, "low", "medium", "high"]],
    ["openai/gpt-5.6-terra", [undefined, "none", "low", "medium", "high"]],
  ])("%s at another server: %j", async (model, expected) => {
    const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://gateway.example/v1" };
    const efforts = ["default", "off", "low", "medium", "high"] as const;
    const bodies = await Promise.all(efforts.map((effort) => sentFor(env, model, effort, true)));
    expect(bodies.map(({ body }) => body.reasoning_effort)).toEqual(expected);
  });

  const shown = { includeThoughts: true };
  const levels = (off: object = shown) => [
    shown,
    off,
    { ...shown, thinkingLevel: "LOW" },
    { ...shown, thinkingLevel: "MEDIUM" },
    { ...shown, thinkingLevel: "HIGH" },
  ];
  const tokens = (off: object = shown) => [
    shown,
    off,
    { ...shown, thinkingBudget: 1024 },
    { ...shown, thinkingBudget: 8192 },
    { ...shown, thinkingBudget: 24_576 },
  ];
  test.each([
    ["gemini-3.8-flash", levels()],
    ["gemini-3.7-flash", levels()],
    ["gemini-3.1-pro-preview", levels()],
    ["gemini-3-pro-preview", levels().with(3, shown)],
    ["gemini-3.5-flash-lite", levels({ ...shown, thinkingLevel: "MINIMAL" })],
    ["gemini-3-flash-preview", levels({ ...shown, thinkingLevel: "MINIMAL" })],
    ["gemini-2.5-pro", tokens()],
    ["gemini-2.5-flash", tokens({ thinkingBudget: 0 })],
    ["gemini-4-flash", [shown, shown, shown, shown, shown]],
    ["gemini-2.0-flash", [undefined, undefined, undefined, undefined, undefined]],
  ])("%s: %j", async (model, expected) => {
    const efforts = ["default", "off", "low", "medium", "high"] as const;
    const bodies = await Promise.all(
      efforts.map((effort) => sentFor({ GEMINI_API_KEY: "k" }, model, effort)),
    );
    const configs = bodies.map(({ body }) => Object(body.generationConfig).thinkingConfig);
    expect(configs).toEqual(expected);
  });

  // Bug: Gemini 2.5 Pro at high effort thought until its limit was reached, and the reply was cut before its first word.
  test.each([
    ["gemini-2.5-pro", "high", room.high],
    ["gemini-2.5-pro", "low", room.low],
    // It cannot stop thinking.
    ["gemini-2.5-pro", "off", room.high],
    ["gemini-2.5-flash", "off", 8192],
    ["gemini-3-flash-preview", "off", 8192],
    ["gemini-3.8-flash", "medium", room.medium],
    ["gemini-3.8-flash", "default", room.high],
    ["gemini-2.0-flash", "default", 8192],
  ] as const)("%s, %s: what is thought does not count against the reply", async (model, effort, expected) => {
    const { body } = await sentFor({ GEMINI_API_KEY: "k" }, model, effort);
    expect(Object(body.generationConfig).maxOutputTokens).toBe(expected);
  });
});

describe("a budget stays below the limit of the reply", () => {
  test.each([1, 100, 64_000, 200_000])("%i tokens of a reply", (maxTokens) => {
    const asked = claudeThinking("claude-haiku-4-5", "high", maxTokens, 64_000);
    expect(asked.thinking).toMatchObject({ type: "enabled" });
    const spent = asked.thinking?.type === "enabled" ? asked.thinking.budget_tokens : 0;
    expect(spent).toBeGreaterThanOrEqual(1024);
    expect(spent).toBeLessThan(asked.maxTokens);
    expect(asked.maxTokens).toBeLessThanOrEqual(64_000);
  });
});
