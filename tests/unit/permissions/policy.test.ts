import { expect, test } from "vitest";
import { z } from "zod";
import type { ExecutionEnvironment, Tool, ToolContext } from "../../../electron/agent/ports.ts";
import { askBeforeChanges } from "../../../electron/permissions/policy.ts";
import type { ToolEffect } from "../../../shared/events.ts";
import type { SpeechSource } from "../../../shared/messages.ts";
import { defaultSettings } from "../../../shared/settings.ts";

const tool = (effect: ToolEffect, describe?: Tool["describe"]): Tool => ({
  name: "tried",
  description: "Tried out here.",
  input: z.unknown(),
  effect,
  ...(describe && { describe }),
  async run() {
    throw new Error("A decision runs nothing.");
  },
});

const unused = () => {
  throw new Error("A decision looks at the tool, its input and the source, at nothing else.");
};
const heardFrom = (source: SpeechSource | null): ToolContext => ({
  conversationId: "c",
  toolUseId: "toolu_1",
  source,
  settings: defaultSettings,
  get environment(): ExecutionEnvironment {
    return unused();
  },
  signal: new AbortController().signal,
  progress: unused,
  ask: unused,
  subagents: { spawn: unused, sendInput: unused, wait: unused, close: unused },
  fullOutput: unused,
});

const verdicts: [ToolEffect, SpeechSource | null, "allow" | "ask" | "deny"][] = [
  ["read", null, "allow"],
  ["app", null, "allow"],
  ["write", null, "ask"],
  ["execute", null, "ask"],
  ["network", null, "ask"],
  ["read", "microphone", "allow"],
  ["app", "microphone", "allow"],
  ["write", "microphone", "ask"],
  ["execute", "microphone", "ask"],
  ["network", "microphone", "ask"],
  ["read", "file", "allow"],
  ["app", "file", "allow"],
  ["write", "file", "ask"],
  ["execute", "file", "ask"],
  ["network", "file", "ask"],
  ["read", "loopback", "allow"],
  ["app", "loopback", "deny"],
  ["write", "loopback", "deny"],
  ["execute", "loopback", "deny"],
  ["network", "loopback", "deny"],
];

test.each(verdicts)("a tool that does %s for a prompt from %s: %s", (effect, source, verdict) => {
  const decision = askBeforeChanges.decide({ tool: tool(effect), input: {}, context: heardFrom(source) });
  expect(decision.verdict).toBe(verdict);
});

test("the card says what the tool says about the call", () => {
  const described = tool("execute", (input) => `$ ${z.object({ command: z.string() }).parse(input).command}`);
  const input = { command: "rm -r build" };
  expect(askBeforeChanges.decide({ tool: described, input, context: heardFrom(null) })).toEqual({
    verdict: "ask",
    detail: "$ rm -r build",
  });
});

test("the card shows the whole input of a tool that says nothing about it", () => {
  const input = { path: "a.txt", content: "one\ntwo" };
  expect(askBeforeChanges.decide({ tool: tool("write"), input, context: heardFrom(null) })).toEqual({
    verdict: "ask",
    detail: '{\n  "path": "a.txt",\n  "content": "one\\ntwo"\n}',
  });
});

test("a refusal says why, for the model to pass on", () => {
  const decision = askBeforeChanges.decide({
    tool: tool("write"),
    input: {},
    context: heardFrom("loopback"),
  });
  expect(decision).toEqual({
    verdict: "deny",
    reason: expect.stringContaining("heard from the computer's sound"),
  });
});
