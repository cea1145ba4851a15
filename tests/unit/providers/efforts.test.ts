import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Provider } from "../../../electron/agent/ports/ports.ts";
import { createProvider } from "../../../electron/providers/create-provider.ts";
import { claudeThinking } from "../../../electron/providers/efforts.ts";
import type { Effort } from "../../../shared/conversation/effort.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { InstantClock } from "../../fakes/clock.ts";

/** What a request of the model says about thinking, and the limit and the temperature that go with it. */
async function sentFor(
  keys: Record<string, string>,
  model: string,
  effort: Effort,
  hasTools = false,
): Promise<{ body: Record<string, unknown>; headers: Headers }> {
  let sent: { body: Record<string, unknown>; headers: Headers } | null = null;
  const answer: typeof fetch = async (url, init) => {
    const request = url instanceof Request ? url : new Request(url, init);
    sent = { body: JSON.parse(await request.text()), headers: request.headers };
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

  const chat = (off: string | undefined, low = "low", medium = "medium", high = "high") => [
    undefined,
    off,
    low,
    medium,
    high,
  ];
  const nothing = [undefined, undefined, undefined, undefined, undefined];
  const onlyNone = ["none", "none", "none", "none", "none"];
  test.each([
    ["gpt-5", chat("minimal"), chat("minimal")],
    ["gpt-5-mini-2025-08-07", chat("minimal"), chat("minimal")],
    ["gpt-5.1", chat("none"), chat("none")],
    ["gpt-5.2", nothing, chat("none")],
    ["gpt-5.4-mini", nothing, chat("none")],
    ["gpt-5.6-terra", onlyNone, chat("none")],
    ["gpt-6-luna", onlyNone, chat("none")],
    ["gpt-6.1-sol", nothing, chat(undefined)],
    ["o4-mini", chat(undefined), chat(undefined)],
    ["gpt-5-chat-latest", nothing, nothing],
    ["gpt-4.1", nothing, nothing],
  ])("%s at OpenAI, beside tools %j, without %j", async (model, withTools, without) => {
    const efforts = ["default", "off", "low", "medium", "high"] as const;
    const env = { OPENAI_API_KEY: "k" };
    const sent = async (hasTools: boolean) => {
      const bodies = await Promise.all(efforts.map((effort) => sentFor(env, model, effort, hasTools)));
      return bodies.map(({ body }) => body.reasoning_effort);
    };
    expect(await sent(true)).toEqual(withTools);
    expect(await sent(false)).toEqual(without);
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
