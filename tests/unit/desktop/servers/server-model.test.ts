import { expect, it } from "vitest";
import { createServerModel } from "../../../../electron/desktop/servers/server-model.ts";
import { createProvider } from "../../../../electron/providers/create-provider.ts";
import { defaultSettings, type Settings } from "../../../../shared/settings.ts";
import { InstantClock } from "../../../fakes/clock.ts";

const price = { input: 2, output: 10, cacheRead: 0, cacheWrite: 0 };

function costOf(settings: Partial<Settings>, maxTokens: number): Promise<string> {
  const parts = { clock: new InstantClock(), newId: () => "id", env: { ANTHROPIC_API_KEY: "k" } };
  const model = createServerModel({
    settings: () => ({ ...defaultSettings, ...settings }),
    newProvider: (current) => createProvider(current, parts),
  });
  const content = [{ type: "text" as const, text: "x".repeat(4000) }];
  return model.costOf({ system: "y".repeat(400), messages: [{ role: "user", content }], maxTokens });
}

it.each<[Partial<Settings>, number, string]>([
  [{ prices: { m: price } }, 50, "50 back. That costs you less than $0.01"],
  [{ prices: { m: price } }, 2000, "2,000 back. That costs you at most about $0.02"],
  [{ prices: { m: { ...price, input: 0, output: 0 } } }, 50, "50 back. That costs you nothing"],
  [{}, 50, "50 back. That costs you what its maker takes: the price is not known here"],
])(
  "what a server asks of the model has a cost in words: %j, at most %i: %s",
  async (settings, most, words) => {
    const cost = await costOf({ model: "m", ...settings }, most);
    expect(cost).toBe(`m is asked: about 1,100 tokens sent, at most ${words}.`);
  },
);

it("a server's wish for more than the model gives costs no more than the model gives", async () => {
  const words = await costOf({ model: "haiku" }, 10_000_000);
  expect(words).toMatch(/^claude-haiku\S+ is asked: about 1,100 tokens sent, at most 128,000 back/);
});
