/** How full the context of a conversation is, and what it has cost. Tokens and US dollars. */
export interface ContextFacts {
  usedTokens: number;
  /** By the provider's count of the last request; else by our estimate. */
  isCounted: boolean;
  /** Instructions and tools, messages before the latest prompt, that prompt and what came of it: together `usedTokens`. */
  baseTokens: number;
  earlierTokens: number;
  turnTokens: number;
  /** What the model takes; null: it has no limit. */
  windowTokens: number | null;
  /** From here on older messages give way to a summary; null: nothing makes room. */
  summarisedAtTokens: number | null;
  /** What of the last request came from the provider's cache, 0 to 1; null: nothing was counted. */
  cachedShare: number | null;
  /** All that its requests took so far, sub-agents and summaries included; null: the price of a model is not known. */
  usd: number | null;
}

/** The share of the window from which on the user is warned. */
export const warnShare = 0.8;

export const isNearlyFull = ({ usedTokens, windowTokens }: ContextFacts): boolean =>
  windowTokens !== null && usedTokens > warnShare * windowTokens;
