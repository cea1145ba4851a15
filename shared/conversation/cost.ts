import { grouped } from "../grouped.ts";
import type { Usage } from "./messages.ts";

/** Tokens of a request, read from the provider's cache or not. */
export const tokensOf = (usage: Usage): number =>
  usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;

/** US dollars per million tokens. */
export interface Price {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** US dollars that a request took. */
export const usdOf = (usage: Usage, price: Price): number =>
  (usage.inputTokens * price.input +
    usage.outputTokens * price.output +
    usage.cacheReadTokens * price.cacheRead +
    usage.cacheWriteTokens * price.cacheWrite) /
  1_000_000;

/** What requests took: `312 tokens, $0.0004`. @param usd null: the price is not known */
export const costText = (tokens: number, usd: number | null): string =>
  `${grouped(tokens)} tokens, ${usd === null ? "cost not known" : dollars(usd)}`;

/** What rounds to nothing is not nothing. */
const dollars = (usd: number) => (usd > 0 && usd < 0.00005 ? "under $0.0001" : `$${usd.toFixed(4)}`);
