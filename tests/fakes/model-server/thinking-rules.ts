import { z } from "zod";

/**
 * What the real APIs refuse of a request about thinking: written from their documentation, apart from Parley's own table.
 * Sources: “Effort”, “Thinking”, “Extended thinking” and “What's new in …” of the Claude documentation, the answers of
 * OpenAI's API, “Gemini thinking”.
 */

const claudeRequest = z.looseObject({
  model: z.string(),
  max_tokens: z.number(),
  temperature: z.number().optional(),
  thinking: z
    .looseObject({
      type: z.enum(["adaptive", "enabled", "disabled", "between_tools"]),
      budget_tokens: z.number().optional(),
    })
    .optional(),
  output_config: z.strictObject({ effort: z.enum(["low", "medium", "high", "xhigh", "max"]) }).optional(),
});

const claudeFields = new Set([
  "model",
  "max_tokens",
  "stream",
  "system",
  "temperature",
  "messages",
  "tools",
  "thinking",
  "output_config",
]);

const alwaysThinks = /^claude-(?:opus-5-5|fable-5|mythos)/;
const takesBudget = /^claude-(?:(?:opus|sonnet|haiku)-4-5|(?:opus|sonnet)-4-6|3-7)/;
const takesAdaptive = /^claude-(?:fable|mythos|(?:opus|sonnet|haiku)-5|opus-4-[678]|sonnet-4-6)/;
const takesEffort = /^claude-(?:fable|mythos|(?:opus|sonnet|haiku)-5|opus-4-[5678]|sonnet-4-6)/;
const takesSampling = /^claude-(?:(?:opus|sonnet|haiku)-4-(?:[0156]|20)|3-)/;
const thinksByItself = /^claude-(?:fable|mythos|(?:opus|sonnet|haiku)-5)/;

/** Empty when the Messages API would take it. */
export function claudeBreaches(json: unknown, beta: string): string[] {
  const { model, max_tokens, temperature, thinking, output_config, ...rest } = claudeRequest.parse(json);
  const breaches = Object.keys(rest)
    .filter((key) => !claudeFields.has(key))
    .map((key) => `${key}: Extra inputs are not permitted`);
  const type = thinking?.type;
  const isOn = type === "adaptive" || type === "enabled" || (!type && thinksByItself.test(model));
  const not = (what: string) => breaches.push(`"${what}" is not supported for this model`);
  if (type === "adaptive" && !takesAdaptive.test(model)) not("thinking.type.adaptive");
  if (type === "enabled" && !takesBudget.test(model)) not("thinking.type.enabled");
  if (type === "disabled" && (alwaysThinks.test(model) || model === "claude-sonnet-5-5"))
    not("thinking.type.disabled");
  if (type === "between_tools" && model !== "claude-sonnet-5-5") not("thinking.type.between_tools");
  if (type === "enabled") {
    const { budget_tokens = 0 } = thinking ?? {};
    if (budget_tokens < 1024) breaches.push("thinking.budget_tokens: must be at least 1024");
    if (budget_tokens >= max_tokens)
      breaches.push("`max_tokens` must be greater than `thinking.budget_tokens`");
  }
  if (output_config && !takesEffort.test(model))
    breaches.push("This model does not support the effort parameter.");
  if (temperature !== undefined && temperature !== 1) {
    if (isOn) breaches.push("`temperature` may only be set to 1 when thinking is enabled");
    else if (!takesSampling.test(model)) breaches.push("`temperature` is not supported for this model");
  }
  if (thinking?.block_binding !== undefined && !beta.includes("thinking-binding-controls-2026-08-01"))
    breaches.push("thinking.block_binding: Extra inputs are not permitted");
  return breaches;
}

const chatValues: readonly [RegExp, readonly string[]][] = [
  [/^gpt-5(?:-mini|-nano)?$/, ["minimal", "low", "medium", "high"]],
  [/^gpt-5\.1$/, ["none", "low", "medium", "high"]],
  [/^gpt-5\.[246]|^gpt-6/, ["none", "low", "medium", "high", "xhigh"]],
  [/^o\d|^gpt-oss/, ["low", "medium", "high"]],
  [/^gpt-4/, []],
];

/** What OpenAI's Chat Completions answers to a request about reasoning; null where it takes it. */
export function chatRefusal(model: string, effort: string | undefined, hasTools: boolean): string | null {
  const values = chatValues.find(([models]) => models.test(model))?.[1];
  if (effort !== undefined && values && !values.includes(effort)) {
    return values.length === 0
      ? "Unrecognized request argument supplied: reasoning_effort"
      : `Unsupported value: 'reasoning_effort' does not support '${effort}' with this model.`;
  }
  const isStrict = /^gpt-5\.6|^gpt-6/.test(model);
  const thinks = effort === undefined ? isStrict : effort !== "none";
  return hasTools && thinks && /^gpt-5\.[2456]|^gpt-6/.test(model)
    ? `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`
    : null;
}

/** What OpenAI's Responses API answers to an effort; null where it takes it. */
export function responsesRefusal(model: string, effort: string | undefined): string | null {
  const values = chatValues.find(([models]) => models.test(model))?.[1];
  if (effort === undefined || !values || values.includes(effort)) return null;
  return `Unsupported value: '${effort}' is not supported with the '${model}' model.`;
}

export interface ThinkingConfig {
  includeThoughts?: boolean | undefined;
  thinkingLevel?: string | undefined;
  thinkingBudget?: number | undefined;
}

/** Empty when Gemini would take it. */
export function geminiBreaches(model: string, config: ThinkingConfig | undefined): string[] {
  const { includeThoughts = false, thinkingLevel, thinkingBudget } = config ?? {};
  const breaches: string[] = [];
  if (thinkingLevel !== undefined && thinkingBudget !== undefined)
    breaches.push("thinking_level and thinking_budget cannot be set together");
  if (thinkingLevel !== undefined && !/^gemini-3/.test(model))
    breaches.push("Thinking level is not supported for this model.");
  if (thinkingLevel === "MINIMAL" && /^gemini-3(?:-pro|\.1-pro|\.7-flash|\.8-flash)/.test(model))
    breaches.push("Thinking level MINIMAL is not supported for this model.");
  if (thinkingLevel === "MEDIUM" && /^gemini-3-pro/.test(model))
    breaches.push("Thinking level MEDIUM is not supported for this model.");
  if (thinkingBudget === 0 && /^gemini-2\.5-pro/.test(model))
    breaches.push("Budget 0 is invalid. This model only works in thinking mode.");
  if (thinkingBudget === 0 && includeThoughts) breaches.push("include_thoughts needs thinking to be enabled");
  return breaches;
}
