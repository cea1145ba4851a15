import { Notification } from "electron";
import type { AgentEvent, ApprovalWish } from "../../../shared/conversation/events.ts";
import { noticeWords } from "./notice-words.ts";
import type { WaitingCounts } from "./waiting-words.ts";

export interface WaitingNoticesOptions {
  /** Brings up the window with the card that waits. @param key of the approval or the question */
  show(conversationId: string, key: string): void;
  deny(conversationId: string, approvalId: string): void;
  /** A window in front of the user says that something waits there. */
  isTold(conversationId: string): boolean;
  /** @param counts of all that waits */
  onChange(counts: WaitingCounts): void;
}

type Asked = Extract<AgentEvent, { type: "approval.requested" | "question.asked" }>;

interface Waiting {
  kind: "approval" | "question";
  conversationId: string;
  /** null for one that came under the user's eyes. */
  notice: Notification | null;
}

/** Says outside of Parley's windows that something waits for the user's word: an approval, or a question. */
export class WaitingNotices {
  readonly #options: WaitingNoticesOptions;
  /** By the id of the approval or the question, oldest first. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(options: WaitingNoticesOptions) {
    this.#options = options;
  }

  /** Takes every event of every conversation; those about something else cost nothing. */
  observe(event: AgentEvent): void {
    if (event.type === "approval.requested") this.#begin("approval", event.approvalId, event);
    else if (event.type === "question.asked") this.#begin("question", event.questionId, event);
    // The end of a run ends what it waits for, too, with one of these.
    else if (event.type === "approval.resolved") this.#end(event.approvalId);
    else if (event.type === "question.answered") this.#end(event.questionId);
  }

  /** Brings up what has waited longest. */
  showOldest(): void {
    const [oldest] = this.#waiting;
    if (oldest) this.#options.show(oldest[1].conversationId, oldest[0]);
  }

  #begin(kind: Waiting["kind"], key: string, event: Asked): void {
    const { conversationId } = event;
    this.#waiting.set(key, { kind, conversationId, notice: this.#notify(key, event) });
    this.#tellChange();
  }

  #end(key: string): void {
    this.#waiting.get(key)?.notice?.close();
    if (this.#waiting.delete(key)) this.#tellChange();
  }

  #tellChange(): void {
    const all = [...this.#waiting.values()];
    const approvals = all.filter(({ kind }) => kind === "approval").length;
    this.#options.onChange({ approvals, questions: all.length - approvals });
  }

  #notify(key: string, event: Asked): Notification | null {
    const { conversationId } = event;
    if (this.#options.isTold(conversationId) || !Notification.isSupported()) return null;
    const isApproval = event.type === "approval.requested";
    const show = () => this.#options.show(conversationId, key);
    const notice = new Notification({
      title: isApproval ? "Needs approval" : "Question for you",
      body: noticeWords(isApproval ? approvalIn(event) : questionIn(event)),
      actions: [
        { type: "button", text: "Show" },
        // What the card shows whole a notice cannot: it refuses, but allows and answers nothing.
        ...(isApproval ? [{ type: "button" as const, text: "Deny" }] : []),
      ],
    });
    notice.on("click", show);
    notice.on("action", (_, index) => {
      if (!isApproval || index !== 1) show();
      else if (this.#waiting.has(key)) this.#options.deny(conversationId, key);
    });
    notice.show();
    return notice;
  }
}

const approvalIn = ({ wish, name, detail }: Extract<Asked, { type: "approval.requested" }>): string =>
  `${wish ? wishIn(wish) : name}: ${detail}`;

const wishIn = ({ who, what, tool }: ApprovalWish): string =>
  tool === undefined ? `${who} wants ${what}` : `Use “${tool}” from ${who}?`;

/** The words of a server are told from those of the model. */
const questionIn = ({ form, question }: Extract<Asked, { type: "question.asked" }>): string =>
  form ? `${form.server} asks: ${question}` : question;
