import { expect, test } from "vitest";
import { modelName } from "../../../../shared/conversation/model-name.ts";

test.each([
  ["claude-opus-5-5", "Opus 5.5"],
  ["claude-haiku-4-5-20251001", "Haiku 4.5"],
  ["claude-sonnet-5", "Sonnet 5"],
  ["claude-opus-4-20250514", "Opus 4"],
  ["gpt-5-mini", "GPT-5 mini"],
  ["gpt-5", "GPT-5"],
  ["openai/gpt-6.1-sol", "GPT-6.1 Sol"],
  ["gpt-5.1-2025-11-13", "GPT-5.1"],
  ["gemini-3.8-flash", "Gemini 3.8 Flash"],
  ["gemini-3.1-pro-preview", "Gemini 3.1 Pro"],
  ["gemini-2.5-flash-lite", "Gemini 2.5 Flash Lite"],
  ["qwen3:14b", "qwen3:14b"],
  ["llama3 (Ollama)", "llama3 (Ollama)"],
  ["claude-mythos-preview", "claude-mythos-preview"],
])("%s is %s", (id, name) => expect(modelName(id)).toBe(name));
