import type { Price, Rates } from "../../shared/conversation/cost.ts";
import type { Settings } from "../../shared/settings.ts";
import type { ModelFacts } from "../agent/ports/ports.ts";
import catalogue from "./model-catalogue.json" with { type: "json" };

/**
 * What is known of models. Windows and prices come from `model-catalogue.json`; the rest is from the models pages of the Claude,
 * OpenAI and Gemini documentation.
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

/** What the catalogue does not tell of the makers' own models. */
interface Traits {
  /** Whose prices and windows they are, by its name in the catalogue. */
  maker: string;
  maxOutputTokens: number;
  /** Whether it takes a sampling temperature; those that do not answer one with an error. */
  temperature: boolean;
  /** Of a model that is not in the catalogue: few of the maker's have less. */
  contextWindow: number;
}

const claude = (maxOutputTokens: number, temperature: boolean): Traits => ({
  maker: "anthropic",
  contextWindow: 200_000,
  maxOutputTokens,
  temperature,
});

const gpt = (contextWindow: number, maxOutputTokens: number, temperature: boolean): Traits => ({
  maker: "openai",
  contextWindow,
  maxOutputTokens,
  temperature,
});

/** The first that fits counts. */
const traits: readonly [ids: RegExp, Traits][] = [
  [/^claude-3/, claude(8192, true)],
  [/^claude-opus-4-[012]/, claude(32_000, true)],
  [/^claude-(opus-4-5|sonnet-4-[025]|haiku-4)/, claude(64_000, true)],
  [/^claude-(opus|sonnet)-4-6/, claude(128_000, true)],
  [/^claude-(fable|mythos|opus|sonnet|haiku)-/, claude(128_000, false)],
  [/^gpt-5-pro/, gpt(400_000, 272_000, false)],
  [/^gpt-[56]/, gpt(400_000, 128_000, false)],
  [/^gpt-4\.1/, gpt(1_000_000, 32_768, true)],
  [/^gpt-4o/, gpt(128_000, 16_384, true)],
  [/^o(1|3|4-mini)/, gpt(200_000, 100_000, false)],
  [/^gemini-/, { maker: "google", contextWindow: 1_048_576, maxOutputTokens: 65_536, temperature: true }],
];

/** As the catalogue has it, made by `npm run model-table`. */
interface Row extends RowRates {
  /** A regular expression for ids in lower case. */
  ids: string;
  window?: number;
  later?: RowRates & { from: string };
}

/** US dollars per million tokens: input, output, cache reads, cache writes. What is missing at the end costs as much as input. */
interface RowRates {
  price?: number[];
  /** For prompts above so many tokens, which come first. */
  long?: number[];
}

const servers: Readonly<Record<string, { at: string; models: Row[] }>> = catalogue.servers;

/** By their makers' documentation, where the catalogue is older: they go before it, and away when it has them. */
export const newer: Readonly<Record<string, readonly Row[]>> = {
  anthropic: [
    { ids: "^claude-mythos-5(-\\d{8})?$", window: 1_000_000, price: [10, 50, 1, 12.5] },
    { ids: "^claude-mythos-5-1(-\\d{8})?$", window: 1_000_000, price: [10, 50, 0.25, 12.5] },
    { ids: "^claude-sonnet-5-5", window: 1_000_000, price: [2, 10, 0.1, 2.5] },
    {
      ids: "^claude-haiku-5-5",
      window: 1_000_000,
      price: [0.1, 0.5, 0.01, 0.125],
      long: [100_000, 0.5, 2.5, 0.05, 0.625],
    },
  ],
  openai: [
    {
      ids: "^gpt-6\\.1-sol(-\\d{4}-\\d\\d-\\d\\d)?$",
      window: 1_050_000,
      price: [2, 10, 0.1, 2.5],
      long: [272_000, 4, 15, 0.2, 5],
    },
    {
      ids: "^gpt-6\\.1-terra(-\\d{4}-\\d\\d-\\d\\d)?$",
      window: 1_050_000,
      price: [1, 5, 0.05, 1.25],
      long: [272_000, 2, 7.5, 0.1, 2.5],
    },
  ],
};

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

/** A model that nobody knows: few have less. */
const unknownWindow = 32_000;

/** Whether its window is known here. @param server as `servedAt` tells it */
export const isKnownModel = (id: string, server: string | undefined): boolean =>
  windowOf(id, server) !== undefined;

/** Whose prices count at an address, by its name in the catalogue; undefined: not known. */
export const servedAt = (address: string): string | undefined =>
  Object.keys(servers).find((name) => new RegExp(`^(?:${servers[name]?.at})`).test(address));

/** The aliases, and what they stand for with this maker. */
export const aliasesOf = (family: ModelFamily): { alias: string; id: string }[] =>
  Object.entries(aliases).map(([alias, ids]) => ({ alias, id: ids[family] }));

/** @returns the full id behind an alias; anything else as it is */
export function resolveModel(name: string, family: ModelFamily): string {
  return aliases[name.toLowerCase()]?.[family] ?? name;
}

/**
 * What is known of the model with this full id; the user's own window and prices go before the table's.
 * @param server whose prices count, as `servedAt` tells it @param served the window that its server gives it, where that told
 */
export function modelFacts(
  id: string,
  settings: Pick<Settings, "contextWindow" | "prices">,
  server: string | undefined,
  served?: number,
): ModelFacts {
  return {
    contextWindow: settings.contextWindow ?? served ?? windowOf(id, server) ?? unknownWindow,
    maxOutputTokens: traitsOf(id)?.maxOutputTokens ?? Number.POSITIVE_INFINITY,
    price: settings.prices[id] ?? priceOf(id, server),
    knowledgeCutoff: knowledgeEnds.find(([prefix]) => `${bareName(id)}-`.startsWith(prefix))?.[1],
  };
}

/** @param otherwise for a model that is not in the table */
export function acceptsTemperature(id: string, otherwise: boolean): boolean {
  return traitsOf(id)?.temperature ?? otherwise;
}

/** Whether it takes images, as far as is known. */
export const acceptsImages = (id: string): boolean => !/^(o3-mini|o1-mini|gpt-3)/.test(bareName(id));

/** Some servers put the maker before the name: `openai/gpt-5`. */
export const bareName = (id: string) => id.slice(id.lastIndexOf("/") + 1);

function traitsOf(id: string): Traits | undefined {
  const name = bareName(id);
  return traits.find(([ids]) => ids.test(name))?.[1];
}

/** As its server gives it or, where that is not known, as its maker does. */
function windowOf(id: string, server: string | undefined): number | undefined {
  const own = traitsOf(id);
  return rowOf(id, server)?.window ?? rowOf(id, own?.maker)?.window ?? own?.contextWindow;
}

/** What each server has, made ready when it is first asked for. */
const prepared = new Map<string, [RegExp, Row][]>();

function rowOf(id: string, server: string | undefined): Row | undefined {
  if (server === undefined) return undefined;
  let rows = prepared.get(server);
  if (!rows) {
    const all = [...(newer[server] ?? []), ...(servers[server]?.models ?? [])];
    rows = all.map((row) => [new RegExp(row.ids), row]);
    prepared.set(server, rows);
  }
  const isMaker = traits.some(([, { maker }]) => maker === server);
  const name = (isMaker ? bareName(id) : id).toLowerCase();
  return rows.find(([ids]) => ids.test(name))?.[1];
}

function priceOf(id: string, server: string | undefined): Price | undefined {
  // A maker's own model that this server does not have was asked of its maker, earlier in the conversation.
  const asked = server !== undefined && !id.includes("/") ? rowOf(id, traitsOf(id)?.maker) : undefined;
  const row = rowOf(id, server) ?? asked;
  const { price, long } = (row?.later && new Date().toISOString() >= row.later.from ? row.later : row) ?? {};
  if (!price) return undefined;
  const [above = 0, ...rates] = long ?? [];
  return { ...pricesOf(price), ...(long && { long: { above, ...pricesOf(rates) } }) };
}

function pricesOf([input = 0, output = 0, cacheRead = input, cacheWrite = input]: number[]): Rates {
  return { input, output, cacheRead, cacheWrite };
}
