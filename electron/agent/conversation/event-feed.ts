import type { AgentEvent } from "../../../shared/conversation/events.ts";

/**
 * One reader's own copy of an event stream. It buffers without limit, so a slow reader never delays the run; the
 * buffer goes when the reader stops or the feed has ended and was read.
 */
export class EventFeed implements AsyncIterable<AgentEvent> {
  readonly #buffer: AgentEvent[] = [];
  readonly #onStop: () => void;
  #wake: (() => void) | null = null;
  #ended = false;

  /** @param onStop called once, when the feed ended or its reader left early */
  constructor(onStop: () => void) {
    this.#onStop = onStop;
  }

  push(event: AgentEvent): void {
    if (this.#ended) return;
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

  async *[Symbol.asyncIterator](): AsyncGenerator<AgentEvent, void, void> {
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
