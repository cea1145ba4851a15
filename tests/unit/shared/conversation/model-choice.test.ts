import { describe, expect, it, test } from "vitest";
import { namedModel, settingsFor } from "../../../../shared/conversation/model-choice.ts";
import { defaultSettings } from "../../../../shared/settings.ts";

describe("a model as it was chosen", () => {
  it.each([
    ["claude-opus-5-5", null, "claude-opus-5-5"],
    ["gemini:gemini-3.8-pro", "gemini", "gemini-3.8-pro"],
    // Names on this computer have colons of their own.
    ["qwen3:8b", null, "qwen3:8b"],
    ["local:qwen3:8b", "local", "qwen3:8b"],
    ["openai:", null, "openai:"],
    ["google/gemini:free", null, "google/gemini:free"],
  ])("%s is of %s: %s", (chosen, provider, model) => {
    expect(namedModel(chosen)).toEqual({ provider, model });
  });
});

test("the provider that a model is named with answers; else that of the settings", () => {
  const settings = { ...defaultSettings, provider: "anthropic" as const, model: "opus" };
  const of = (model: string | null) => settingsFor(settings, { model, effort: null });
  expect(of("gemini:flash")).toMatchObject({ provider: "gemini", model: "flash" });
  expect(of("haiku")).toMatchObject({ provider: "anthropic", model: "haiku" });
  expect(of(null)).toEqual(settings);
  for (const provider of ["local", "offline"] as const) {
    const here = { ...settings, provider };
    expect(settingsFor(here, { model: "gemini:flash", effort: null })).toEqual(here);
  }
});
