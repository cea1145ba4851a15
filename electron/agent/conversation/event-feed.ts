import type { AgentEvent } from "../../../shared/conversation/events.ts";

/**
 * One reader's own copy of an event stream. It buffers without limit, so a slow reader never delays the run; the
 * buffer goes when the reader stops or the feed has ended and was read. Where nobody has begun to read by
 * `mostUnread` events, it goes too: reading it throws.
 */
export class EventFeed implements AsyncIterable<AgentEvent> {
  readonly #buffer: AgentEvent[] = [];
  readonly #onStop: () => void;
  #wake: (() => void) | null = null;
  #ended = false;
  #isRead = false;
  #isLost = false;

  /** @param onStop called once, when the feed ended or its reader left early */
  constructor(onStop: () => void) {
    this.#onStop = onStop;
  }

  push(event: AgentEvent): void {
    if (this.#ended) return;
    if (!this.#isRead && this.#buffer.length >= mostUnread) {
      this.#isLost = true;
      this.#buffer.length = 0;
      this.end();
      return;
    }
    this.#buffer.push(event);
    this.#wake?.();
  }

  /** What was pushed before can still be read. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onStop();
    this.#wake?.();
  }

  /** @throws Error where more came before than an unread feed keeps */
  async *[Symbol.asyncIterator](): AsyncGenerator<AgentEvent, void, void> {
    if (this.#isLost) throw new Error(`Nobody read the first ${mostUnread} events.`);
    this.#isRead = true;
    try {
      while (true) {
        const event = this.#buffer.shift();
        if (event) yield event;
        else if (this.#ended) return;
        else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          this.#wake = null;
        }
      }
    } finally {
      this.end();
      this.#buffer.length = 0;
    }
  }
}

/** Most prompts come from a window, which reads no feed; one that is held may wait through many runs of others. */
export const mostUnread = 10_000;
