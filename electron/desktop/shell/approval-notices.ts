import { app, BrowserWindow, Notification } from "electron";
import type { AgentEvent, ApprovalWish } from "../../../shared/conversation/events.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";

export interface ApprovalNoticesOptions {
  /** Brings up the window with what waits in the conversation. */
  show(conversationId: string): void;
  deny(conversationId: string, approvalId: string): void;
  /** @param count of all that waits */
  onChange(count: number): void;
}

/** UTF-16 units. The card shows the whole; a notice cannot, so it can only refuse. */
const maxChars = 200;

/** Says outside of Parley's windows that something waits for the user's word. */
export class ApprovalNotices {
  readonly #options: ApprovalNoticesOptions;
  /** By approval id, oldest first; no notice for one that came under the user's eyes. */
  readonly #waiting = new Map<string, { conversationId: string; notice: Notification | null }>();

  constructor(options: ApprovalNoticesOptions) {
    this.#options = options;
  }

  /** Takes every event of every conversation; those about something else cost nothing. */
  observe(event: AgentEvent): void {
    if (event.type === "approval.requested") {
      const { conversationId, approvalId } = event;
      this.#waiting.set(approvalId, { conversationId, notice: this.#notify(event) });
    } else if (event.type === "approval.resolved") {
      this.#waiting.get(event.approvalId)?.notice?.close();
      if (!this.#waiting.delete(event.approvalId)) return;
    } else return;
    app.setBadgeCount(this.#waiting.size);
    this.#options.onChange(this.#waiting.size);
  }

  /** Brings up what has waited longest. */
  showOldest(): void {
    const [oldest] = this.#waiting.values();
    if (oldest) this.#options.show(oldest.conversationId);
  }

  #notify(event: Extract<AgentEvent, { type: "approval.requested" }>): Notification | null {
    if (BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) return null;
    const { conversationId, approvalId, name, wish, detail } = event;
    const body = visibleText(`${wish ? wishIn(wish) : name}: ${detail}`);
    const notice = new Notification({
      title: "Approval needed",
      body: body.length > maxChars ? `${body.slice(0, maxChars)}…` : body,
      actions: [
        { type: "button", text: "Show" },
        { type: "button", text: "Deny" },
      ],
    });
    notice.on("click", () => this.#options.show(conversationId));
    notice.on("action", (_, index) => {
      if (index !== 1) this.#options.show(conversationId);
      else if (this.#waiting.has(approvalId)) this.#options.deny(conversationId, approvalId);
    });
    notice.show();
    return notice;
  }
}

const wishIn = ({ who, what, tool }: ApprovalWish): string =>
  tool === undefined ? `${who} wants ${what}` : `Use “${tool}” from ${who}?`;
