import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { Conversations } from "../../electron/agent/conversation/conversations.ts";
import { systemClock } from "../../electron/agent/conversation/system-clock.ts";
import type { Tool } from "../../electron/agent/ports/ports.ts";
import { createProvider } from "../../electron/providers/create-provider.ts";
import { openSqliteStore } from "../../electron/store/sqlite-store.ts";
import { openLocalEnvironment } from "../../electron/tools/environment/local-environment.ts";
import type { AgentEvent } from "../../shared/conversation/events.ts";
import type { Message } from "../../shared/conversation/messages.ts";
import { defaultSettings, type Settings } from "../../shared/settings.ts";
import { ulids } from "../../shared/ulids.ts";
import { earlierText, type LoopFigures, type LoopOrder } from "./loop-order.ts";

const input = z.object({ text: z.string() });
/** Returns its input. */
const echo: Tool<z.infer<typeof input>> = {
  name: "echo",
  description: "Returns its input.",
  input,
  effect: "execute",
  everyProfile: true,
  run: async (given) => ({ text: JSON.stringify(given) }),
};

/** Limits out of the way: every request carries the whole history. */
const settings: Settings = {
  ...defaultSettings,
  provider: "anthropic",
  maxConversationMessages: 0,
  compactionStrategy: "none",
  loopDetection: "off",
};

/**
 * One conversation through Parley's own parts: the loop, the Anthropic provider, the database on a temporary file.
 * @param onEvent gets every event as it happens
 * @throws Error when its run does not end by itself
 */
export async function runConversation(
  { baseUrl, history }: LoopOrder,
  tool: Tool = echo,
  onEvent: (event: AgentEvent) => void = () => {},
): Promise<LoopFigures> {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const store = openSqliteStore(join(folder, "parley.db"), fail);
  const conversationId = "bench";
  const now = Date.now();
  store.saveConversation({
    id: conversationId,
    title: "Benchmark",
    workingFolder: folder,
    model: settings.model,
    createdAt: now,
    updatedAt: now,
  });
  for (let place = 0; place < history; place++)
    store.appendMessage(conversationId, earlierMessage(place, now));

  const newId = ulids();
  const environment = await openLocalEnvironment(folder);
  const stepMs: number[] = [];
  let deltas = 0;
  let stepAt = 0;
  let end = (_outcome: string) => {};
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  const conversations = new Conversations({
    clock: systemClock,
    newId,
    settings: () => settings,
    createProvider: (current) =>
      createProvider(current, {
        clock: systemClock,
        newId,
        env: { ANTHROPIC_API_KEY: "bench", ANTHROPIC_BASE_URL: baseUrl },
      }),
    tools: () => [tool],
    workingFolder: () => folder,
    openEnvironment: async () => environment,
    checkpoints: null,
    rewinding: null,
    permissions: { decide: () => ({ verdict: "allow" }) },
    fence: () => null,
    store,
    onEvent: (event) => {
      if (event.type === "text.delta") deltas++;
      // A step ends where the next request begins.
      if (event.type === "model.requested" && event.round > 1) {
        stepMs.push(performance.now() - stepAt);
        stepAt = performance.now();
      }
      if (event.type === "run.ended") end(event.error?.message ?? event.stopReason);
      onEvent(event);
    },
    reportError: fail,
  });
  try {
    const conversation = conversations.open(conversationId);
    const startedAt = performance.now();
    stepAt = startedAt;
    conversation.submit({
      text: "Use echo until you are done.",
      origin: "typed",
      source: null,
    });
    // As the app does: it is told of the events, and reads no stream of them.
    const outcome = await ended;
    const wallMs = performance.now() - startedAt;
    if (outcome !== "end_turn") throw new Error(`The conversation ended otherwise: ${outcome}`);
    return { wallMs, steps: stepMs.length, stepMs, deltas };
  } finally {
    await conversations.dispose();
    store.close();
    rmSync(folder, { recursive: true });
  }
}

function earlierMessage(place: number, now: number): Message {
  const isPrompt = place % 2 === 0;
  return {
    id: `earlier-${place}`,
    role: isPrompt ? "user" : "assistant",
    origin: isPrompt ? "typed" : null,
    source: null,
    content: [{ type: "text", text: earlierText(place) }],
    createdAt: now,
  };
}

function fail(error: unknown): never {
  throw error;
}
