import { describe, expect, test } from "vitest";
import { Budget } from "../../../electron/agent/loop/budget.ts";
import type { Usage } from "../../../shared/conversation/messages.ts";

const usage = (more: Partial<Usage>): Usage => ({
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  ...more,
});
const fresh = () => new Budget([], () => undefined);
const price = { input: 10, output: 100, cacheRead: 1, cacheWrite: 20 };

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
    expect(budget.usedUsd).toBe(132);
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
});
