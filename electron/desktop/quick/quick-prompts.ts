import type { IpcPush } from "../../../shared/ipc/push.ts";
import type { Conversation } from "../../agent/conversation/conversation.ts";
import type { QuickConversation } from "../../agent/conversation/quick-conversation.ts";
import type { VoiceService } from "../../voice/session/voice-service.ts";
import type { QuickOpening } from "../windows/quick-window.ts";
import { readSelection } from "./selection.ts";

export interface QuickPromptsOptions {
  quick: QuickConversation;
  voice: Pick<VoiceService, "status" | "listen" | "stop" | "mute" | "moveTo" | "isQuick" | "setQuick">;
  /** The quick prompt is in sight. */
  isOpen(): boolean;
  /** Tells its page. */
  tell(message: IpcPush): void;
}

/** Words for the quick prompt's microphone: `stop` sends what was being said, `drop` does not. */
export type ListenMove = "start" | "stop" | "drop";

/** What the quick prompt does in main: where its prompts go, and listening for them. */
export class QuickPrompts {
  readonly #quick: QuickConversation;
  readonly #voice: QuickPromptsOptions["voice"];
  readonly #isOpen: QuickPromptsOptions["isOpen"];
  readonly #tell: QuickPromptsOptions["tell"];

  constructor({ quick, voice, isOpen, tell }: QuickPromptsOptions) {
    this.#quick = quick;
    this.#voice = voice;
    this.#isOpen = isOpen;
    this.#tell = tell;
  }

  /** What is said now is said to the quick prompt. */
  get isListening(): boolean {
    return this.#voice.isQuick;
  }

  /** The quick prompt is in sight with this conversation. */
  shows(conversationId: string): boolean {
    return this.#isOpen() && this.#quick.current()?.conversation.id === conversationId;
  }

  async opening(): Promise<QuickOpening> {
    const selection = await readSelection();
    const current = this.#quick.current() ?? this.#quick.last();
    return {
      selection,
      conversation: current && {
        conversationId: current.conversation.id,
        title: current.conversation.title,
        usedAt: current.usedAt,
        isGoingOn: this.#quick.current() !== null,
      },
    };
  }

  /** For a prompt, typed or spoken. */
  take(): Conversation {
    return this.#quick.take();
  }

  /** Where `@` looks before there is a prompt; null: where a new conversation works. */
  get folder(): string | null {
    return this.#quick.current()?.conversation.workingFolder ?? null;
  }

  /** The next prompt begins another conversation. What is heard belongs to none before that. */
  async begin(): Promise<void> {
    await this.#dropHere();
    this.#quick.forget();
  }

  /** The same by a word of the user's or of the model's: where the quick prompt listens, it goes on in the next one. */
  beginByWord(): void {
    this.#quick.forget();
    if (this.isListening) this.#voice.moveTo(this.#quick.take());
    this.#tell({ type: "quick-begun" });
  }

  /** @returns the conversation's id @throws Error where it is gone */
  goOn(): string {
    const conversation = this.#quick.goOn();
    if (!conversation) throw new Error("That conversation is no longer open.");
    return conversation.id;
  }

  /** @returns where the words go @throws Error where voice writes a meeting down, or cannot be had */
  async listen(move: ListenMove): Promise<string> {
    const { id } = this.#quick.take();
    if (move === "drop") await this.#dropHere();
    else if (move === "stop") await this.#voice.stop();
    else await this.#start(id);
    return id;
  }

  /** Out of sight: nobody sees any more that it listens. */
  async hidden(): Promise<void> {
    this.#quick.touch();
    await this.#dropHere();
  }

  /** The main window shows its conversation, and that it listens there. */
  handedOver(): void {
    this.#voice.setQuick(false);
  }

  async #start(id: string): Promise<void> {
    const { conversationId, source, state } = this.#voice.status();
    // One that is being stopped hears nothing more: another one follows it.
    if (conversationId === id && state !== "stopping") return this.#voice.setQuick(true);
    if (conversationId !== null && source !== "microphone") {
      throw new Error("Voice is not listening to the microphone. Stop it first.");
    }
    // Voice is in one conversation at a time: the one in front of the user.
    if (conversationId !== null) await this.#voice.stop();
    // It may have been closed while that took its time, and another press may have begun.
    if (!this.#isOpen()) return;
    await this.#voice.listen(this.#quick.take(), { source: "microphone", isHandsFree: true, isQuick: true });
  }

  async #dropHere(): Promise<void> {
    if (!this.isListening) return;
    // What was being said when it stops would become a prompt. A server that cannot mute is stopped all the same.
    await this.#voice.mute(true).catch(() => {});
    await this.#voice.stop();
  }
}
