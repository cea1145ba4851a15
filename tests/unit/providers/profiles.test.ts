import { describe, expect, test } from "vitest";
import { createProvider } from "../../../electron/providers/create-provider.ts";
import {
  anthropicProfile,
  geminiProfile,
  localProfile,
  openaiProfile,
} from "../../../electron/providers/profiles.ts";
import { builtInTools } from "../../../electron/tools/registry.ts";
import { defaultSettings, type Settings } from "../../../shared/settings.ts";
import { InstantClock } from "../../fakes/clock.ts";
import { pageThread } from "../../fixtures/page-thread.ts";

const profiles = { anthropicProfile, openaiProfile, geminiProfile, localProfile };
const clock = new InstantClock();
const tools = builtInTools({
  clock,
  pageThread,
  actions: { newSession: async () => {}, stopListening: async () => false },
}).map(({ name }) => name);

describe.each(Object.entries(profiles))("%s", (_, { notes, toolNames }) => {
  test("is a layer of its own, about the tools that its models get", () => {
    const rules = notes.split("\n").filter((line) => line.startsWith("- "));
    expect(rules.length).toBeGreaterThanOrEqual(7);
    const named = tools.filter((name) => new RegExp(`\\b${name}\\b`).test(notes));
    // "wait" is a word of its own.
    expect(named.filter((name) => !toolNames.includes(name) && name !== "wait")).toEqual([]);
    const editor = toolNames.includes("apply_patch") ? "apply_patch" : "edit_file";
    for (const tool of [editor, "write_file"]) expect(named).toContain(tool);
  });

  test("says how to call tools at once, when to ask, and how long an answer is", () => {
    expect(notes).toMatch(/in one reply/);
    expect(notes).toMatch(/\bask\b/i);
    expect(notes).toMatch(/short|few/);
  });

  test("names only tools that exist", () => {
    expect(toolNames.filter((name) => !tools.includes(name))).toEqual([]);
  });
});

test("no two layers share a rule", () => {
  const rules = Object.values(profiles).flatMap(({ notes }) =>
    notes.split("\n").filter((line) => line.startsWith("- ")),
  );
  expect(new Set(rules).size).toBe(rules.length);
});

describe("the layer of a model", () => {
  const profileOf = (settings: Partial<Settings>, env: Record<string, string>) =>
    createProvider({ ...defaultSettings, ...settings }, { clock, newId: () => "id", env }).profile;
  const openrouter = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://models.example/v1" };

  test.each([
    [{}, { ANTHROPIC_API_KEY: "k" }, anthropicProfile],
    [{}, { OPENAI_API_KEY: "k" }, openaiProfile],
    [{}, { GEMINI_API_KEY: "k" }, geminiProfile],
    [{ model: "openai/gpt-5.1" }, openrouter, openaiProfile],
    [{ model: "o3" }, openrouter, openaiProfile],
    [{ model: "qwen/qwen3-coder" }, openrouter, localProfile],
    [{ model: "gpt-oss:20b" }, openrouter, localProfile],
  ])("%j with %j", (settings, env, profile) => {
    expect(profileOf(settings, env)).toBe(profile);
  });
});
