import { describe, expect, test } from "vitest";
import {
  createProvider,
  describeProvider,
  offeredServer,
} from "../../../electron/providers/create-provider.ts";
import { acceptsTemperature, modelFacts, resolveModel } from "../../../electron/providers/models.ts";
import { defaultSettings, type Settings } from "../../../shared/settings.ts";
import { InstantClock } from "../../fakes/clock.ts";

const ollama = { name: "Ollama", baseUrl: "http://127.0.0.1:11434/v1", models: ["llama3", "qwen3"] };

const make = (settings: Partial<Settings>, env: Record<string, string>) =>
  createProvider({ ...defaultSettings, ...settings }, { clock: new InstantClock(), newId: () => "id", env });

describe("createProvider", () => {
  test.each([
    [{}, {}, "offline"],
    [{}, { ANTHROPIC_API_KEY: "k" }, "anthropic"],
    [{}, { ANTHROPIC_AUTH_TOKEN: "t" }, "anthropic"],
    [{}, { ANTHROPIC_API_KEY: "  " }, "offline"],
    [{ provider: "offline" as const }, { ANTHROPIC_API_KEY: "k" }, "offline"],
    [{ provider: "anthropic" as const }, { ANTHROPIC_API_KEY: "k" }, "anthropic"],
  ])("settings %j with %j: %s", (settings, env, id) => {
    expect(make(settings, env).id).toBe(id);
    expect(describeProvider({ ...defaultSettings, ...settings }, env).provider).toBe(id);
  });

  test.each([
    [{}, { OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" }, "openai"],
    [{}, { GOOGLE_API_KEY: "k" }, "gemini"],
    [{}, { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" }, "anthropic"],
    [{}, { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" }, "openai"],
    [{ provider: "gemini" as const }, { OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" }, "gemini"],
    [{ openaiBaseUrl: "http://127.0.0.1:9/v1" }, {}, "openai"],
  ])("settings %j with %j: %s, before a local server", (settings, env, id) => {
    const whole = { ...defaultSettings, ...settings };
    const parts = { clock: new InstantClock(), newId: () => "id", env, localServer: () => ollama };
    expect(createProvider(whole, parts).id).toBe(id);
    expect(describeProvider(whole, env, () => ollama).provider).toBe(id);
  });

  test("with a key nobody looks for a local server", () => {
    const localServer = () => expect.unreachable("was asked");
    const env = { ANTHROPIC_API_KEY: "k" };
    const parts = { clock: new InstantClock(), newId: () => "id", env, localServer };
    expect(createProvider(defaultSettings, parts).id).toBe("anthropic");
    expect(describeProvider(defaultSettings, env, localServer).provider).toBe("anthropic");
  });

  test("without a key a local server that was agreed to is taken, with a model that it has, at no price", () => {
    const parts = { clock: new InstantClock(), newId: () => "id", env: {}, localServer: () => ollama };
    const agreed = { ...defaultSettings, localModelServers: ["Ollama at 127.0.0.1:11434"] };
    const provider = createProvider(agreed, parts);
    expect(provider.id).toBe("local");
    expect(provider.resolveModel("opus")).toBe("llama3");
    expect(provider.resolveModel("qwen3")).toBe("qwen3");
    expect(provider.modelFacts("opus").price).toMatchObject({ input: 0, output: 0 });
    expect(describeProvider(agreed, {}, () => ollama)).toMatchObject({
      provider: "local",
      modelLabel: "llama3 (Ollama)",
      takesImages: true,
    });
  });

  test.each([[[]], [["Ollama at 127.0.0.1:1234"]], [["LM Studio at 127.0.0.1:11434"]]])(
    "one that was not agreed to, by its name at its address, gets nothing: agreed are %j",
    (localModelServers: string[]) => {
      const parts = { clock: new InstantClock(), newId: () => "id", env: {}, localServer: () => ollama };
      const settings = { ...defaultSettings, localModelServers };
      expect(createProvider(settings, parts).id).toBe("offline");
      expect(describeProvider(settings, {}, () => ollama).provider).toBe("offline");
    },
  );

  test("`local` takes the server that was agreed to before any key, and nothing else in its place", () => {
    const env = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" };
    const settings = { ...defaultSettings, provider: "local" as const };
    const agreed = { ...settings, localModelServers: ["Ollama at 127.0.0.1:11434"] };
    const parts = { clock: new InstantClock(), newId: () => "id", env, localServer: () => ollama };
    expect(createProvider(agreed, parts).id).toBe("local");
    expect(describeProvider(agreed, env, () => ollama)).toMatchObject({
      provider: "local",
      modelId: "llama3",
    });
    for (const [chosen, server] of [
      [agreed, null],
      [settings, ollama],
    ] as const) {
      expect(() => createProvider(chosen, { ...parts, localServer: () => server })).toThrow(
        expect.objectContaining({ code: "network", hint: expect.stringContaining("ollama serve") }),
      );
      expect(describeProvider(chosen, env, () => server)).toMatchObject({
        provider: "local",
        modelLabel: "No model server",
        modelId: null,
      });
    }
    expect(offeredServer(settings, env, () => ollama)).toBe(ollama);
  });

  test("an address that the user set needs no other yes", () => {
    const parts = { clock: new InstantClock(), newId: () => "id", env: {}, localServer: () => ollama };
    expect(createProvider({ ...defaultSettings, openaiBaseUrl: ollama.baseUrl }, parts).id).toBe("local");
  });

  test.each([
    [{ OPENAI_BASE_URL: "https://api.groq.com/openai/v1" }, "openai/gpt-oss-120b", 0.15],
    [{ OPENAI_BASE_URL: "https://openrouter.ai/api/v1" }, "openai/gpt-oss-120b", 0.039],
    [{ OPENAI_BASE_URL: "https://gateway.example/v1" }, "gpt-5", undefined],
    [{ OPENAI_BASE_URL: "http://127.0.0.1:9/v1" }, "gpt-5", undefined],
    [{}, "gpt-5", 1.25],
  ])("at %j %s has the price of that server", (env, model, input) => {
    const keys = { OPENAI_API_KEY: "k", ...env };
    expect(make({}, keys).modelFacts(model).price?.input).toBe(input);
    const { pricedBy } = describeProvider(defaultSettings, keys);
    expect(modelFacts(model, defaultSettings, pricedBy).price?.input).toBe(input);
  });

  test.each([
    ["anthropic" as const, "ANTHROPIC_API_KEY", ""],
    ["openai" as const, "OPENAI_API_KEY", " For a server that needs no key, set `openaiBaseUrl`."],
    ["gemini" as const, "GEMINI_API_KEY", ""],
  ])("%s without a key is an error that names %s, even with a local server", (provider, variable, more) => {
    const parts = { clock: new InstantClock(), newId: () => "id", env: {}, localServer: () => ollama };
    expect(() => createProvider({ ...defaultSettings, provider }, parts)).toThrow(
      expect.objectContaining({
        code: "no_key",
        keyVariable: variable,
        hint: `Type /key set ${provider} to add one, or choose another model.${more}`,
      }),
    );
  });

  // Bug: “No model is configured”, though there was a key.
  test.each([
    [{}, [], "no_key", "No model is configured"],
    [{ provider: "offline" as const }, ["ANTHROPIC_API_KEY"], "chosen", "`provider` is offline"],
    [{}, ["GEMINI_API_KEY"], "locked", "The key of your model cannot be opened"],
    [{}, ["OTHER_KEY"], "no_key", "No model is configured"],
  ])("the offline assistant says why it answers: %j, locked %j: %s", async (settings, locked, why, said) => {
    const whole = { ...defaultSettings, ...settings };
    expect(describeProvider(whole, {}, () => null, {}, undefined, locked).whyOffline).toBe(why);
    const parts = { clock: new InstantClock(), newId: () => "id", env: {}, locked };
    const { content } = await createProvider(whole, parts).complete(
      { messages: [{ role: "user", content: [{ type: "text", text: "Write a poem" }] }], tools: [] } as never,
      new AbortController().signal,
    );
    expect(JSON.stringify(content)).toContain(said);
  });

  test("a chosen provider whose key is locked says that, and not that there is none", () => {
    const settings = { ...defaultSettings, provider: "gemini" as const };
    const parts = { clock: new InstantClock(), newId: () => "id", env: {}, locked: ["GEMINI_API_KEY"] };
    const message = expect.stringContaining("The key for Gemini cannot be opened");
    expect(() => createProvider(settings, parts)).toThrow(
      expect.objectContaining({ code: "no_key", message, keyVariable: "GEMINI_API_KEY" }),
    );
    const { modelLabel } = describeProvider(settings, {}, () => null, {}, undefined, parts.locked);
    expect(modelLabel).toBe("Locked key for Gemini");
  });

  test("each provider offers the editing tool that its models know", () => {
    const names = (env: Record<string, string>) => make({}, env).profile.toolNames;
    expect(names({ ANTHROPIC_API_KEY: "k" })).toContain("edit_file");
    expect(names({ OPENAI_API_KEY: "k" })).toContain("apply_patch");
    expect(names({ OPENAI_API_KEY: "k" })).not.toContain("edit_file");
    expect(names({ GEMINI_API_KEY: "k" })).toContain("read_many_files");
    expect(names({})).toContain("calculate");
  });

  test("a base URL that is none is said in words", () => {
    expect(() => make({}, { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "localhost" })).toThrow(
      "not a web address",
    );
  });

  test.each([
    ["ANTHROPIC_BASE_URL", { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "http://proxy.example/" }],
    ["OPENAI_BASE_URL", { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://192.168.1.9:11434/v1" }],
    ["GEMINI_BASE_URL", { GEMINI_API_KEY: "k", GEMINI_BASE_URL: "http://127.0.0.1.example/" }],
  ])("%s that is neither https nor on this computer is refused", (name, env) => {
    expect(() => make({}, env)).toThrow(
      expect.objectContaining({
        code: "invalid_request",
        hint: expect.stringContaining(name),
        message: expect.stringContaining("not encrypted"),
      }),
    );
    expect(describeProvider(defaultSettings, env).modelLabel).toBe("Address is broken");
  });

  test("an address of the settings is held to the same rule", () => {
    const settings = { anthropicBaseUrl: "http://proxy.example" };
    expect(() => make(settings, { ANTHROPIC_API_KEY: "k" })).toThrow("not encrypted");
    expect(make({ anthropicBaseUrl: "http://[::1]:9" }, { ANTHROPIC_API_KEY: "k" }).id).toBe("anthropic");
  });

  test("a key that a folder brings is never sent to an address that the user set", () => {
    const clock = new InstantClock();
    const choose = (settings: Partial<Settings>, env: Record<string, string>) => {
      const folderKeys = { ANTHROPIC_API_KEY: "of-the-folder" };
      return createProvider(
        { ...defaultSettings, ...settings },
        { clock, newId: () => "id", env, folderKeys },
      );
    };
    expect(choose({}, {}).id).toBe("anthropic");
    for (const [settings, env] of [
      [{}, { ANTHROPIC_BASE_URL: "https://gateway.example" }],
      [{ anthropicBaseUrl: "https://gateway.example" }, {}],
    ] as const) {
      expect(() => choose(settings, env)).toThrow(
        expect.objectContaining({
          code: "no_key",
          hint: expect.stringMatching(/^Type \/key set anthropic .* is not sent to an address/),
        }),
      );
      const keyAddresses = ["ANTHROPIC_API_KEY of the environment to https://gateway.example"];
      const mine = { ...env, ANTHROPIC_API_KEY: "mine" };
      expect(choose({ ...settings, keyAddresses }, mine).id).toBe("anthropic");
    }
  });

  test("the header names the host where prompts do not go to the provider's own", () => {
    const host = (settings: Partial<Settings>, env: Record<string, string>) =>
      describeProvider({ ...defaultSettings, ...settings }, env).modelHost;
    expect(host({}, { ANTHROPIC_API_KEY: "k" })).toBeUndefined();
    expect(host({}, { OPENAI_API_KEY: "k" })).toBeUndefined();
    expect(host({}, { GEMINI_API_KEY: "k", GEMINI_BASE_URL: "https://gate.example/v1" })).toBe(
      "gate.example",
    );
    expect(
      host({}, { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "https://api.anthropic.com.evil.example/" }),
    ).toBe("api.anthropic.com.evil.example");
    expect(host({ anthropicBaseUrl: "https://me@127.0.0.1:81/" }, { ANTHROPIC_API_KEY: "k" })).toBe(
      "127.0.0.1:81",
    );
  });

  test("the header says which model answers, or that none does", () => {
    expect(describeProvider(defaultSettings, { ANTHROPIC_API_KEY: "k" }).modelLabel).toBe("claude-opus-5-5");
    expect(describeProvider(defaultSettings, {}).modelLabel).toBe("Offline assistant");
  });
});

describe("models", () => {
  const facts = (id: string, settings: Partial<Settings> = {}) =>
    modelFacts(id, { ...defaultSettings, ...settings }, "anthropic");

  test("aliases in any case, for each provider its own; a full id stays", () => {
    expect(resolveModel("Haiku", "anthropic")).toBe("claude-haiku-5-5");
    expect(resolveModel("opus", "gemini")).toMatch(/^gemini-/);
    expect(resolveModel("opus", "openai")).toMatch(/^gpt-/);
    expect(resolveModel("claude-opus-5-5", "anthropic")).toBe("claude-opus-5-5");
  });

  test.each([
    ["claude-opus-4-6", true, 128_000],
    ["claude-opus-5-5", false, 128_000],
    ["claude-opus-4-7", false, 128_000],
    ["claude-opus-4-20250514", true, 32_000],
    ["claude-sonnet-4-5-20250929", true, 64_000],
    ["claude-sonnet-4-6", true, 128_000],
    ["claude-sonnet-5", false, 128_000],
    ["claude-haiku-4-5-20251001", true, 64_000],
    ["gpt-5-mini", false, 128_000],
    ["openai/gpt-4o-mini", true, 16_384],
    ["gemini-2.5-pro", true, 65_536],
    ["something-new", false, Number.POSITIVE_INFINITY],
  ])("%s: temperature %s, at most %i tokens", (model, temperature, tokens) => {
    expect(acceptsTemperature(model, false)).toBe(temperature);
    expect(facts(model).maxOutputTokens).toBe(tokens);
  });

  test("a model that nobody knows has 32,000 tokens of context, unless its server says more, and no price", () => {
    expect(facts("something-new")).toMatchObject({ contextWindow: 32_000, price: undefined });
    expect(modelFacts("something-new", { prices: {} }, undefined, 64_000).contextWindow).toBe(64_000);
    expect(
      modelFacts("something-new", { contextWindow: 9000, prices: {} }, undefined, 64_000).contextWindow,
    ).toBe(9000);
  });

  test("the user's window and prices go before the table's, and add to it", () => {
    const prices = { "claude-opus-4-6": { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 } };
    expect(facts("claude-opus-4-6").price).toEqual({
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite: 6.25,
    });
    expect(facts("claude-opus-4-6", { prices }).price).toMatchObject({ input: 1, output: 2 });
    expect(facts("new", { prices: { new: prices["claude-opus-4-6"] } }).price).toMatchObject({ output: 2 });
    expect(facts("claude-opus-4-6", { contextWindow: 5000 }).contextWindow).toBe(5000);
  });
});
