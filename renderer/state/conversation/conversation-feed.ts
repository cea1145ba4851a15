import type { AgentEvent, UserError } from "../../../shared/conversation/events.ts";
import { applyEvent, type ConversationView } from "../../../shared/conversation/transcript.ts";
import type { ParleyBridge } from "../../../shared/ipc/ipc.ts";
import { call } from "../call.ts";

/**
 * The view of one conversation at a time, kept up to date. Events that are pushed before the answer to `attach` is
 * there are held back and applied on top of it; a gap in the ids (it should never happen) fetches a new view
 * instead of showing a transcript with a hole. So does a head that moved: what was shown stays until the new path is
 * there, and nothing is added to the old one.
 */
export class ConversationFeed {
  readonly #bridge: ParleyBridge;
  readonly #onView: (view: ConversationView) => void;
  readonly #onError: (error: UserError) => void;
  #view: ConversationView | null = null;
  /** Events since the first attach in hand was asked for; null while none is. */
  #early: AgentEvent[] | null = null;
  #attempt = 0;
  /** What is being loaded, and before which item of which conversation. */
  #earlier: { place: string; done: Promise<void> } | null = null;

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
    this.#early ??= [];
    const result = await call(
      this.#bridge,
      "conversation.attach",
      conversationId === undefined ? {} : { conversationId },
    );
    if (attempt !== this.#attempt) return;
    const early = this.#early ?? [];
    this.#early = null;
    if (!result.ok) {
      this.#onError(result.error);
      // What waited for the answer is still to be caught up with.
      if (this.#view) this.#show(this.#view, early);
      return;
    }
    const before = this.#view;
    this.#view = null;
    this.#show(withEarlierOf(before, result.value), early);
  }

  receive(events: readonly AgentEvent[]): void {
    this.#early?.push(...events);
    if (this.#view) this.#show(this.#view, events);
  }

  /** Adds what stands before the first item, if there is more. One request at a time for it; the later ones wait for that. */
  earlier(): Promise<void> {
    const place = `${this.#view?.conversationId} ${this.#view?.items[0]?.key}`;
    if (this.#earlier?.place === place) return this.#earlier.done;
    const loading = {
      place,
      done: this.#loadEarlier().finally(() => {
        if (this.#earlier === loading) this.#earlier = null;
      }),
    };
    this.#earlier = loading;
    return loading.done;
  }

  async #loadEarlier(): Promise<void> {
    const view = this.#view;
    const first = view?.items[0];
    if (!view?.hasEarlier || !first) return;
    const { conversationId } = view;
    const result = await call(this.#bridge, "conversation.earlier", { conversationId, before: first.key });
    if (!result.ok) return this.#onError(result.error);
    const now = this.#view;
    // Another conversation or another path is shown by now.
    if (now?.conversationId !== conversationId || now.items[0]?.key !== first.key) return;
    const { items, hasEarlier } = result.value;
    this.#view = { ...now, items: [...items, ...now.items], hasEarlier };
    this.#onView(this.#view);
  }

  #show(start: ConversationView, events: readonly AgentEvent[]): void {
    let view = start;
    for (const event of events) {
      if (event.conversationId !== view.conversationId) continue;
      if (event.id > view.lastEventId + 1 || isNewMove(event, view)) {
        // While an attach is in hand, its answer says more; what came since is looked at again then.
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

const isNewMove = ({ type, id }: AgentEvent, { lastEventId }: ConversationView) =>
  type === "head.moved" && id > lastEventId;

/** The new view begins at an item that is shown already: what stands before it is on its path, too, and stays. */
function withEarlierOf(before: ConversationView | null, next: ConversationView): ConversationView {
  const first = next.items[0];
  if (before?.conversationId !== next.conversationId || !first || !next.hasEarlier) return next;
  const index = before.items.findIndex(({ key }) => key === first.key);
  if (index < 1) return next;
  return { ...next, items: [...before.items.slice(0, index), ...next.items], hasEarlier: before.hasEarlier };
}
