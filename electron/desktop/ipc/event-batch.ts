import type { AgentEvent } from "../../../shared/conversation/events.ts";

/** One paint at 60 Hz: windows get events no more often than they can show them. */
export const frameMs = 16;

export interface EventBatch {
  add(event: AgentEvent): void;
  /** Drops what waits and ends the timer. */
  dispose(): void;
}

/** Collects events and sends them together, at most once per frame, whole and in order: readers count the ids. */
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
