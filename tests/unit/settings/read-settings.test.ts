import { expect, test } from "vitest";
import { readSettings } from "../../../electron/settings/read-settings.ts";
import { defaultSettings } from "../../../shared/settings.ts";

test("an empty file gives the documented defaults", () => {
  expect(readSettings({})).toEqual({ settings: defaultSettings, problems: [] });
  expect(defaultSettings).toMatchObject({
    provider: "auto",
    model: "opus",
    maxTokens: 8192,
    temperature: 1,
    retryMax: 5,
    retryBaseMs: 1000,
    retryCapMs: 60_000,
    requestTimeoutMs: 600_000,
    streamIdleMs: 60_000,
    maxParallelTools: 8,
    maxToolResultChars: 40_000,
    workingFolder: "~/Parley",
    "voice.source": "microphone",
    "voice.endpointingMs": 500,
    "voice.utteranceEndMs": 1000,
    "voice.maxUtteranceMs": 30_000,
    "voice.minConfidence": 0.3,
  });
});

test("a wrong value costs its own default only, and is named with its rule", () => {
  const { settings, problems } = readSettings({
    maxTokens: -3,
    model: "haiku",
    "voice.endpointingMs": "soon",
  });
  expect(settings).toMatchObject({ maxTokens: 8192, model: "haiku", "voice.endpointingMs": 500 });
  expect(problems.map((problem) => problem.message)).toEqual([
    expect.stringMatching(/“maxTokens” is -3: .*>=1/),
    expect.stringMatching(/“voice.endpointingMs” is "soon": .*number/),
  ]);
});

test("an unknown provider is answered with those there are", () => {
  const [problem] = readSettings({ provider: "skynet" }).problems;
  for (const name of ["auto", "anthropic", "offline"]) expect(problem?.message).toContain(name);
});

test("a misspelt key is named instead of ignored in silence", () => {
  expect(readSettings({ modle: "opus" }).problems[0]?.message).toBe("There is no setting “modle”.");
});

test("what a run holds cannot change under it", () => {
  expect(Object.isFrozen(readSettings({}).settings)).toBe(true);
});
