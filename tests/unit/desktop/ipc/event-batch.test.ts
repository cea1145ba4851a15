import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createEventBatch, frameMs } from "../../../../electron/desktop/ipc/event-batch.ts";
import type { AgentEvent } from "../../../../shared/conversation/events.ts";

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

test("the events of one frame arrive together, each as it was: a window counts their ids", () => {
  const sent: AgentEvent[][] = [];
  const batch = createEventBatch((events) => sent.push(events));
  const reset: AgentEvent = { id: 3, conversationId: "c", at: 0, type: "stream.reset", messageId: "m" };
  const events = [delta(1, "m", "Hel"), delta(2, "m", "lo"), reset, delta(4, "m", "Hello")];
  for (const event of events) batch.add(event);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(frameMs);
  expect(sent).toEqual([events]);
  batch.add(delta(5, "m", "!"));
  vi.advanceTimersByTime(frameMs);
  expect(sent).toEqual([events, [delta(5, "m", "!")]]);
});

test("a detached window gets nothing more, and no timer is left", () => {
  const sent: AgentEvent[][] = [];
  const batch = createEventBatch((events) => sent.push(events));
  batch.add(delta(1, "m", "a"));
  batch.dispose();
  expect(vi.getTimerCount()).toBe(0);
  expect(sent).toEqual([]);
});
