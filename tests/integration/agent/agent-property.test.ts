import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Tool } from "../../../electron/agent/ports/ports.ts";
import { createRig, eventsOf, nextEvent, type Rig, typed } from "./agent-rig.ts";

/** What the tool does next: answers, fails, or waits for an abort. */
const echo: Tool = {
  name: "echo",
  description: "Echoes.",
  input: z.looseObject({ say: z.string() }),
  effect: "read",
  async run(input) {
    const { say } = z.looseObject({ say: z.string() }).parse(input);
    if (say.startsWith("!")) throw new Error(say);
    return { text: say };
  },
};

const calls = fc.array(
  fc.oneof(
    fc.record({ name: fc.constant("echo"), input: fc.record({ say: fc.string({ maxLength: 300 }) }) }),
    fc.constant({ name: "echo", input: { wrong: 1 } }),
    fc.constant({ name: "echo", input: { say: "!it broke" } }),
    fc.constant({ name: "missing", input: {} }),
    fc.constant({ name: "calculate", input: { expression: "2 + 2" } }),
  ),
  { minLength: 1, maxLength: 3 },
);
const usage = fc.oneof(
  fc.constant(undefined),
  fc.integer({ min: 0, max: 1200 }).map((input) => ({ input, cacheRead: 0, cacheWrite: 0 })),
);
const script = fc.oneof(
  fc.record({
    name: fc.constant("text"),
    args: fc.record({ words: fc.integer({ min: 1, max: 60 }), usage }),
  }),
  fc.record({ name: fc.constant("tools"), args: fc.record({ calls, usage }) }),
  fc.record({
    name: fc.constant("loop"),
    args: fc.record({ rounds: fc.integer({ min: 1, max: 4 }), calls, usage }),
  }),
  fc.record({ name: fc.constant("thinking"), args: fc.record({ calls }) }),
  fc.record({ name: fc.constantFrom("max_tokens", "refusal", "empty", "cut_call"), args: fc.constant({}) }),
  fc.record({ name: fc.constant("status"), args: fc.record({ code: fc.constantFrom(400, 401, 500, 529) }) }),
  fc.record({ name: fc.constantFrom("cut", "overloaded"), args: fc.constant({}) }),
);
const step = fc.record({
  script,
  /** The event after which the run is interrupted. */
  abortAt: fc.option(
    fc.constantFrom("run.started", "model.requested", "text.delta", "tool.started", "tool.ended"),
  ),
  steer: fc.option(fc.constantFrom("Left", "Right")),
  summaryFails: fc.boolean(),
  reopen: fc.boolean(),
});
const limits = fc.record({
  maxConversationMessages: fc.constantFrom(0, 2, 5, 12),
  compactionStrategy: fc.constantFrom("none" as const, "summarize" as const),
  protectedTailMessages: fc.integer({ min: 1, max: 6 }),
  contextWindow: fc.constantFrom(1000, 2000),
  maxToolResultChars: fc.constantFrom(0, 60, 200),
  maxToolRoundsPerInput: fc.constantFrom(2, 6),
  maxContinuations: fc.integer({ min: 0, max: 2 }),
  loopWarnAt: fc.constantFrom(2, 3),
  retryMax: fc.constantFrom(0, 2),
  maxSessionTokens: fc.constantFrom(0, 3000),
});

test("any conversation, with aborts, steering, faults, trims, compactions and restarts, sends only valid requests", async () => {
  await fc.assert(
    fc.asyncProperty(limits, fc.array(step, { minLength: 1, maxLength: 8 }), async (settings, steps) => {
      const rig: Rig = await createRig({
        settings: { ...settings, compactionThresholdTokens: 1000 },
        tools: [echo],
      });
      try {
        let conversation = rig.conversations.create();
        for (const { script, abortAt, steer, summaryFails, reopen } of steps) {
          rig.server.answerSummaries(summaryFails ? { status: 400 } : { text: "In short." });
          const end = conversation.subscribe((event) => {
            if (event.type === abortAt) conversation.abort();
            if (event.type === "model.requested" && steer) conversation.steer({ text: steer, source: null });
            if (event.type === "tool.ended" || event.type === "message.added") end();
          });
          await eventsOf(
            conversation.submit(
              typed(`${"Words. ".repeat(20)}[[script:${script.name} ${JSON.stringify(script.args)}]]`),
            ),
          );
          end();
          // Nothing hangs, and what was asked is answered: in the store as in the window.
          expect(conversation.view().activity).toBeNull();
          expect(rig.store.loadMessages(conversation.id)).toEqual(conversation.history);
          if (reopen) {
            await rig.conversations.dispose();
            conversation = rig.conversations.open(conversation.id);
          }
        }
        expect(rig.server.violations).toEqual([]);
      } finally {
        await rig.close();
      }
    }),
    { numRuns: 40 },
  );
});

test("two prompts at once and an abort between them leave a valid history", async () => {
  const rig = await createRig({ tools: [echo] });
  const conversation = rig.conversations.create();
  const first = conversation.submit(typed('[[script:text {"hold":"gate"}]]'));
  const second = conversation.submit(typed("second"));
  await nextEvent(conversation, ({ type }) => type === "model.requested");
  conversation.abort();
  await Promise.all([eventsOf(first), eventsOf(second)]);
  await rig.close();
});
