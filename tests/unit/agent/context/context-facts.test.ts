import { expect, test } from "vitest";
import { Context } from "../../../../electron/agent/context/context.ts";
import { contextFacts } from "../../../../electron/agent/context/context-facts.ts";
import { isNearlyFull } from "../../../../shared/conversation/context-facts.ts";
import { defaultSettings, type Settings } from "../../../../shared/settings.ts";
import { message, text } from "./messages.ts";

const counted = (inputTokens: number, cacheReadTokens: number) =>
  new Context([
    message("user", [text("Hello")]),
    message("assistant", [text("Hello.")], {
      usage: { inputTokens, outputTokens: 10, cacheReadTokens, cacheWriteTokens: 0 },
    }),
  ]);
const factsOf = (context: Context, settings: Partial<Settings> = {}) =>
  contextFacts({ context, settings: { ...defaultSettings, ...settings }, provider: null, usd: 0.5 });

test("the cached share is that of the last request; the tick is where the first of both limits lies", () => {
  expect(factsOf(counted(10, 90), { contextWindow: 50_000 })).toMatchObject({
    usedTokens: 110,
    cachedShare: 0.9,
    windowTokens: 50_000,
    summarisedAtTokens: 40_000,
    usd: 0.5,
  });
  expect(factsOf(counted(10, 90), { contextWindow: 500_000 })?.summarisedAtTokens).toBe(80_000);
});

test("where nothing makes room there is no tick, and the warning comes at 80 % all the same", () => {
  const settings = { compactionStrategy: "none", contextWindow: 1000 } as const;
  const [below, above] = [factsOf(counted(700, 0), settings), factsOf(counted(800, 0), settings)];
  expect(above?.summarisedAtTokens).toBeNull();
  expect(below && isNearlyFull(below)).toBe(false);
  expect(above && isNearlyFull(above)).toBe(true);
});

test("there is nothing to tell before the first reply, and where nobody counts and nothing is limited", () => {
  expect(factsOf(new Context([message("user", [text("Hello")])]), { contextWindow: 1000 })).toBeNull();
  expect(factsOf(counted(0, 0))).toBeNull();
});
