import { expect, test } from "vitest";
import { mayRepair, repairOffer } from "../../../../electron/agent/repair/may-repair.ts";
import { createProvider } from "../../../../electron/providers/create-provider.ts";
import { defaultSettings, type Settings } from "../../../../shared/settings.ts";
import { FakeClock } from "../../../fakes/clock.ts";

const provider = (env: Record<string, string>, settings: Partial<Settings> = {}) =>
  createProvider({ ...defaultSettings, ...settings }, { clock: new FakeClock(), newId: () => "id", env });
const cloud = { ANTHROPIC_API_KEY: "k" };
const here = { OPENAI_BASE_URL: "http://127.0.0.1:11434/v1" };

test.each<[choice: Settings["voice.repair"], env: Record<string, string>, model: string, may: boolean]>([
  ["auto", cloud, "sonnet", false],
  ["on", cloud, "sonnet", true],
  ["off", cloud, "sonnet", false],
  ["auto", here, "llama3.2", true],
  ["off", here, "llama3.2", false],
  // Ollama passes it on.
  ["auto", here, "gpt-oss:120b-cloud", false],
  ["on", here, "gpt-oss:120b-cloud", true],
  // A key opens something that nobody here knows, and so does another computer.
  ["auto", { ...here, OPENAI_API_KEY: "k" }, "llama3.2", false],
  ["auto", { OPENAI_BASE_URL: "https://192.168.1.5:11434/v1" }, "llama3.2", false],
  ["auto", { OPENAI_BASE_URL: "https://127.0.0.1.example.com/v1" }, "llama3.2", false],
  ["on", {}, "sonnet", false],
])("%s with %o and %s", (choice, env, model, may) => {
  const settings = { ...defaultSettings, "voice.repair": choice, model };
  expect(mayRepair(settings, provider(env, settings))).toBe(may);
});

test("what it would cost is told before: nothing here, not known where the price is not", () => {
  expect(repairOffer(defaultSettings, provider(cloud))).toEqual({
    isOn: false,
    model: "claude-haiku-5-5",
    usualUsd: 0.00007,
  });
  const local = { ...defaultSettings, model: "llama3.2" };
  expect(repairOffer(local, provider(here, local))).toEqual({ isOn: true, model: "llama3.2", usualUsd: 0 });
  const unknown = { ...local, "voice.repair": "on" } as const;
  const far = { OPENAI_BASE_URL: "https://models.example/v1" };
  expect(repairOffer(unknown, provider(far, unknown))).toEqual({
    isOn: true,
    model: "llama3.2",
    usualUsd: null,
  });
  expect(repairOffer(defaultSettings, provider({}))).toEqual({ isOn: false, model: null, usualUsd: null });
  expect(repairOffer(defaultSettings, null).model).toBeNull();
});
