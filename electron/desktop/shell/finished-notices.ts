import { app, BrowserWindow, Notification, type WebContents } from "electron";
import type { AgentEvent } from "../../../shared/conversation/events.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { noticeWords } from "./notice-words.ts";

export interface FinishedNoticesOptions {
  isWanted(): boolean;
  /** Conversations with an answer that nobody had seen when Parley was last ended. */
  kept: readonly string[];
  /** Whoever talks with it hears the answers of the run that goes on there. */
  isHeard(conversationId: string): boolean;
  /** A window in front of the user says that an answer is there. */
  isTold(conversationId: string): boolean;
  /** The conversation that a window shows. */
  shownIn(contents: WebContents): string | undefined;
  title(conversationId: string): string;
  show(conversationId: string): void;
  /** Conversations with an answer that nobody has seen. */
  onChange(unread: readonly string[]): void;
}

/** Of a reply, UTF-16 units: more than a notice shows, of which blanks may be most. */
const maxReplyChars = 800;

/** Says outside of Parley's windows that an answer is there, and remembers which nobody has seen yet. */
export class FinishedNotices {
  readonly #options: FinishedNoticesOptions;
  /** By conversation; no notice for one that ended beside others that are in front of the user. */
  readonly #unread = new Map<string, Notification | null>();
  readonly #replies = new Map<string, string>();
  /** Conversations whose run is heard. */
  readonly #heard = new Set<string>();

  constructor(options: FinishedNoticesOptions) {
    this.#options = options;
    for (const id of options.kept) this.#unread.set(id, null);
    app.on("browser-window-focus", () => this.look());
  }

  get unread(): readonly string[] {
    return [...this.#unread.keys()];
  }

  /** Takes every event of every conversation; those about something else cost nothing. */
  observe(event: AgentEvent): void {
    const { conversationId } = event;
    if (event.type === "message.added" && event.message.role === "assistant") {
      const words = event.message.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
      if (words.length > 0) this.#replies.set(conversationId, words.join("\n").slice(0, maxReplyChars));
    }
    // When the run has ended nobody knows it any more.
    if (event.type === "model.requested" || event.type === "message.added") {
      if (this.#options.isHeard(conversationId)) this.#heard.add(conversationId);
      else this.#heard.delete(conversationId);
    }
    if (event.type !== "run.ended") return;
    const reply = this.#replies.get(conversationId);
    this.#replies.delete(conversationId);
    // Whoever stopped it knows that it ended.
    const isKnown = this.#heard.delete(conversationId) || this.#inFront === conversationId;
    if (event.stopReason === "interrupted" || isKnown) return;
    this.#unread.get(conversationId)?.close();
    this.#unread.set(conversationId, this.#notify(conversationId, event.error?.message ?? reply ?? ""));
    this.#options.onChange(this.unread);
  }

  /** The user may have another conversation in front of them now. */
  look(): void {
    if (this.#inFront !== undefined) this.#seen(this.#inFront);
  }

  /** It was deleted: its answer is nobody's to see any more. */
  forget(conversationId: string): void {
    this.#seen(conversationId);
  }

  get #inFront(): string | undefined {
    const focused = BrowserWindow.getFocusedWindow();
    return focused ? this.#options.shownIn(focused.webContents) : undefined;
  }

  #seen(conversationId: string): void {
    this.#unread.get(conversationId)?.close();
    if (this.#unread.delete(conversationId)) this.#options.onChange(this.unread);
  }

  #notify(conversationId: string, words: string): Notification | null {
    const { isWanted, isTold, title, show } = this.#options;
    if (!isWanted() || isTold(conversationId) || !Notification.isSupported()) return null;
    const notice = new Notification({
      title: visibleText(title(conversationId)),
      body: noticeWords(words.replaceAll(/\s+/g, " ")),
      actions: [
        { type: "button", text: "Show" },
        { type: "button", text: "Mark as read" },
      ],
    });
    notice.on("click", () => show(conversationId));
    notice.on("action", (_, index) => {
      if (index === 1) this.#seen(conversationId);
      else show(conversationId);
    });
    notice.show();
    return notice;
  }
}
