import type { ContextFacts } from "../../../shared/conversation/context-facts.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { Provider } from "../ports/ports.ts";
import type { Context } from "./context.ts";

export interface ContextFactsOptions {
  context: Context;
  /** What counts for this conversation. */
  settings: Settings;
  /** Who would answer; null: nobody can be had now, as without a key. */
  provider: Provider | null;
  usd: number | null;
}

/** @returns null where there is nothing to tell: no reply yet, or nobody who counts */
export function contextFacts({ context, settings, provider, usd }: ContextFactsOptions): ContextFacts | null {
  const { lastUsage, ...figures } = context.figures;
  const windowTokens = settings.contextWindow ?? windowOf(settings, provider);
  if (!context.history.some(({ role }) => role === "assistant")) return null;
  if (lastUsage === null && windowTokens === null) return null;
  const { compactionStrategy, compactionThresholdTokens, compactionRatio } = settings;
  const limits = [compactionThresholdTokens, compactionRatio * (windowTokens ?? Number.POSITIVE_INFINITY)];
  const sent = lastUsage && lastUsage.inputTokens + lastUsage.cacheReadTokens + lastUsage.cacheWriteTokens;
  return {
    ...figures,
    windowTokens,
    summarisedAtTokens: compactionStrategy === "none" ? null : Math.round(Math.min(...limits)),
    cachedShare: lastUsage && sent ? lastUsage.cacheReadTokens / sent : null,
    usd,
  };
}

/** Who has no limit says so with the largest number there is. */
function windowOf(settings: Settings, provider: Provider | null): number | null {
  if (!provider) return null;
  const { contextWindow } = provider.modelFacts(provider.resolveModel(settings.model));
  return contextWindow < Number.MAX_SAFE_INTEGER ? contextWindow : null;
}
