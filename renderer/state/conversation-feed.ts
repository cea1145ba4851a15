import type { AgentEvent, UserError } from "../../shared/events.ts";
import type { ParleyBridge } from "../../shared/ipc.ts";
import { applyEvent, type ConversationView } from "../../shared/transcript.ts";
import { call } from "./call.ts";

/**
 * The view of one conversation at a time, kept up to date. Events that are pushed before the answer to `attach` is
 * there are held back and applied on top of it; a gap in the ids (it should never happen) fetches a new view
 * instead of showing a transcript with a hole.
 */
export class ConversationFeed {
  readonly #bridge: ParleyBridge;
  readonly #onView: (view: ConversationView) => void;
  readonly #onError: (error: UserError) => void;
  #view: ConversationView | null = null;
  /** Events since the attach in hand was asked for; null while none is. */
  #early: AgentEvent[] | null = null;
  #attempt = 0;

  constructor(
    bridge: ParleyBridge,
    onView: (view: ConversationView) => void,
    onError: (error: UserError) => void,
  ) {
    this.#bridge = bridge;
    this.#onView = onView;
    this.#onError = onError;
  }

  /** Shows a conversation, or main's current one. The newest call wins; a failure leaves the view as it was. */
  async open(conversationId?: string): Promise<void> {
    const attempt = ++this.#attempt;
    this.#early = [];
    const result = await call(
      this.#bridge,
      "conversation.attach",
      conversationId === undefined ? {} : { conversationId },
    );
    if (attempt !== this.#attempt) return;
    const early = this.#early ?? [];
    this.#early = null;
    if (!result.ok) return this.#onError(result.error);
    this.#view = null;
    this.#show(result.value, early);
  }

  receive(events: readonly AgentEvent[]): void {
    this.#early?.push(...events);
    if (this.#view) this.#show(this.#view, events);
  }

  #show(start: ConversationView, events: readonly AgentEvent[]): void {
    let view = start;
    for (const event of events) {
      if (event.conversationId !== view.conversationId) continue;
      if (event.id > view.lastEventId + 1) {
        // While an attach is in hand its answer closes the gap anyway.
        if (!this.#early) void this.open(view.conversationId);
        break;
      }
      view = applyEvent(view, event);
    }
    if (view === this.#view) return;
    this.#view = view;
    this.#onView(view);
  }
}
