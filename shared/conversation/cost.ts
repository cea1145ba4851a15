import { grouped } from "../grouped.ts";
import type { Usage } from "./messages.ts";

/** Tokens of a request, read from the provider's cache or not. */
export const tokensOf = (usage: Usage): number =>
  usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;

/** What requests took: `312 tokens, $0.0004`. @param usd null: the price is not known */
export const costText = (tokens: number, usd: number | null): string =>
  `${grouped(tokens)} tokens, ${usd === null ? "cost not known" : `$${usd.toFixed(4)}`}`;
