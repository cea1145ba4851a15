/** The one table to edit when a model comes or goes. Source: the models overview of the Claude documentation. */

interface ModelLimits {
  /** Tokens. */
  contextWindow: number;
  /** Most tokens of one reply. */
  maxOutputTokens: number;
}

const aliases: Readonly<Record<string, string>> = {
  opus: "claude-opus-4-6",
  sonnet: "claude-sonnet-4-5-20250929",
  haiku: "claude-haiku-4-5-20251001",
};

/** By the beginning of the id; the first that fits counts. */
const limits: readonly [prefix: string, limits: ModelLimits][] = [
  ["claude-opus-4-5", { contextWindow: 200_000, maxOutputTokens: 64_000 }],
  ["claude-opus-4-1", { contextWindow: 200_000, maxOutputTokens: 32_000 }],
  ["claude-opus-4-2", { contextWindow: 200_000, maxOutputTokens: 32_000 }],
  ["claude-opus-", { contextWindow: 200_000, maxOutputTokens: 128_000 }],
  ["claude-sonnet-4-5", { contextWindow: 200_000, maxOutputTokens: 64_000 }],
  ["claude-sonnet-4-2", { contextWindow: 200_000, maxOutputTokens: 64_000 }],
  ["claude-sonnet-", { contextWindow: 200_000, maxOutputTokens: 128_000 }],
  ["claude-haiku-", { contextWindow: 200_000, maxOutputTokens: 64_000 }],
];

/** A model that is not in the table: its output limit is left to the API. */
const unknownModel: ModelLimits = { contextWindow: 200_000, maxOutputTokens: Number.POSITIVE_INFINITY };

/** Later models answer a sampling temperature with an error. */
const takesTemperature = /^claude-(3|opus-4(-[01456]\b|-2\d{7})|sonnet-4|haiku-4)/;

/** @returns the full id behind an alias; anything else as it is */
export function resolveModel(name: string): string {
  return aliases[name.toLowerCase()] ?? name;
}

export function limitsOf(model: string): ModelLimits {
  return limits.find(([prefix]) => model.startsWith(prefix))?.[1] ?? unknownModel;
}

/** A model that is not known to take a temperature gets none. */
export function acceptsTemperature(model: string): boolean {
  return takesTemperature.test(model);
}
