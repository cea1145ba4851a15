import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ModelStreamEvent, Tool } from "../../../electron/agent/ports/ports.ts";
import { textOf } from "../../../shared/conversation/messages.ts";
import { streaming } from "../../fakes/streaming-provider.ts";
import { conversationForEachTest, eventsOf, ofType, replyIn, typed } from "./agent-rig.ts";

const setUp = conversationForEachTest();
const usage = (input: number) => ({ input, cacheRead: 0, cacheWrite: 0 });
const noUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const script = (name: string, args: object = {}) =>
  typed(`Please [[script:${name} ${JSON.stringify(args)}]]`);
const clockCalls = [{ name: "current_time", input: {} }];
let count = 0;
const counter: Tool = {
  name: "counter",
  description: "Counts.",
  input: z.object({}),
  effect: "read",
  run: async () => ({ text: `item ${++count}` }),
};

describe("loop detection", () => {
  test("warns the model once at the third identical round and stops at the fifth, the results stored", async () => {
    const { conversation, server } = await setUp();
    const events = await eventsOf(conversation.submit(script("loop", { rounds: 50, calls: clockCalls })));
    expect(ofType(events, "loop.detected")).toMatchObject([
      { action: "warn", count: 3, pattern: ["current_time {}"] },
      { action: "stop", count: 5 },
    ]);
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("loop_detected");
    expect(server.requests).toHaveLength(5);
    const warnings = conversation.history.filter(({ origin }) => origin === "system");
    expect(warnings.map(({ content }) => textOf(content))).toMatchObject([
      expect.stringMatching(/^\[LOOP DETECTED\]/),
    ]);
    expect(conversation.history.at(-1)?.origin).toBe("tool");
    expect(replyIn(await eventsOf(conversation.submit(typed("Next"))))).toBe("Next");
  });

  test("takes the same call with another result for progress, until the tenth", async () => {
    const { conversation } = await setUp({ tools: [counter] });
    const calls = [{ name: "counter", input: {} }];
    const events = await eventsOf(conversation.submit(script("loop", { rounds: 12, calls })));
    expect(ofType(events, "loop.detected")).toMatchObject([{ action: "warn", count: 10 }]);
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("end_turn");
  });

  test("ends a run whose calls are the same again and again, though each brings something else", async () => {
    const { conversation } = await setUp({ tools: [counter] });
    const calls = [{ name: "counter", input: {} }];
    const events = await eventsOf(conversation.submit(script("loop", { rounds: 30, calls })));
    expect(ofType(events, "loop.detected").map(({ action, count }) => [action, count])).toEqual([
      ["warn", 10],
      ["stop", 20],
    ]);
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("loop_detected");
  });

  test("ends a run whose replies are each crowded with one call", async () => {
    const { conversation, server } = await setUp({ tools: [counter] });
    const calls = Array.from({ length: 5 }, () => ({ name: "counter", input: {} }));
    const events = await eventsOf(conversation.submit(script("loop", { rounds: 9, calls })));
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("loop_detected");
    expect(server.requests).toHaveLength(3);
  });

  test("only warns where it is set to warn, and is silent where it is off", async () => {
    const { conversation, rig } = await setUp({ settings: { loopDetection: "warn" } });
    const events = await eventsOf(conversation.submit(script("loop", { rounds: 7, calls: clockCalls })));
    expect(ofType(events, "loop.detected").map(({ action, count }) => [action, count])).toEqual([
      ["warn", 3],
      ["warn", 6],
    ]);
    expect(replyIn(events)).toMatch(/^Done after/);
    rig.settings = { ...rig.settings, loopDetection: "off" };
    const again = await eventsOf(conversation.submit(script("loop", { rounds: 7, calls: clockCalls })));
    expect(ofType(again, "loop.detected")).toEqual([]);
  });
});

describe("limits of rounds", () => {
  test("maxToolRoundsPerInput: the round in hand finishes, then max_turns; the next prompt has its own", async () => {
    const { conversation, server } = await setUp({ settings: { maxToolRoundsPerInput: 2 } });
    for (const requests of [2, 4]) {
      const events = await eventsOf(conversation.submit(script("loop", { rounds: 9, calls: clockCalls })));
      expect(ofType(events, "run.ended")[0]?.stopReason).toBe("max_turns");
      expect(ofType(events, "tool.ended")).toHaveLength(2);
      expect(server.requests).toHaveLength(requests);
      expect(conversation.history.at(-1)?.origin).toBe("tool");
    }
  });

  test("maxTurns counts the replies of the whole conversation", async () => {
    const { conversation, server } = await setUp({ settings: { maxTurns: 3 } });
    await eventsOf(conversation.submit(typed("One")));
    await eventsOf(conversation.submit(typed("Two")));
    const third = await eventsOf(conversation.submit(script("loop", { rounds: 9, calls: clockCalls })));
    expect(ofType(third, "run.ended")[0]?.stopReason).toBe("max_turns");
    const fourth = await eventsOf(conversation.submit(typed("Four")));
    expect(ofType(fourth, "run.ended")[0]?.stopReason).toBe("max_turns");
    expect(server.requests).toHaveLength(3);
  });

  test.each(["max_tokens", "cut_call"])(
    "a %s reply is continued maxContinuations times, then max_tokens",
    async (name) => {
      const { conversation, server } = await setUp({ settings: { maxContinuations: 2 } });
      const events = await eventsOf(conversation.submit(script(name)));
      expect(server.requests).toHaveLength(3);
      expect(ofType(events, "run.ended")[0]?.stopReason).toBe("max_tokens");
      expect(ofType(events, "tool.started")).toEqual([]);
      expect(conversation.history.map(({ origin }) => origin)).toEqual([
        "typed",
        null,
        "system",
        null,
        "system",
        null,
      ]);
      expect(replyIn(await eventsOf(conversation.submit(typed("And now?"))))).toBe("And now?");
    },
  );

  test("how often a reply may be continued is counted anew after its tools ran", async () => {
    const cut = [{ type: "text" as const, text: "Half" }];
    const asked = [{ type: "tool_use" as const, id: "call-1", name: "counter", input: {} }];
    const whole = [{ type: "text" as const, text: "Whole." }];
    const replies = [cut, asked, cut, whole].map((content) => ({ content }));
    async function* stream(): AsyncGenerator<ModelStreamEvent> {
      const content = replies.shift()?.content ?? [];
      const stopReason = content === cut ? "max_tokens" : content === asked ? "tool_use" : "end_turn";
      yield { type: "message", message: { content, stopReason, usage: noUsage, model: "scripted" } };
    }
    const { conversation } = await setUp({
      settings: { maxContinuations: 1 },
      tools: [counter],
      provider: (real) => streaming(real, stream),
    });
    const events = await eventsOf(conversation.submit(typed("Write at length")));
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("end_turn");
    expect(replyIn(events)).toBe("Whole.");
  });
});

describe("the budget", () => {
  test("warns once at 80 %, then stops with stubs for the calls that wait; the history stays valid", async () => {
    const settings = { maxSessionTokens: 1000 };
    const { conversation, server, rig } = await setUp({ settings });
    const calls = [...clockCalls, ...clockCalls];
    // 412 tokens a reply: over 80 % with the second, over the limit with the third.
    const events = await eventsOf(
      conversation.submit(script("loop", { rounds: 9, calls, usage: usage(400) })),
    );
    expect(ofType(events, "budget.warning")).toMatchObject([{ usedTokens: 824, maxTokens: 1000 }]);
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("budget_exceeded");
    expect(server.requests).toHaveLength(3);
    expect(ofType(events, "tool.started")).toHaveLength(4);
    const stubs = conversation.history.at(-1)?.content;
    expect(stubs).toHaveLength(2);
    expect(stubs).toMatchObject([
      { is_error: true, content: expect.stringContaining("budget") },
      { is_error: true },
    ]);

    const refused = await eventsOf(conversation.submit(typed("More")));
    expect(ofType(refused, "run.ended")[0]?.stopReason).toBe("budget_exceeded");
    rig.settings = { ...rig.settings, maxSessionTokens: 0 };
    expect(replyIn(await eventsOf(conversation.submit(typed("And now?"))))).toBe("And now?");
  });

  test("in dollars says once that a price is not known", async () => {
    const { conversation } = await setUp({ settings: { maxSessionUsd: 1, model: "a-model-of-tomorrow" } });
    const events = await eventsOf(conversation.submit(script("text", { usage: usage(900) })));
    expect(ofType(events, "error").map(({ error }) => error.code)).toEqual(["unknown_price"]);
    expect(ofType(await eventsOf(conversation.submit(script("text"))), "error")).toEqual([]);
  });

  test.each(["opus", "claude-opus-5-5", "claude-scripted"])(
    "in dollars goes by the price that the settings give %s",
    async (name) => {
      const prices = { [name]: { input: 1000, output: 0, cacheRead: 0, cacheWrite: 0 } };
      const { conversation } = await setUp({ settings: { maxSessionUsd: 1, prices } });
      const events = await eventsOf(conversation.submit(script("text", { usage: usage(900) })));
      expect(ofType(events, "budget.warning")).toMatchObject([{ usedUsd: 0.9, maxUsd: 1 }]);
    },
  );

  test("in dollars counts what was spent before it was opened again", async () => {
    const prices = { "claude-scripted": { input: 1000, output: 0, cacheRead: 0, cacheWrite: 0 } };
    const { conversation, rig } = await setUp({ settings: { maxSessionUsd: 1, prices } });
    const events = await eventsOf(conversation.submit(script("text", { usage: usage(1000) })));
    expect(ofType(events, "budget.warning")).toMatchObject([{ usedUsd: 1, maxUsd: 1 }]);
    await rig.conversations.dispose();
    const again = rig.conversations.open(conversation.id);
    const refused = await eventsOf(again.submit(typed("More")));
    expect(ofType(refused, "run.ended")[0]?.stopReason).toBe("budget_exceeded");
    expect(rig.server.requests).toHaveLength(1);
  });
});
