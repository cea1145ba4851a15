import type { Price } from "../../shared/conversation/cost.ts";
import type { Settings } from "../../shared/settings.ts";
import type { ModelFacts } from "../agent/ports/ports.ts";

/**
 * The one table to edit when a model comes or goes. Sources: the models and pricing pages of the Claude, OpenAI and
 * Gemini documentation.
 */

/** Whose model names an alias stands for. */
export type ModelFamily = "anthropic" | "openai" | "gemini";

/** One name for a size of model, whoever the provider is: the biggest, the everyday one, the quick one. */
const aliases: Readonly<Record<string, Readonly<Record<ModelFamily, string>>>> = {
  // OpenAI's newer models think beside tools only over its Responses API, which other servers of its kind may not have: these
  // are the newest that work with both.
  opus: { anthropic: "claude-opus-5-5", openai: "gpt-5", gemini: "gemini-3.1-pro-preview" },
  sonnet: { anthropic: "claude-sonnet-5-5", openai: "gpt-5-mini", gemini: "gemini-3.8-flash" },
  haiku: { anthropic: "claude-haiku-5-5", openai: "gpt-5-nano", gemini: "gemini-3.5-flash-lite" },
};

interface Row {
  contextWindow: number;
  maxOutputTokens: number;
  price?: Price;
  /** Whether it takes a sampling temperature; those that do not answer one with an error. */
  temperature: boolean;
}

const row = (contextWindow: number, maxOutputTokens: number, temperature: boolean, price?: Price): Row => ({
  contextWindow,
  maxOutputTokens,
  temperature,
  ...(price && { price }),
});

const round = (dollars: number) => Math.round(dollars * 1e6) / 1e6;

/** Anthropic: reading from the cache costs a tenth of the input where its own share is not given, writing to it a quarter more. */
const claude = (input: number, output: number, readShare = 0.1): Price => ({
  input,
  output,
  cacheRead: round(input * readShare),
  cacheWrite: round(input * 1.25),
});

/** OpenAI and Gemini: writing to the cache costs nothing of its own, where its price is not given. */
const price = (input: number, output: number, cacheRead: number, cacheWrite = input): Price => ({
  input,
  output,
  cacheRead,
  cacheWrite,
});

/** By the beginning of the id; the first that fits counts. */
const table: readonly [prefix: string, row: Row][] = [
  ["claude-fable-5-1", row(1_000_000, 128_000, false, claude(10, 50, 0.025))],
  ["claude-mythos-5-1", row(1_000_000, 128_000, false, claude(10, 50, 0.025))],
  ["claude-fable-5-2", row(1_000_000, 128_000, false)],
  ["claude-mythos-5-2", row(1_000_000, 128_000, false)],
  ["claude-fable-5", row(1_000_000, 128_000, false, claude(10, 50))],
  ["claude-mythos-5", row(1_000_000, 128_000, false, claude(10, 50))],
  ["claude-opus-5-5", row(1_000_000, 128_000, false, claude(4, 20, 0.05))],
  ["claude-opus-5", row(1_000_000, 128_000, false, claude(5, 25))],
  ["claude-sonnet-5-5", row(1_000_000, 128_000, false, claude(2, 10, 0.05))],
  ["claude-sonnet-5", row(1_000_000, 128_000, false, claude(2, 10))],
  // Up to 100,000 tokens of a prompt; five times as much beyond, which summaries seldom let it reach.
  ["claude-haiku-5-5", row(1_000_000, 128_000, false, claude(0.1, 0.5))],
  ["claude-opus-4-8", row(1_000_000, 128_000, false, claude(5, 25))],
  ["claude-opus-4-7", row(1_000_000, 128_000, false, claude(5, 25))],
  ["claude-opus-4-6", row(200_000, 128_000, true, claude(5, 25))],
  ["claude-opus-4-5", row(200_000, 64_000, true, claude(5, 25))],
  ["claude-opus-4-1", row(200_000, 32_000, true, claude(15, 75))],
  ["claude-opus-4-0", row(200_000, 32_000, true, claude(15, 75))],
  ["claude-opus-4-2", row(200_000, 32_000, true, claude(15, 75))],
  ["claude-opus-", row(200_000, 128_000, false)],
  ["claude-sonnet-4-5", row(200_000, 64_000, true, claude(3, 15))],
  ["claude-sonnet-4-2", row(200_000, 64_000, true, claude(3, 15))],
  ["claude-sonnet-4", row(200_000, 128_000, true, claude(3, 15))],
  ["claude-sonnet-", row(200_000, 128_000, false)],
  ["claude-haiku-4", row(200_000, 64_000, true, claude(1, 5))],
  ["claude-haiku-", row(200_000, 64_000, false)],
  ["claude-3", row(200_000, 8192, true)],

  // Up to 272,000 tokens of a prompt.
  ["gpt-6-astra", row(1_050_000, 128_000, false, price(10, 50, 1))],
  ["gpt-6.1-sol", row(1_050_000, 128_000, false, price(2, 10, 0.1, 2.5))],
  ["gpt-6.1-terra", row(1_050_000, 128_000, false, price(1, 5, 0.05, 1.25))],
  ["gpt-6-sol", row(1_050_000, 128_000, false, price(2, 10, 0.2, 2.5))],
  ["gpt-6-luna", row(1_050_000, 128_000, false, price(0.1, 0.5, 0.01, 0.125))],
  ["gpt-6", row(1_050_000, 128_000, false)],
  ["gpt-5.6-sol", row(1_050_000, 128_000, false, price(4, 20, 0.4))],
  ["gpt-5.6-terra", row(1_050_000, 128_000, false, price(2, 12, 0.2))],
  ["gpt-5.6-luna", row(1_050_000, 128_000, false, price(0.2, 1.2, 0.02))],
  ["gpt-5.6", row(1_050_000, 128_000, false)],

  ["gpt-5-mini", row(400_000, 128_000, false, price(0.25, 2, 0.025))],
  ["gpt-5-nano", row(400_000, 128_000, false, price(0.05, 0.4, 0.005))],
  ["gpt-5-pro", row(400_000, 272_000, false, price(15, 120, 15))],
  ["gpt-5.2", row(400_000, 128_000, false, price(1.75, 14, 0.175))],
  ["gpt-5.1", row(400_000, 128_000, false, price(1.25, 10, 0.125))],
  ["gpt-5.", row(400_000, 128_000, false)],
  ["gpt-5", row(400_000, 128_000, false, price(1.25, 10, 0.125))],
  ["gpt-4.1-mini", row(1_047_576, 32_768, true, price(0.4, 1.6, 0.1))],
  ["gpt-4.1-nano", row(1_047_576, 32_768, true, price(0.1, 0.4, 0.025))],
  ["gpt-4.1", row(1_047_576, 32_768, true, price(2, 8, 0.5))],
  ["gpt-4o-mini", row(128_000, 16_384, true, price(0.15, 0.6, 0.075))],
  ["gpt-4o", row(128_000, 16_384, true, price(2.5, 10, 1.25))],
  ["o3-mini", row(200_000, 100_000, false, price(1.1, 4.4, 0.55))],
  ["o4-mini", row(200_000, 100_000, false, price(1.1, 4.4, 0.275))],
  ["o3", row(200_000, 100_000, false, price(2, 8, 0.5))],
  ["o1", row(200_000, 100_000, false, price(15, 60, 7.5))],

  // The price of 3.7 holds to the end of 2027, that of 3.8 to the end of 2026; then both are twice as much.
  ["gemini-3.8-flash", row(1_048_576, 65_536, true, price(0.75, 3.75, 0.075))],
  ["gemini-3.7-flash", row(1_048_576, 65_536, true, price(0.75, 3.75, 0.075))],
  ["gemini-3.6-flash", row(1_048_576, 65_536, true, price(1.5, 7.5, 0.15))],
  ["gemini-3.5-flash-lite", row(1_048_576, 65_536, true, price(0.3, 2.5, 0.03))],
  ["gemini-3.1-pro", row(1_048_576, 65_536, true)],
  ["gemini-3-pro", row(1_048_576, 65_536, true, price(2, 12, 0.2))],
  ["gemini-3-flash", row(1_048_576, 65_536, true, price(0.5, 3, 0.05))],
  ["gemini-2.5-pro", row(1_048_576, 65_536, true, price(1.25, 10, 0.125))],
  ["gemini-2.5-flash-lite", row(1_048_576, 65_536, true, price(0.1, 0.4, 0.01))],
  ["gemini-2.5-flash", row(1_048_576, 65_536, true, price(0.3, 2.5, 0.03))],
  ["gemini-", row(1_048_576, 65_536, true)],
];

/** By the beginning of the id; the first that fits counts. Of Claude's the date up to which its makers call it reliable. */
const knowledgeEnds: readonly [prefix: string, month: string][] = [
  ["claude-fable-5-1", "June 2026"],
  ["claude-opus-5-5", "June 2026"],
  ["claude-sonnet-5-5", "June 2026"],
  ["claude-haiku-5-5", "June 2026"],
  ["claude-opus-5", "May 2026"],
  ["claude-sonnet-5", "January 2026"],
  ["claude-fable-5", "January 2026"],
  ["claude-opus-4-6", "May 2025"],
  ["claude-opus-4-5", "May 2025"],
  ["claude-opus-4-1", "January 2025"],
  ["claude-sonnet-4-6", "August 2025"],
  ["claude-sonnet-4-5", "January 2025"],
  ["claude-haiku-4-5", "February 2025"],
  ["gpt-5-mini", "May 2024"],
  ["gpt-5-nano", "May 2024"],
  ["gpt-5.2", "August 2025"],
  ["gpt-5.1", "September 2024"],
  ["gpt-5-", "September 2024"],
  ["gpt-4.1", "June 2024"],
  ["gpt-4o", "October 2023"],
  ["o3-mini", "October 2023"],
  ["o3", "June 2024"],
  ["o4-mini", "June 2024"],
  ["o1", "October 2023"],
  ["gemini-3", "January 2025"],
  ["gemini-2.5", "January 2025"],
];

/**
 * A model that is not in the table, where its server does not tell either: few have less. Its output limit is left to the
 * API.
 */
const unknownRow = row(32_000, Number.POSITIVE_INFINITY, true);

/** Whether its window is known here. */
export const isKnownModel = (id: string): boolean => rowOf(id) !== undefined;

/** The aliases, and what they stand for with this maker. */
export const aliasesOf = (family: ModelFamily): { alias: string; id: string }[] =>
  Object.entries(aliases).map(([alias, ids]) => ({ alias, id: ids[family] }));

/** @returns the full id behind an alias; anything else as it is */
export function resolveModel(name: string, family: ModelFamily): string {
  return aliases[name.toLowerCase()]?.[family] ?? name;
}

/**
 * What is known of the model with this full id; the user's own window and prices go before the table's.
 * @param served the window that its server gives it, where that told
 */
export function modelFacts(
  id: string,
  settings: Pick<Settings, "contextWindow" | "prices">,
  served?: number,
): ModelFacts {
  const known = rowOf(id) ?? unknownRow;
  return {
    contextWindow: settings.contextWindow ?? served ?? known.contextWindow,
    maxOutputTokens: known.maxOutputTokens,
    price: settings.prices[id] ?? known.price,
    knowledgeCutoff: knowledgeEnds.find(([prefix]) => `${bareName(id)}-`.startsWith(prefix))?.[1],
  };
}

/** @param otherwise for a model that is not in the table */
export function acceptsTemperature(id: string, otherwise: boolean): boolean {
  return rowOf(id)?.temperature ?? otherwise;
}

/** Whether it takes images, as far as is known. */
export const acceptsImages = (id: string): boolean => !/^(o3-mini|o1-mini|gpt-3)/.test(bareName(id));

/** Some servers put the maker before the name: `openai/gpt-5`. */
export const bareName = (id: string) => id.slice(id.lastIndexOf("/") + 1);

function rowOf(id: string): Row | undefined {
  const name = bareName(id);
  return table.find(([prefix]) => name.startsWith(prefix))?.[1];
}
