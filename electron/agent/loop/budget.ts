import { type Price, usdOf } from "../../../shared/conversation/cost.ts";
import type { AgentEventBody } from "../../../shared/conversation/events.ts";
import type { Message, Usage } from "../../../shared/conversation/messages.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { Provider } from "../ports/ports.ts";

type Limits = Pick<Settings, "maxSessionTokens" | "maxSessionUsd">;

/** A message, or a request that somebody else made for this conversation. */
export type Spent = Pick<Message, "usage" | "model">;

/** The share of a limit at which the user is warned. */
const warnAt = 0.8;

/**
 * What a conversation has used, its sub-agents and summaries included. Tokens are input and output. A cached read is
 * of tokens that were counted when they were first sent; only what this conversation never sent itself is added.
 */
export class Budget {
  #tokens = 0;
  #usd = 0;
  /** The limits that were warned of: others deserve a warning of their own. */
  #warned: Limits | null = null;
  #hasUnknownPrice = false;
  #saidUnknownPrice = false;

  /** @param before what was spent before, oldest first: a conversation goes on with what it has used */
  constructor(before: readonly Spent[], priceOf: (model: string) => Price | undefined) {
    for (const { usage, model } of before) if (usage && model) this.add(usage, priceOf(model));
  }

  get usedTokens(): number {
    return this.#tokens;
  }

  get usedUsd(): number {
    return this.#usd;
  }

  /** Whether the dollars leave something out. */
  get hasUnknownPrice(): boolean {
    return this.#hasUnknownPrice;
  }

  /** @param price undefined: not known, counts as nothing */
  add(usage: Usage, price: Price | undefined): void {
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
    const readForTheFirstTime = Math.max(0, cacheReadTokens - this.#tokens);
    this.#tokens += inputTokens + outputTokens + cacheWriteTokens + readForTheFirstTime;
    if (!price) {
      this.#hasUnknownPrice = true;
      return;
    }
    this.#usd += usdOf(usage, price);
  }

  isUsedUp({ maxSessionTokens, maxSessionUsd }: Limits): boolean {
    return reached(this.#tokens, maxSessionTokens) || reached(this.#usd, maxSessionUsd);
  }

  /** What the user should be told now; each only once. */
  news({ maxSessionTokens, maxSessionUsd }: Limits): AgentEventBody[] {
    const news: AgentEventBody[] = [];
    const near =
      reached(this.#tokens, maxSessionTokens * warnAt) || reached(this.#usd, maxSessionUsd * warnAt);
    const known =
      this.#warned?.maxSessionTokens === maxSessionTokens && this.#warned.maxSessionUsd === maxSessionUsd;
    if (near && !known) {
      this.#warned = { maxSessionTokens, maxSessionUsd };
      news.push({
        type: "budget.warning",
        usedTokens: this.#tokens,
        maxTokens: maxSessionTokens,
        usedUsd: this.#usd,
        maxUsd: maxSessionUsd,
      });
    }
    if (this.#hasUnknownPrice && maxSessionUsd > 0 && !this.#saidUnknownPrice) {
      this.#saidUnknownPrice = true;
      news.push({ type: "error", error: unknownPrice });
    }
    return news;
  }
}

/**
 * The price of the model that answered or, where that is not known, of the one that was asked: by the settings, under
 * a full id or the alias they use; else by the provider's table.
 */
export function priceOf(answered: string, settings: Settings, provider: Provider): Price | undefined {
  const asked = provider.resolveModel(settings.model);
  const { prices } = settings;
  return (
    prices[answered] ??
    prices[settings.model] ??
    prices[asked] ??
    provider.modelFacts(answered).price ??
    provider.modelFacts(asked).price
  );
}

/** A limit of 0 is none. */
const reached = (used: number, limit: number) => limit > 0 && used >= limit;

const unknownPrice = {
  code: "unknown_price",
  message: "The price of this model is not known, so its tokens don't count towards maxSessionUsd.",
  hint: "Add the model to `prices` in the settings, or limit maxSessionTokens instead.",
};
