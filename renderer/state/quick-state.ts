import type { ConversationView, TranscriptItem } from "../../shared/conversation/transcript.ts";
import type { IpcPush } from "../../shared/ipc.ts";
import { PageState } from "./page-state.ts";
import { Signal } from "./signal.ts";
import { Store } from "./store.ts";

/** The prompt that was sent last from this window. */
export interface Asked {
  conversationId: string;
  /** null for a command, which is answered without a run. */
  inputId: string | null;
  text: string;
}

/** The quick window: one prompt, its answer, and a way into the main window. */
export class QuickState extends PageState {
  readonly asked = new Store<Asked | null>(null);
  /** The window was opened anew: the text box is then empty and has the keyboard. */
  readonly opened = new Signal();

  /** @returns what ends the subscription */
  start(): () => void {
    void this.loadInfo();
    return this.bridge.onPush((push) => this.receive(push));
  }

  /** @param attached references, see `findAttachments` @returns false when it was not taken and must not be lost */
  submit = async (text: string, attached: readonly string[] = []): Promise<boolean> => {
    const beside = attached.length > 0 && { attachments: [...attached] };
    const taken = await this.attempt("conversation.submit", { text, origin: "quick", ...beside });
    if (!taken) return false;
    this.asked.set({ ...taken, text });
    await this.feed.open(taken.conversationId);
    return true;
  };

  openInWindow = (): void => {
    const conversationId = this.asked.get()?.conversationId;
    void this.attempt("window.open", conversationId === undefined ? {} : { conversationId });
  };

  /** @param heightPx of what is shown, in CSS pixels */
  fit = (heightPx: number): void => void this.report("quick.resize", { heightPx: Math.ceil(heightPx) });

  close = (): void => void this.attempt("quick.close", undefined);

  protected override receive(push: IpcPush): void {
    super.receive(push);
    if (push.type !== "focus-composer") return;
    this.asked.set(null);
    this.failure.set(null);
    this.opened.emit();
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
