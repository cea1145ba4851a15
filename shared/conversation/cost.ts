import { grouped } from "../grouped.ts";
import type { Usage } from "./messages.ts";

/** Tokens of a request, read from the provider's cache or not. */
export const tokensOf = (usage: Usage): number =>
  usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;

/** US dollars per million tokens. */
export interface Rates {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

export interface Price extends Rates {
  /** What all tokens of a request cost whose prompt is longer; absent: the same. */
  long?: Rates & { above: number };
}

/** US dollars that a request took. */
export function usdOf(usage: Usage, price: Price): number {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const prompt = inputTokens + cacheReadTokens + cacheWriteTokens;
  const rates = price.long && prompt > price.long.above ? price.long : price;
  const input = inputTokens * rates.input + cacheReadTokens * rates.cacheRead;
  return (input + cacheWriteTokens * rates.cacheWrite + outputTokens * rates.output) / 1_000_000;
}

/** What requests took: `312 tokens, $0.0004`. @param usd null: the price is not known */
export const costText = (tokens: number, usd: number | null): string =>
  `${grouped(tokens)} tokens, ${usd === null ? "cost not known" : dollars(usd)}`;

/** What rounds to nothing is not nothing. */
const dollars = (usd: number) => (usd > 0 && usd < 0.00005 ? "under $0.0001" : `$${usd.toFixed(4)}`);
