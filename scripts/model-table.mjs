import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProvider } from "@pydantic/genai-prices";
import { root } from "./setup/run.mjs";

// npm run model-table: writes electron/providers/model-catalogue.json from the catalogue of prices that is installed.
const source = "@pydantic/genai-prices";
/** The day its version was published: prices are those of that day. Change it with the version in package.json. */
const published = "2026-09-23";
const servers = [
  ...["anthropic", "openai", "google", "mistral", "deepseek", "groq", "x-ai", "openrouter"],
  ...["together", "fireworks", "cerebras", "moonshotai", "zai", "minimax"],
];

/** The file, one model a line. */
export function modelTable() {
  const { version } = JSON.parse(readFileSync(join(root, "node_modules", source, "package.json"), "utf8"));
  const tables = servers.map((id) => {
    const { api_pattern: at, models } = findProvider({ providerId: id });
    const rows = models.map((model) => JSON.stringify(rowOf(model))).join(",\n");
    return `${JSON.stringify(id)}: {\n"at": ${JSON.stringify(at)},\n"models": [\n${rows}\n]}`;
  });
  const about = `Made by npm run model-table from ${source} ${version} of ${published}.`;
  const licence = "MIT, Copyright (c) Pydantic Services Inc. 2025 to present";
  return `{\n"about": ${JSON.stringify(about)},\n"licence": ${JSON.stringify(licence)},\n"servers": {\n${tables.join(",\n")}\n}}\n`;
}

/** Models without a price for text stay in it: what comes first counts, and they may come before others. */
function rowOf({ id, match, context_window: window, prices }) {
  const list = Array.isArray(prices) ? prices : [{ prices }];
  const starts = ({ constraint }) => (constraint?.type === "start_date" ? constraint.start_date : "");
  // Where the price depends on the hour, the last is the dearest.
  const { prices: now } = list.findLast((one) => starts(one) <= published);
  const later = list.find((one) => starts(one) > published);
  return {
    ids: patternOf(match),
    window,
    ...(id.endsWith(":free") ? { price: [0, 0] } : ratesOf(now)),
    ...(later && { later: { from: starts(later), ...ratesOf(later.prices) } }),
  };
}

/** A regular expression for ids in lower case. */
function patternOf(match) {
  const [[kind, value]] = Object.entries(match);
  const literal = () => value.toLowerCase().replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  switch (kind) {
    case "or":
      return value.map(patternOf).join("|");
    case "and":
      return `^${value.map((one) => `(?=[^]*?(?:${patternOf(one)}))`).join("")}`;
    case "equals":
      return `^${literal()}$`;
    case "starts_with":
      return `^${literal()}`;
    case "ends_with":
      return `${literal()}$`;
    case "contains":
      return literal();
    case "regex":
      return value;
    default:
      throw new Error(`Unknown kind of match: ${kind}`);
  }
}

const kinds = ["input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok"];

/** Of input, output, cache reads and cache writes; what is missing at the end costs as much as input. */
function ratesOf(prices) {
  const isOfTokens = prices.input_mtok !== undefined && prices.output_mtok !== undefined;
  if (!isOfTokens || prices.requests_kcount !== undefined) return {};
  const given = kinds.map((kind) => prices[kind] ?? prices.input_mtok);
  const tiers = given.flatMap((price) => price.tiers ?? []);
  const above = tiers[0]?.start;
  if (tiers.some(({ start }) => start !== above)) throw new Error("A price has more than two tiers.");
  return {
    price: short(given.map((price) => price.base ?? price)),
    ...(tiers.length > 0 && {
      long: [above, ...short(given.map((price) => price.tiers?.[0].price ?? price))],
    }),
  };
}

const short = (rates) => rates.slice(0, rates.findLastIndex((rate) => rate !== rates[0]) + 1 || 2);

if (process.argv[1] === import.meta.filename) {
  writeFileSync(join(root, "electron/providers/model-catalogue.json"), modelTable());
}
