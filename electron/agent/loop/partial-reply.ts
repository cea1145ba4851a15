import type { AgentEvent } from "../../../shared/conversation/events.ts";
import type { Clock } from "../ports/ports.ts";
import type { SessionStore } from "../ports/session-store.ts";

/** How far the store may be behind the screen, in milliseconds; the write itself must fit into a quarter of a second, too. */
export const partialDelayMs = 200;

export interface PartialReplyOptions {
  conversationId: string;
  store: SessionStore;
  clock: Clock;
  reportError(error: unknown): void;
}

/**
 * Keeps the reply that is being streamed, so that a crash takes no more of it than its last quarter of a second. The
 * finished message takes its place; of a reply that came at once nothing is written.
 */
export class PartialReply {
  readonly #options: PartialReplyOptions;
  #reply: { id: string; text: string; model: string; startedAt: number } | null = null;
  #model = "";
  #isSaved = false;
  #callOff: (() => void) | null = null;

  constructor(options: PartialReplyOptions) {
    this.#options = options;
  }

  /** Every event of the conversation. Never throws. */
  observe(event: AgentEvent): void {
    if (event.type === "model.requested") this.#model = event.model;
    else if (event.type === "text.delta") this.#add(event.messageId, event.text, event.at);
    else if (event.type === "stream.reset") this.#drop();
    else if (event.type === "message.added" && event.message.id === this.#reply?.id) this.#forget();
    else if (event.type === "run.ended") this.#drop();
  }

  #add(id: string, text: string, at: number): void {
    if (this.#reply?.id === id) this.#reply.text += text;
    else this.#reply = { id, text, model: this.#model, startedAt: at };
    this.#callOff ??= this.#options.clock.after(partialDelayMs, () => this.#save());
  }

  #save(): void {
    this.#callOff = null;
    if (!this.#reply) return;
    const { id, text, model, startedAt } = this.#reply;
    this.#guard((store, conversationId) => {
      store.savePartial(conversationId, {
        id,
        role: "assistant",
        origin: null,
        source: null,
        content: [{ type: "text", text }],
        createdAt: startedAt,
        model,
      });
      this.#isSaved = true;
    });
  }

  /** The text is void, or was never made a message. */
  #drop(): void {
    const wasSaved = this.#isSaved;
    this.#forget();
    if (wasSaved) this.#guard((store, conversationId) => store.dropPartial(conversationId));
  }

  #forget(): void {
    this.#callOff?.();
    this.#callOff = null;
    this.#reply = null;
    this.#isSaved = false;
  }

  /** What is streamed is shown in any case; the finished message says when it cannot be kept. */
  #guard(work: (store: SessionStore, conversationId: string) => void): void {
    try {
      work(this.#options.store, this.#options.conversationId);
    } catch (error) {
      this.#options.reportError(error);
    }
  }
}
