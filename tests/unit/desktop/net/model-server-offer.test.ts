import { beforeEach, expect, test } from "vitest";
import { ModelServerOffers } from "../../../../electron/desktop/net/model-server-offer.ts";
import { describeProvider } from "../../../../electron/providers/create-provider.ts";
import type { LocalServer } from "../../../../electron/providers/local-server.ts";
import { defaultSettings, type Settings } from "../../../../shared/settings.ts";

let settings: Settings;
let env: Record<string, string>;
let server: LocalServer | null;
let changes: number;
beforeEach(() => {
  settings = defaultSettings;
  env = {};
  server = { name: "Ollama", baseUrl: "http://127.0.0.1:11434/v1", models: ["llama3"] };
  changes = 0;
});

const make = () =>
  new ModelServerOffers({
    settings: () => settings,
    changeSettings: (values) => {
      settings = { ...settings, ...values };
    },
    environment: () => env,
    localServer: () => server,
    onChange: () => changes++,
  });
const id = "Ollama at 127.0.0.1:11434";

test("one that was found is offered, with some of what it has; what it calls that is shown in full", () => {
  const models = ["a\u202Eb", "x".repeat(500), "c", "d", "e", "f", "g"];
  server = { name: "Ollama", baseUrl: "http://127.0.0.1:11434/v1", models };
  expect(make().current()).toEqual({ id, models: ["a⟨U+202E⟩b", "x".repeat(60), "c"], more: 4 });
});

test.each<[string, Partial<Settings>, Record<string, string>]>([
  ["a key is there", {}, { ANTHROPIC_API_KEY: "k" }],
  ["an address is set", { openaiBaseUrl: "http://127.0.0.1:9/v1" }, {}],
  ["a provider was chosen", { provider: "offline" }, {}],
  ["it was agreed to", { localModelServers: [id] }, {}],
])("none is offered where %s", (_, changed, variables) => {
  settings = { ...settings, ...changed };
  env = variables;
  expect(make().current()).toBeNull();
});

test("a yes is kept, for this name at this address", () => {
  const offers = make();
  offers.answer(id, true);
  expect(settings.localModelServers).toEqual([id]);
  expect([offers.current(), changes]).toEqual([null, 1]);
  server = { name: "LM Studio", baseUrl: "http://127.0.0.1:1234/v1", models: ["llama3"] };
  expect(offers.current()?.id).toBe("LM Studio at 127.0.0.1:1234");
});

// Bug: with a key the settings showed “In use” beside the server, and every prompt went on to the cloud.
test.each<[string, Partial<Settings>, Record<string, string>]>([
  ["a key is there", {}, { ANTHROPIC_API_KEY: "k" }],
  ["an address is set", { openaiBaseUrl: "http://127.0.0.1:9/v1" }, {}],
  ["another provider was chosen", { provider: "offline" }, {}],
  ["it was agreed to before", { localModelServers: [id] }, { GEMINI_API_KEY: "k" }],
])("a yes has it answer, also where %s", (_, changed, variables) => {
  settings = { ...settings, ...changed };
  env = variables;
  make().answer(id, true);
  expect(describeProvider(settings, env, () => server)).toMatchObject({
    provider: "local",
    modelId: "llama3",
  });
  expect(settings.localModelServers).toEqual([id]);
});

test("a yes to one that is gone is none to another", () => {
  const offers = make();
  server = { name: "Other", baseUrl: "http://127.0.0.1:11434/v1", models: ["llama3"] };
  expect(() => offers.answer(id, true)).toThrow("no longer there");
  server = null;
  expect(() => offers.answer(id, true)).toThrow("no longer there");
  expect(settings).toEqual(defaultSettings);
});

test("a no lasts as long as the program", () => {
  const offers = make();
  offers.answer(id, false);
  expect([offers.current(), changes, settings.localModelServers]).toEqual([null, 1, []]);
  expect(make().current()?.id).toBe(id);
});

test("only what is offered can be agreed to", () => {
  const offers = make();
  expect(() => offers.answer("Evil at 127.0.0.1:1", true)).toThrow("no longer there");
  server = null;
  expect(() => offers.answer(id, true)).toThrow("no longer there");
  expect(settings.localModelServers).toEqual([]);
});
