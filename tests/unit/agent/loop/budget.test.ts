import { describe, expect, test } from "vitest";
import { Budget, priceOf } from "../../../../electron/agent/loop/budget.ts";
import type { Provider } from "../../../../electron/agent/ports/ports.ts";
import type { Usage } from "../../../../shared/conversation/messages.ts";
import { defaultSettings } from "../../../../shared/settings.ts";

const usage = (more: Partial<Usage>): Usage => ({
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  ...more,
});
const fresh = () => new Budget([], () => undefined);
const price = { input: 10, output: 100, cacheRead: 2, cacheWrite: 20 };

describe("the budget", () => {
  test("counts input and output, and a cached token once: when it is first sent", () => {
    const budget = fresh();
    budget.add(usage({ inputTokens: 100, cacheWriteTokens: 900, outputTokens: 50 }), undefined);
    expect(budget.usedTokens).toBe(1050);
    budget.add(usage({ inputTokens: 10, cacheReadTokens: 1000, outputTokens: 5 }), undefined);
    expect(budget.usedTokens).toBe(1065);
  });

  test("counts what somebody else's request put into the cache as sent here", () => {
    const budget = fresh();
    budget.add(usage({ cacheReadTokens: 800, inputTokens: 1 }), undefined);
    expect(budget.usedTokens).toBe(801);
  });

  test("costs each kind of token its own price, cached reads every time", () => {
    const budget = fresh();
    const all = { inputTokens: 1e6, outputTokens: 1e6, cacheReadTokens: 1e6, cacheWriteTokens: 1e6 };
    budget.add(all, price);
    budget.add(usage({ cacheReadTokens: 1e6 }), price);
    expect(budget.usedUsd).toBe(134);
  });

  test("warns at 80 % once for a limit, and again when the limit is another", () => {
    const budget = fresh();
    const warned = (maxSessionTokens: number) => budget.news({ maxSessionTokens, maxSessionUsd: 0 }).length;
    budget.add(usage({ inputTokens: 79 }), price);
    expect(warned(100)).toBe(0);
    budget.add(usage({ inputTokens: 1 }), price);
    expect([warned(100), warned(100), warned(1000), warned(90)]).toEqual([1, 0, 0, 1]);
    expect(budget.isUsedUp({ maxSessionTokens: 80, maxSessionUsd: 0 })).toBe(true);
    expect(budget.isUsedUp({ maxSessionTokens: 81, maxSessionUsd: 0 })).toBe(false);
    expect(budget.isUsedUp({ maxSessionTokens: 0, maxSessionUsd: 0 })).toBe(false);
  });

  test("is used up by dollars as well, and warns of them", () => {
    const budget = fresh();
    const limits = { maxSessionTokens: 0, maxSessionUsd: 10 };
    budget.add(usage({ inputTokens: 790_000 }), price);
    expect(budget.news(limits)).toEqual([]);
    budget.add(usage({ inputTokens: 10_000 }), price);
    const warning = { usedTokens: 800_000, maxTokens: 0, usedUsd: 8, maxUsd: 10 };
    expect(budget.news(limits)).toEqual([{ type: "budget.warning", ...warning }]);
    expect(budget.news(limits)).toEqual([]);
    expect(budget.isUsedUp(limits)).toBe(false);
    // Another limit of dollars has a warning of its own.
    expect(budget.news({ ...limits, maxSessionUsd: 9 })).toHaveLength(1);
    budget.add(usage({ inputTokens: 200_000 }), price);
    expect(budget.isUsedUp(limits)).toBe(true);
  });

  test("says once that a price is not known, and only where dollars are limited", () => {
    const budget = fresh();
    const said = (maxSessionUsd: number) =>
      budget
        .news({ maxSessionTokens: 0, maxSessionUsd })
        .map((event) => event.type === "error" && event.error.code);
    expect([budget.hasUnknownPrice, said(5)]).toEqual([false, []]);
    budget.add(usage({ inputTokens: 10 }), undefined);
    expect([budget.hasUnknownPrice, budget.usedTokens, budget.usedUsd]).toEqual([true, 10, 0]);
    expect([said(0), said(5), said(5)]).toEqual([[], ["unknown_price"], []]);
  });

  test("goes on with what was spent before, at the price of the model that answered", () => {
    const spent = (model: string, more: Partial<Usage>) => ({ model, usage: usage(more) });
    const asked: string[] = [];
    const budget = new Budget(
      [spent("a", { inputTokens: 1e6 }), { model: "b" }, { usage: usage({ inputTokens: 5 }) }],
      (model) => {
        asked.push(model);
        return price;
      },
    );
    expect([budget.usedTokens, budget.usedUsd, asked]).toEqual([1e6, 10, ["a"]]);
  });
});

describe("the price of a reply", () => {
  const at = (input: number) => ({ ...price, input });
  const facts: Record<string, ReturnType<typeof at>> = {};
  const provider = {
    resolveModel: (alias: string) => `full-${alias}`,
    modelFacts: (model: string) => ({ price: facts[model] }),
  } as unknown as Provider;
  const inputPrice = (prices: Record<string, ReturnType<typeof at>>, known: typeof facts = {}) => {
    for (const model of Object.keys(facts)) delete facts[model];
    Object.assign(facts, known);
    return priceOf("answered", { ...defaultSettings, model: "alias", prices }, provider)?.input;
  };

  test("is what the settings say of the model that answered, of the alias, of the model that was asked; then the provider's", () => {
    const known = { answered: at(4), "full-alias": at(5) };
    const said = { answered: at(1), alias: at(2), "full-alias": at(3) };
    expect(inputPrice(said, known)).toBe(1);
    expect(inputPrice({ alias: at(2), "full-alias": at(3) }, known)).toBe(2);
    expect(inputPrice({ "full-alias": at(3) }, known)).toBe(3);
    expect(inputPrice({}, known)).toBe(4);
    expect(inputPrice({}, { "full-alias": at(5) })).toBe(5);
    expect(inputPrice({})).toBeUndefined();
  });
});
