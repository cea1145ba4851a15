import type { AgentEvent } from "../../../shared/conversation/events.ts";

/**
 * Two paints at 60 Hz: windows get events no more often than they can show them. With one, a computer that draws without a
 * graphics card loses every second frame to text that nobody reads so fast, and keys and scrolling wait for it.
 */
export const frameMs = 33;

export interface EventBatch {
  add(event: AgentEvent): void;
  /** Drops what waits and ends the timer. */
  dispose(): void;
}

/** Collects events and sends them together, at most once in `frameMs`, whole and in order: readers count the ids. */
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
      waiting.push(event);
      timer ??= setTimeout(flush, frameMs);
    },
    dispose: () => {
      if (timer) clearTimeout(timer);
      timer = null;
      waiting = [];
    },
  };
}
