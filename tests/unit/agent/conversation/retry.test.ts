import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  noRetry,
  type RetryState,
  type RetryStep,
  stepRetry,
} from "../../../../electron/agent/conversation/retry.ts";
import type { QueuedInput } from "../../../../shared/conversation/events.ts";

const input = (inputId: string): QueuedInput => ({ inputId, text: "Hi", origin: "typed", source: null });
const waiting = (inputId: string, isInHistory: boolean) => ({ input: input(inputId), isInHistory });

const states = {
  none: noRetry,
  failed: { kind: "failed", waiting: waiting("a", false), partialId: null },
  cutShort: { kind: "cutShort", replyId: "r" },
  unfinished: { kind: "unfinished", input: input("a") },
} satisfies Record<string, RetryState>;
type Name = keyof typeof states;
const names: Name[] = ["none", "failed", "cutShort", "unfinished"];

const cutShort: RetryState = { kind: "cutShort", replyId: "s" };
const unfinished: RetryState = { kind: "unfinished", input: input("b") };
const failed: RetryState = { kind: "failed", waiting: waiting("b", true), partialId: "p" };

/** What follows each state; one for all: whatever it was. */
const table: [name: string, step: RetryStep, after: RetryState | Record<Name, RetryState>][] = [
  ["a path that ends well is shown", { type: "shown", cutShortId: null, unfinished: null }, noRetry],
  ["a path with a cut reply is shown", { type: "shown", cutShortId: "s", unfinished: null }, cutShort],
  [
    "a path that ends in the middle is shown",
    { type: "shown", cutShortId: null, unfinished: input("b") },
    unfinished,
  ],
  ["a run begins", { type: "runStarted" }, { ...states, cutShort: noRetry }],
  ["a run fails", { type: "runEnded", waiting: waiting("b", true), isFailed: true, partialId: "p" }, failed],
  [
    "a run succeeds",
    { type: "runEnded", waiting: waiting("b", true), isFailed: false, partialId: "p" },
    noRetry,
  ],
  ["it is asked for", { type: "retried" }, noRetry],
  ["a new prompt is dropped", { type: "dropped", waiting: waiting("b", false) }, states],
  ["a prompt of the history is dropped", { type: "dropped", waiting: waiting("b", true) }, unfinished],
];

describe.each(table)("when %s", (_, step, after) => {
  test.each(names)("%s", (name) => {
    expect(stepRetry(states[name], step)).toEqual("kind" in after ? after : after[name]);
  });
});

const id = fc.constantFrom("a", "b", "c");
const anyWaiting = fc.record({ input: id.map(input), isInHistory: fc.boolean() });
const steps: fc.Arbitrary<RetryStep> = fc.oneof(
  fc.record({
    type: fc.constant("shown" as const),
    cutShortId: fc.option(id),
    unfinished: fc.option(id.map(input)),
  }),
  fc.record({ type: fc.constant("runStarted" as const) }),
  fc.record({
    type: fc.constant("runEnded" as const),
    waiting: anyWaiting,
    isFailed: fc.boolean(),
    partialId: fc.option(id),
  }),
  fc.record({ type: fc.constant("retried" as const) }),
  fc.record({ type: fc.constant("dropped" as const), waiting: anyWaiting }),
);

test("in any order of steps: what can be retried was named by the last step that counts, and by it alone", () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 30 }), (all) => {
      let state: RetryState = noRetry;
      for (const step of all) {
        const before = state;
        state = stepRetry(state, step);
        // A run or a retry makes nothing retryable that was not; only these three name something new.
        if (step.type === "runStarted") expect([before, noRetry]).toContainEqual(state);
        if (step.type === "retried") expect(state).toEqual(noRetry);
        if (state.kind === "cutShort" && before.kind !== "cutShort") expect(step.type).toBe("shown");
        if (state.kind === "failed" && state !== before) expect(step.type).toBe("runEnded");
      }
      const last = all.findLastIndex(({ type }) => type === "shown" || type === "runEnded");
      const since = all.slice(last + 1);
      const dropped = since.some((step) => step.type === "dropped" && step.waiting.isInHistory);
      if (since.some(({ type }) => type === "retried") && !dropped) expect(state).toEqual(noRetry);
    }),
  );
});
