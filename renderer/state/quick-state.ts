import type { AttachmentChoice } from "../../shared/conversation/attachments.ts";
import type { UserError } from "../../shared/conversation/events.ts";
import type { ConversationView, TranscriptItem } from "../../shared/conversation/transcript.ts";
import type { AppInfo, IpcPush, ParleyBridge } from "../../shared/ipc.ts";
import type { ApprovalChoice } from "../../shared/safety/permissions.ts";
import { call } from "./call.ts";
import { ConversationFeed } from "./conversation/conversation-feed.ts";
import { Store } from "./store.ts";
import { Trust } from "./trust.ts";

/** The prompt that was sent last from this window. */
export interface Asked {
  conversationId: string;
  /** null for a command, which is answered without a run. */
  inputId: string | null;
  text: string;
}

/** The quick window: one prompt, its answer, and a way into the main window. */
export class QuickState {
  readonly info = new Store<AppInfo | null>(null);
  readonly asked = new Store<Asked | null>(null);
  readonly view = new Store<ConversationView | null>(null);
  readonly failure = new Store<UserError | null>(null);
  /** Counts up whenever the window was opened anew: the text box is then empty and has the keyboard. */
  readonly openings = new Store(0);

  readonly trust = new Trust(
    (route, input) => call(this.#bridge, route, input),
    (error) => this.failure.set(error),
  );

  readonly #bridge: ParleyBridge;
  readonly #feed: ConversationFeed;

  constructor(bridge: ParleyBridge) {
    this.#bridge = bridge;
    this.#feed = new ConversationFeed(
      bridge,
      (view) => {
        this.view.set(view);
        this.trust.showFor(view.conversationId, view.workingFolder);
      },
      (error) => this.failure.set(error),
    );
  }

  /** @returns what ends the subscription */
  start(): () => void {
    void this.#loadInfo();
    return this.#bridge.onPush((push) => this.#receive(push));
  }

  /** @param attached references, see `findAttachments` @returns false when it was not taken and must not be lost */
  submit = async (text: string, attached: readonly string[] = []): Promise<boolean> => {
    this.failure.set(null);
    const beside = attached.length > 0 && { attachments: [...attached] };
    const result = await call(this.#bridge, "conversation.submit", { text, origin: "quick", ...beside });
    if (!result.ok) {
      this.failure.set(result.error);
      return false;
    }
    this.asked.set({ ...result.value, text });
    await this.#feed.open(result.value.conversationId);
    return true;
  };

  /** What `@` and these letters may mean; nothing where that cannot be had. */
  findAttachments = async (words: string): Promise<readonly AttachmentChoice[]> => {
    const result = await call(this.#bridge, "attachment.find", { words });
    return result.ok ? result.value : [];
  };

  openLink = (url: string): void => {
    void this.#report(call(this.#bridge, "link.open", { url }));
  };

  openInWindow = (): void => {
    const conversationId = this.asked.get()?.conversationId;
    void this.#report(
      call(this.#bridge, "window.open", conversationId === undefined ? {} : { conversationId }),
    );
  };

  answerApproval = (
    approvalId: string,
    allowed: boolean,
    reason?: string,
    { scope = "once", outside = false }: ApprovalChoice = {},
  ): void => {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId === undefined) return;
    const beside = { ...(reason && { reason }), ...(outside && { outside }) };
    const answer = { conversationId, approvalId, allowed, scope, ...beside };
    void this.#report(call(this.#bridge, "approval.answer", answer));
  };

  /** Answers the approval that has waited longest, if one waits. */
  answerOldestApproval = (allowed: boolean): void => {
    const waiting = this.view
      .get()
      ?.items.find((item) => item.kind === "approval" && item.status === "waiting");
    if (waiting) this.answerApproval(waiting.key, allowed);
  };

  answerQuestion = (questionId: string, answer: string): void => {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId === undefined) return;
    void this.#report(call(this.#bridge, "question.answer", { conversationId, questionId, answer }));
  };

  sendAnyway = (droppedId: string): void =>
    void this.#report(call(this.#bridge, "voice.sendAnyway", { droppedId }));

  /** @param heightPx of what is shown, in CSS pixels */
  fit = (heightPx: number): void => {
    void this.#report(call(this.#bridge, "quick.resize", { heightPx: Math.ceil(heightPx) }));
  };

  close = (): void => {
    void this.#report(call(this.#bridge, "quick.close", undefined));
  };

  #receive(push: IpcPush): void {
    if (push.type === "events") this.#feed.receive(push.events);
    if (push.type === "trust") void this.trust.load();
    if (push.type === "app") void this.#loadInfo();
    if (push.type !== "focus-composer") return;
    this.asked.set(null);
    this.failure.set(null);
    this.openings.set(this.openings.get() + 1);
  }

  async #report(answer: ReturnType<typeof call>): Promise<void> {
    const result = await answer;
    if (!result.ok) this.failure.set(result.error);
  }

  async #loadInfo(): Promise<void> {
    const result = await call(this.#bridge, "app.info", undefined);
    if (result.ok) this.info.set(result.value);
    else this.failure.set(result.error);
  }
}

/**
 * The part of a conversation that answers the quick prompt: what follows its message, up to the next prompt.
 * null while the prompt still waits for its turn.
 */
export function answerTo(asked: Asked, view: ConversationView): TranscriptItem[] | null {
  if (asked.conversationId !== view.conversationId) return null;
  if (view.queue.some((input) => input.inputId === asked.inputId)) return null;
  if (asked.inputId === null) {
    const answer = view.items.findLast((item) => item.kind === "command" && item.line === asked.text.trim());
    return answer ? [answer] : [];
  }
  const start = view.items.findLastIndex(
    (item) => item.kind === "user" && item.origin === "quick" && item.text.trim() === asked.text.trim(),
  );
  if (start < 0) return [];
  const after = view.items.slice(start + 1);
  const next = after.findIndex((item) => item.kind === "user" && item.origin !== "steering");
  return next < 0 ? after : after.slice(0, next);
}
