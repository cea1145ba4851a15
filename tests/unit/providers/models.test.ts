import { readFileSync } from "node:fs";
import { join } from "node:path";
import { calcPrice, findProvider, type ModelInfo } from "@pydantic/genai-prices";
import { describe, expect, test, vi } from "vitest";
import catalogue from "../../../electron/providers/model-catalogue.json" with { type: "json" };
import {
  aliasesOf,
  isKnownModel,
  type ModelFamily,
  modelFacts,
  newer,
  servedAt,
} from "../../../electron/providers/models.ts";
import { modelTable } from "../../../scripts/model-table.mjs";
import { usdOf } from "../../../shared/conversation/cost.ts";

const facts = (id: string, server?: string) => modelFacts(id, { prices: {} }, server);

/** Window, then input, output, cache reads and cache writes. */
function told(id: string, server?: string) {
  const { contextWindow, price } = facts(id, server);
  return [contextWindow, ...(price ? [price.input, price.output, price.cacheRead, price.cacheWrite] : [])];
}

test.each<[server: string | undefined, id: string, told: number[]]>([
  ["openai", "o3-pro", [200_000, 20, 80, 20, 20]],
  ["openai", "o3", [200_000, 2, 8, 0.5, 2]],
  ["openai", "o1-pro", [200_000, 150, 600, 150, 150]],
  ["openai", "gpt-5.2-pro", [400_000, 21, 168, 21, 21]],
  ["openai", "gpt-4o-2024-05-13", [128_000, 5, 15, 5, 5]],
  ["openai", "gpt-4o-2024-11-20", [128_000, 2.5, 10, 1.25, 2.5]],
  ["openai", "openai/GPT-5-mini-2025-08-07", [400_000, 0.25, 2, 0.025, 0.25]],
  ["openai", "gpt-6.1-sol-2026-09-29", [1_050_000, 2, 10, 0.1, 2.5]],
  // Another model than gpt-5, of which the catalogue does not know the price.
  ["openai", "gpt-5-tomorrow", [400_000]],
  ["anthropic", "claude-sonnet-4-6", [1_000_000, 3, 15, 0.3, 3.75]],
  ["anthropic", "claude-opus-4-6", [1_000_000, 5, 25, 0.5, 6.25]],
  ["anthropic", "claude-sonnet-4-5-20250929", [200_000, 3, 15, 0.3, 3.75]],
  ["anthropic", "claude-sonnet-5-5", [1_000_000, 2, 10, 0.1, 2.5]],
  ["anthropic", "claude-mythos-5-1", [1_000_000, 10, 50, 0.25, 12.5]],
  ["anthropic", "claude-opus-9", [200_000]],
  ["google", "models/gemini-3.1-pro-preview", [1_048_576, 2, 12, 0.2, 2]],
  ["google", "something-new", [32_000]],
  // Who serves a model sets its price.
  ["groq", "llama-3.3-70b-versatile", [32_000, 0.59, 0.79, 0.59, 0.59]],
  ["openrouter", "meta-llama/llama-3.3-70b-instruct", [32_000, 0.05, 0.24, 0.05, 0.05]],
  ["openrouter", "openai/gpt-5", [400_000, 1.25, 10, 0.125, 1.25]],
  ["openrouter", "deepseek/deepseek-r1:free", [32_000, 0, 0, 0, 0]],
  [undefined, "openai/gpt-5", [400_000]],
  [undefined, "gpt-oss-20b", [32_000]],
  // The conversation asked another provider before.
  ["google", "claude-opus-4-6", [1_000_000, 5, 25, 0.5, 6.25]],
  ["groq", "gpt-5", [400_000, 1.25, 10, 0.125, 1.25]],
])("at %s %s has %j", (server, id, expected) => {
  expect(told(id, server)).toEqual(expected);
});

test("every alias has a window and a price", () => {
  const servers: Record<ModelFamily, string> = { anthropic: "anthropic", openai: "openai", gemini: "google" };
  for (const family of ["anthropic", "openai", "gemini"] as const) {
    for (const { id } of aliasesOf(family)) {
      expect([id, facts(id, servers[family]).price]).toEqual([id, expect.objectContaining({})]);
      expect(facts(id, servers[family]).contextWindow).toBeGreaterThanOrEqual(400_000);
    }
  }
});

test.each([
  ["https://api.openai.com/v1", "openai"],
  ["https://api.groq.com/openai/v1", "groq"],
  ["https://openrouter.ai/api/v1", "openrouter"],
  ["https://generativelanguage.googleapis.com/v1beta/openai", "google"],
  ["https://gateway.example/https://api.openai.com/v1", undefined],
  ["http://127.0.0.1:11434/v1", undefined],
])("%s is %s", (address, server) => {
  expect(servedAt(address)).toBe(server);
});

test("a window is known of the makers' models anywhere, of others where their server is known", () => {
  expect(isKnownModel("openai/gpt-5", undefined)).toBe(true);
  expect(isKnownModel("deepseek-v3.2", "deepseek")).toBe(true);
  expect(isKnownModel("deepseek-v3.2", undefined)).toBe(false);
});

test("a prompt that is longer than a price is for costs the other one, all of it", () => {
  const { price } = facts("claude-haiku-5-5", "anthropic");
  if (!price) return expect.unreachable("It has no price.");
  const usage = {
    inputTokens: 40_000,
    outputTokens: 1000,
    cacheReadTokens: 50_000,
    cacheWriteTokens: 10_000,
  };
  expect(usdOf(usage, price)).toBeCloseTo(0.00625, 10);
  expect(usdOf({ ...usage, inputTokens: 40_001 }, price)).toBeCloseTo(0.0312505, 10);
});

test("a price that is to change does so on its day", () => {
  vi.useFakeTimers({ now: new Date("2026-12-31T23:59:59Z") });
  try {
    expect(told("gemini-3.8-flash", "google")).toEqual([1_000_000, 0.75, 3.75, 0.075, 0.75]);
    vi.setSystemTime(new Date("2027-01-01T00:00:00Z"));
    expect(told("gemini-3.8-flash", "google")).toEqual([1_000_000, 1.5, 7.5, 0.15, 1.5]);
  } finally {
    vi.useRealTimers();
  }
});

describe("the checked-in catalogue", () => {
  // `npm run model-table` writes it anew.
  test("is made from the one that is installed", () => {
    const file = join(import.meta.dirname, "../../../electron/providers/model-catalogue.json");
    expect(readFileSync(file, "utf8")).toBe(modelTable());
  });

  test.each(Object.entries(newer))("does not have what is written by hand of %s", (server, rows) => {
    const kept = Object.entries(catalogue.servers).find(([name]) => name === server)?.[1].models ?? [];
    for (const { ids, ...own } of rows) {
      const id = ids.replace(/^\^|\(.*$|\\/g, "");
      const row = kept.find((one) => new RegExp(one.ids).test(id));
      expect(row).not.toMatchObject(own);
    }
  });

  /** Ids that a model goes by. */
  const idsIn = (match: ModelInfo["match"]): string[] =>
    Object.values(match).flatMap((value: string | ModelInfo["match"][]) =>
      typeof value === "string" ? [value] : value.flatMap(idsIn),
    );
  // At an hour when those prices that depend on it are at their highest.
  const timestamp = new Date("2026-09-23T02:00:00Z");
  const usages = [1000, 400_000].map((tokens) => ({
    ...{ inputTokens: tokens, cacheReadTokens: 2000, cacheWriteTokens: 3000, outputTokens: 500 },
  }));

  test.each(Object.entries(catalogue.servers))("at %s tells what it tells itself", (server, { models }) => {
    vi.useFakeTimers({ now: timestamp });
    const its: readonly ModelInfo[] = findProvider({ providerId: server })?.models ?? [];
    const ours = models.map(({ ids }) => new RegExp(ids));
    const wrong: unknown[] = [];
    for (const id of its.flatMap(({ match }) => idsIn(match)).flatMap((one) => [one, `${one}-2`])) {
      const name = id.toLowerCase().trim();
      const { price } = facts(name, server);
      for (const usage of price?.long ? usages : usages.slice(0, 1)) {
        const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = usage;
        const found = calcPrice(
          {
            input_tokens: inputTokens + cacheReadTokens + cacheWriteTokens,
            ...{ cache_read_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens },
            output_tokens: outputTokens,
          },
          id,
          { providerId: server, timestamp },
        );
        const row = ours.findIndex((regex) => regex.test(name));
        if (row !== (found ? its.indexOf(found.model) : -1)) wrong.push([id, row, found?.model.id]);
        if (price && found && Math.abs(usdOf(usage, price) - found.total_price) > 1e-9)
          wrong.push([id, price, found.model_price]);
        const { input_mtok, output_mtok, requests_kcount } = found?.model_price ?? {};
        if (!price && input_mtok !== undefined && output_mtok !== undefined && !requests_kcount)
          wrong.push([id, "has no price"]);
      }
    }
    vi.useRealTimers();
    expect(its.length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });
});
