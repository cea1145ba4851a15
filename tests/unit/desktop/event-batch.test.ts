import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createEventBatch, frameMs } from "../../../electron/desktop/event-batch.ts";
import type { AgentEvent } from "../../../shared/events.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const delta = (id: number, messageId: string, text: string): AgentEvent => ({
  id,
  conversationId: "c",
  at: 0,
  type: "text.delta",
  messageId,
  text,
});

test("the deltas of one frame arrive as one event that carries the last id", () => {
  const sent: AgentEvent[][] = [];
  const batch = createEventBatch((events) => sent.push(events));
  for (const [index, text] of ["Hel", "lo", "!"].entries()) batch.add(delta(index + 1, "m", text));
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(frameMs);
  expect(sent).toEqual([[delta(3, "m", "Hello!")]]);
});

test("deltas of another message, or with something between, stay apart and in order", () => {
  const sent: AgentEvent[][] = [];
  const batch = createEventBatch((events) => sent.push(events));
  const reset: AgentEvent = { id: 2, conversationId: "c", at: 0, type: "stream.reset", messageId: "m" };
  const events = [delta(1, "m", "a"), reset, delta(3, "m", "b"), delta(4, "n", "c")];
  for (const event of events) batch.add(event);
  vi.advanceTimersByTime(frameMs);
  expect(sent).toEqual([events]);
});

test("a detached window gets nothing more, and no timer is left", () => {
  const sent: AgentEvent[][] = [];
  const batch = createEventBatch((events) => sent.push(events));
  batch.add(delta(1, "m", "a"));
  batch.dispose();
  expect(vi.getTimerCount()).toBe(0);
  expect(sent).toEqual([]);
});
