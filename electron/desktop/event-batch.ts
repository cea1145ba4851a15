import type { AgentEvent } from "../../shared/events.ts";

/** One paint at 60 Hz: windows get events no more often than they can show them. */
export const frameMs = 16;

export interface EventBatch {
  add(event: AgentEvent): void;
  /** Drops what waits and ends the timer. */
  dispose(): void;
}

/** Collects events and sends them together, at most once per frame; neighbouring deltas become one. */
export function createEventBatch(send: (events: AgentEvent[]) => void): EventBatch {
  let waiting: AgentEvent[] = [];
  let timer: NodeJS.Timeout | null = null;
  const flush = () => {
    timer = null;
    const events = waiting;
    waiting = [];
    send(events);
  };
  return {
    add: (event) => {
      appendMerging(waiting, event);
      timer ??= setTimeout(flush, frameMs);
    },
    dispose: () => {
      if (timer) clearTimeout(timer);
      timer = null;
      waiting = [];
    },
  };
}

/**
 * Adds `event` to `events`, as part of the last one where both stream text of one message. The merged event has
 * the later id, so a reader that skips what it knows still loses nothing: batches never begin inside one.
 */
export function appendMerging(events: AgentEvent[], event: AgentEvent): void {
  const last = events.at(-1);
  const merges =
    last !== undefined &&
    (last.type === "text.delta" || last.type === "thinking.delta") &&
    last.type === event.type &&
    last.messageId === event.messageId;
  if (merges) events[events.length - 1] = { ...event, text: last.text + event.text };
  else events.push(event);
}
