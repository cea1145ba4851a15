import type { WebContents } from "electron";
import { eventForWindow, inputForWindow } from "../../../shared/conversation/event-for-window.ts";
import type { AgentEvent } from "../../../shared/conversation/events.ts";
import type { ConversationView } from "../../../shared/conversation/transcript.ts";
import type { IpcPush } from "../../../shared/ipc/push.ts";
import { ipcChannel } from "../../../shared/ipc-channel.ts";
import { createEventBatch } from "./event-batch.ts";

/** What a window can attach to. */
export interface Attachable {
  readonly id: string;
  view(): ConversationView;
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: AgentEvent) => void): () => void;
}

/**
 * Which window shows which conversation: one each. A window that attaches gets the view as it is now and every
 * event after it; nothing in between is lost, since both happen in one turn of the event loop.
 */
export class WindowSubscriptions {
  readonly #byContents = new Map<number, { conversationId: string; end: () => void }>();

  readonly #watched = new WeakSet<WebContents>();

  attach(contents: WebContents, conversation: Attachable): ConversationView {
    this.detach(contents);
    const batch = createEventBatch((events) => push(contents, { type: "events", events }));
    const unsubscribe = conversation.subscribe((event) => batch.add(eventForWindow(event)));
    const end = () => {
      unsubscribe();
      batch.dispose();
    };
    if (!this.#watched.has(contents)) {
      this.#watched.add(contents);
      contents.once("destroyed", () => this.detach(contents));
    }
    this.#byContents.set(contents.id, { conversationId: conversation.id, end });
    const view = conversation.view();
    return { ...view, queue: view.queue.map(inputForWindow) };
  }

  detach(contents: WebContents): void {
    this.#byContents.get(contents.id)?.end();
    this.#byContents.delete(contents.id);
  }

  isShown(conversationId: string): boolean {
    return [...this.#byContents.values()].some((shown) => shown.conversationId === conversationId);
  }

  /** The conversation that the window shows, if any. */
  shownIn(contents: WebContents): string | undefined {
    return this.#byContents.get(contents.id)?.conversationId;
  }
}

/** Sends to a page that may be on its way out. */
export function push(contents: WebContents, message: IpcPush): void {
  if (!contents.isDestroyed()) contents.send(ipcChannel.push, message);
}
