import type { AgentEvent } from "../../shared/events.ts";
import type { Message } from "../../shared/messages.ts";
import type { ConversationStore, StoredConversation, StoredToolCall } from "./ports.ts";

/** They come by the hundred; the message, the utterance and the stored output stand for them. */
const passing: ReadonlySet<AgentEvent["type"]> = new Set([
  "text.delta",
  "thinking.delta",
  "voice.partial",
  "tool.output",
]);

/** One conversation in the store. It is kept from its first run on: one that was only looked at leaves nothing. */
export class ConversationRecord {
  readonly #store: ConversationStore;
  readonly #describe: () => StoredConversation;
  readonly #reportError: (error: unknown) => void;
  #isKept: boolean;
  /** What happened before it was kept. */
  #held: AgentEvent[] = [];

  /** @param isKept whether it came from the store */
  constructor(
    store: ConversationStore,
    describe: () => StoredConversation,
    reportError: (error: unknown) => void,
    isKept: boolean,
  ) {
    this.#store = store;
    this.#describe = describe;
    this.#reportError = reportError;
    this.#isKept = isKept;
  }

  /** Keeps it as it is now. @throws StoreError */
  save(): void {
    this.#store.saveConversation(this.#describe());
    this.#isKept = true;
    for (const event of this.#held.splice(0)) this.event(event);
  }

  /** Returns when it is durable. @throws StoreError */
  message(message: Message, calls?: readonly StoredToolCall[]): void {
    if (!this.#isKept) this.save();
    this.#store.appendMessage(this.#describe().id, message, calls);
  }

  /** Never throws: the log informs, so a full disk must not end a run by it. */
  event(event: AgentEvent): void {
    if (passing.has(event.type)) return;
    if (!this.#isKept) {
      this.#held.push(event);
      return;
    }
    try {
      this.#store.appendEvent(event);
    } catch (error) {
      this.#reportError(error);
    }
  }
}
