import type { Clock } from "../ports/ports.ts";
import type { Conversation } from "./conversation.ts";
import type { Conversations } from "./conversations.ts";

/** How long after the quick prompt was last used its next prompt still follows on, in milliseconds. */
export const followUpMs = 10 * 60_000;

/** Which conversation quick prompts go to: follow-ups to the same one, until a new one is asked for or some time has passed. */
export class QuickConversation {
  readonly #conversations: Pick<Conversations, "get" | "beside">;
  readonly #clock: Pick<Clock, "now">;
  #last: { id: string; usedAt: number } | null = null;
  #isForgotten = false;

  constructor(conversations: Pick<Conversations, "get" | "beside">, clock: Pick<Clock, "now">) {
    this.#conversations = conversations;
    this.#clock = clock;
  }

  /** The one that the next prompt follows on in, and when it was last used; null: the next one begins another. */
  current(): { conversation: Conversation; usedAt: number } | null {
    const last = this.#isForgotten ? null : this.last();
    if (!last) return null;
    const isFresh = this.#clock.now() - last.usedAt <= followUpMs;
    // One that works is being waited for, however long that takes.
    return isFresh || isWorking(last.conversation) ? last : null;
  }

  /** The one that was used last, however long ago. */
  last(): { conversation: Conversation; usedAt: number } | null {
    const conversation = this.#last && this.#conversations.get(this.#last.id);
    return this.#last && conversation ? { conversation, usedAt: this.#last.usedAt } : null;
  }

  /** For a prompt: that one, or one that nobody has used yet. What the window shows stays what it is. */
  take(): Conversation {
    const conversation =
      this.current()?.conversation ?? this.#conversations.beside(this.last()?.conversation);
    this.#use(conversation);
    return conversation;
  }

  /** It was still in use just now, read or listened to. */
  touch(): void {
    const current = this.current();
    if (current) this.#use(current.conversation);
  }

  /** The next prompt begins another one. */
  forget(): void {
    this.#isForgotten = true;
  }

  /** Goes on with the one that was used last, however long ago. @returns null where it is gone */
  goOn(): Conversation | null {
    const conversation = this.last()?.conversation ?? null;
    if (conversation) this.#use(conversation);
    return conversation;
  }

  #use({ id }: Conversation): void {
    this.#last = { id, usedAt: this.#clock.now() };
    this.#isForgotten = false;
  }
}

const isWorking = ({ state }: Conversation) => state === "processing" || state === "awaiting_input";
