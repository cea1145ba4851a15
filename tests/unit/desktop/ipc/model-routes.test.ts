import { describe, expect, test } from "vitest";
import { modelRoutes } from "../../../../electron/desktop/ipc/model-routes.ts";
import { describeProvider } from "../../../../electron/providers/create-provider.ts";
import { defaultSettings, type Settings } from "../../../../shared/settings.ts";

const claude = { ANTHROPIC_API_KEY: "k" };
const gpt = { OPENAI_API_KEY: "k" };

function otherIn(env: Record<string, string>, given: Partial<Settings>, model: string | null = null) {
  const settings = { ...defaultSettings, ...given };
  const routes = modelRoutes({
    find: () => ({ modelChoice: { model, effort: null }, chooseModel: () => undefined }),
    settings: () => settings,
    changeSettings: () => undefined,
    describe: (one) => describeProvider(one, env),
    list: async () => null,
    aliases: () => [],
    prices: () => () => null,
    store: { recentModels: () => [] },
  });
  return routes["model.state"]({ conversationId: "c" }).other;
}

describe("who else can answer", () => {
  test("is nobody where there is one key", () => {
    expect(otherIn(claude, {})).toBeUndefined();
  });

  test("is the first of another provider that there is a key for", () => {
    expect(otherIn({ ...claude, ...gpt }, {})).toEqual({ id: "openai:gpt-5", name: "GPT-5" });
    expect(otherIn(gpt, { provider: "anthropic" })).toMatchObject({ id: "openai:gpt-5" });
  });

  test("is the settings' own model where the conversation chose another provider", () => {
    const other = otherIn(claude, { model: "claude-haiku-4-5" }, "openai:gpt-5");
    expect(other).toEqual({ id: "claude-haiku-4-5", name: "Haiku 4.5" });
  });

  test("is nobody at an address whose models are not known, or where nothing may leave this computer", () => {
    const gateway = { ...gpt, OPENAI_BASE_URL: "https://gateway.example/v1" };
    expect(otherIn({ ...claude, ...gateway }, {})).toBeUndefined();
    expect(otherIn({ ...claude, ...gpt }, { provider: "local" })).toBeUndefined();
  });
});
