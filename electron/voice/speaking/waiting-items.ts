import type { AgentEvent } from "../../../shared/conversation/events.ts";
import type { Settings } from "../../../shared/settings.ts";
import { type WaitingItem, waitingItem, waitingLines } from "./waiting-lines.ts";

export interface WaitingItemsOptions {
  settings(): Settings;
  /** Nothing is being said, and nothing waits to be. */
  isSilent(): boolean;
  chime(): void;
  /** Says sentences about an item. */
  add(conversationId: string, id: string, sentences: readonly string[]): void;
}

/** What waits for the user's word: told once, behind the reply, when nobody speaks. */
export class WaitingItems {
  readonly #options: WaitingItemsOptions;
  #items: WaitingItem[] = [];
  #isMeeting = false;
  /** Somebody speaks into the microphone, or their words are on their way. */
  #isUserSpeaking = false;

  constructor(options: WaitingItemsOptions) {
    this.#options = options;
  }

  /** A meeting is listened to: nothing is said into it unasked. */
  get isMeeting(): boolean {
    return this.#isMeeting;
  }

  hear({ state, source }: Extract<AgentEvent, { type: "voice.state" }>): void {
    this.#isMeeting = source === "both" && state !== "off" && state !== "failed";
    this.#isUserSpeaking = source !== "loopback" && (state === "hearing" || state === "transcribing");
    this.tell();
  }

  add(asked: Parameters<typeof waitingItem>[0]): void {
    this.#items.push(waitingItem(asked));
    this.tell();
  }

  /** What was not told yet is told, when nobody speaks and nothing else is said. */
  tell(): void {
    if (!this.#options.isSilent() || this.#isUserSpeaking) return;
    if (this.#items.every(({ isTold }) => isTold)) return;
    const { "voice.speak": when, "voice.chime": chimes } = this.#options.settings();
    const lines = waitingLines(this.#items);
    for (const item of this.#items) item.isTold = true;
    if (this.#isMeeting) return;
    if (chimes) this.#options.chime();
    if (when === "never") return;
    for (const { conversationId, id, sentences } of lines) this.#options.add(conversationId, id, sentences);
  }

  /** Tells once more what waits in the conversation of an item. @returns whether it waits */
  tellAgain(id: string): boolean {
    const last = this.#items.find((item) => item.id === id);
    if (!last) return false;
    for (const item of this.#items) if (item.conversationId === last.conversationId) item.isTold = false;
    this.tell();
    return true;
  }

  answered(id: string): void {
    this.#items = this.#items.filter((item) => item.id !== id);
  }

  /** The run of a conversation has ended: nothing waits there. */
  leave(conversationId: string): void {
    this.#items = this.#items.filter((item) => item.conversationId !== conversationId);
  }

  clear(): void {
    this.#items = [];
  }
}
