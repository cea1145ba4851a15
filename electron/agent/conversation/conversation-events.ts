import type { AgentEvent, AgentEventBody } from "../../../shared/conversation/events.ts";
import { applyEvents, type ConversationView } from "../../../shared/conversation/transcript.ts";
import type { Clock } from "../ports/ports.ts";
import { EventFeed } from "./event-feed.ts";

export interface ConversationEventsOptions {
  clock: Clock;
  /** Gets every event before anybody else. Must not throw. */
  onStamped(event: AgentEvent): void;
  onEvent(event: AgentEvent): void;
  reportError(error: unknown): void;
}

/** The event stream of one conversation: stamps what happens, tells it to everybody, and folds it into the view. */
export class ConversationEvents {
  readonly #options: ConversationEventsOptions;
  readonly #feeds = new Map<EventFeed, string>();
  /** Replaced, never changed: a listener may come or go while an event is being told. */
  #listeners: ReadonlySet<(event: AgentEvent) => void> = new Set();
  #view: ConversationView;
  /** What happened since `#view`: every delta copies its items, and few of them are looked at. */
  #news: AgentEvent[] = [];
  #lastEventId: number;

  /** @param view as it is before the first event */
  constructor(view: ConversationView, options: ConversationEventsOptions) {
    this.#options = options;
    this.#view = view;
    this.#lastEventId = view.lastEventId;
  }

  /** As of the last event. */
  get view(): ConversationView {
    if (this.#news.length > 0) this.#view = applyEvents(this.#view, this.#news.splice(0));
    return this.#view;
  }

  /** What no event tells: the path is another one, a title was given. */
  changeView(changes: Partial<Omit<ConversationView, "lastEventId">>): void {
    this.#view = { ...this.view, ...changes };
  }

  emit(body: AgentEventBody): void {
    const id = ++this.#lastEventId;
    const { conversationId } = this.#view;
    // Stamped in place: a step has dozens of events, each made for this one telling.
    const event: AgentEvent = Object.assign(body, { id, conversationId, at: this.#options.clock.now() });
    this.#news.push(event);
    this.#options.onStamped(event);
    // A long run that nobody looks at must not pile them up.
    if (this.#news.length >= mostNews) this.#view = this.view;
    for (const [feed, inputId] of this.#feeds) {
      feed.push(event);
      if (event.type === "input.dropped" && event.inputId === inputId) feed.end();
    }
    this.#tell(this.#options.onEvent, event);
    for (const listener of this.#listeners) this.#tell(listener, event);
  }

  /** The listener gets every event from now on, at once. @returns a function that ends the subscription */
  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners = new Set(this.#listeners).add(listener);
    return () => {
      this.#listeners = new Set([...this.#listeners].filter((other) => other !== listener));
    };
  }

  /** A stream of all events from now on, until the input is dropped or `endFeeds` names it. */
  feed(inputId: string): EventFeed {
    const feed = new EventFeed(() => this.#feeds.delete(feed));
    this.#feeds.set(feed, inputId);
    return feed;
  }

  /** @param ended whose streams end; without it all of them */
  endFeeds(ended?: string): void {
    for (const [feed, inputId] of [...this.#feeds]) if (ended === undefined || inputId === ended) feed.end();
  }

  #tell(listener: (event: AgentEvent) => void, event: AgentEvent): void {
    try {
      listener(event);
    } catch (error) {
      this.#options.reportError(error);
    }
  }
}

/** Some 20 rounds. */
const mostNews = 500;
