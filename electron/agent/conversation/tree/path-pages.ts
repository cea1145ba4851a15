import type { Message } from "../../../../shared/conversation/messages.ts";
import { type CallFacts, itemsOfHistory } from "../../../../shared/conversation/stored-transcript.ts";
import type { TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import type { EarlierItems } from "../../../../shared/ipc/conversation-routes.ts";
import { toolUsesOf } from "../../context/history.ts";
import { holdsResults } from "../../context/trim.ts";
import type { MessagePage, SessionStore } from "../../ports/session-store.ts";
import { pageLines, withSaid } from "./said-items.ts";

/** Messages that are shown at once. */
export const pageMessages = 100;

/** What a window shows of a stored path, page by page from its end. */
export class PathPages {
  readonly #store: SessionStore;
  readonly #conversationId: string;
  /** By key of the first item of a page: the first message of it. A card's key is no message's id. */
  readonly #firstMessages = new Map<string, string>();

  constructor(store: SessionStore, conversationId: string) {
    this.#store = store;
    this.#conversationId = conversationId;
  }

  /** The end of the path. @throws StoreError */
  newest(): EarlierItems & { messages: Message[] } {
    return this.#shown(undefined);
  }

  /** Those before the item of this key, the first of a page. @throws Error where no page begins with it @throws StoreError */
  earlier(before: string): EarlierItems {
    const known = this.#firstMessages.get(before);
    const message = known ?? this.#store.loadMessage(this.#conversationId, before)?.message.id;
    if (message === undefined)
      throw new Error("Earlier messages can't be loaded right now. Open the conversation again.");
    const { items, hasEarlier } = this.#shown(message);
    return { items, hasEarlier };
  }

  #shown(before: string | undefined): EarlierItems & { messages: Message[] } {
    let page = this.#load(before);
    const end = before === undefined ? undefined : this.#store.loadMessage(this.#conversationId, before);
    let items = this.#itemsOf(page);
    // A hundred messages may show nothing, such as notes of Parley's own.
    for (
      let first = page.messages[0];
      items.length === 0 && page.hasEarlier && first;
      first = page.messages[0]
    ) {
      const { messages } = page;
      page = this.#load(first.id);
      items = this.#itemsOf(page);
      page = { ...page, messages: [...page.messages, ...messages] };
    }
    const firstMessage = page.messages[0];
    const lines = this.#store.meetingLines(this.#conversationId, {
      from: page.hasEarlier ? firstMessage?.createdAt : undefined,
      before: end?.message.createdAt,
      limit: pageLines,
    });
    items = withSaid(items, lines);
    const [firstItem] = items;
    if (firstItem && firstMessage) this.#firstMessages.set(firstItem.key, firstMessage.id);
    return { items, hasEarlier: page.hasEarlier, messages: page.messages };
  }

  /** Results come with their calls: a page never begins between the two. */
  #load(before: string | undefined): MessagePage {
    let page = this.#store.loadPage(this.#conversationId, { limit: pageMessages, before });
    for (
      let first = page.messages[0];
      page.hasEarlier && first && holdsResults(first);
      first = page.messages[0]
    ) {
      const more = this.#store.loadPage(this.#conversationId, { limit: 1, before: first.id });
      page = {
        messages: [...more.messages, ...page.messages],
        branches: new Map([...more.branches, ...page.branches]),
        hasEarlier: more.hasEarlier,
      };
    }
    return page;
  }

  #itemsOf({ messages, branches }: MessagePage): TranscriptItem[] {
    const calls = new Map<string, CallFacts>();
    for (const { id } of messages.flatMap(({ content }) => toolUsesOf(content))) {
      const call = this.#store.loadToolCall(this.#conversationId, id);
      if (!call) continue;
      const { durationMs, diff } = call;
      calls.set(id, { durationMs, diff, totalChars: call.wasTruncated ? call.originalChars : undefined });
    }
    return itemsOfHistory(messages, calls, branches);
  }
}
