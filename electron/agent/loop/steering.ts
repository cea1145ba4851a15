import type { AgentEventBody } from "../../../shared/conversation/events.ts";
import type { SpeechSource } from "../../../shared/conversation/messages.ts";
import type { PromptInput } from "../context/prompt-content.ts";

/** Words for a running turn, with all that came with them. */
export interface SteeringWords extends PromptInput {
  /** Where they were heard; null: they were not spoken. */
  source: SpeechSource | null;
}

/** The user's words that wait to enter the running turn, or to go before the next prompt. None is ever dropped. */
export class Steering {
  readonly #waiting: SteeringInput[] = [];
  readonly #newId: () => string;
  readonly #emit: (body: AgentEventBody) => void;

  constructor(newId: () => string, emit: (body: AgentEventBody) => void) {
    this.#newId = newId;
    this.#emit = emit;
  }

  get waits(): boolean {
    return this.#waiting.length > 0;
  }

  /** @param id that its message will have @returns the id */
  add(words: SteeringWords, id: string = this.#newId()): string {
    this.#waiting.push({ id, words });
    this.#emit({ type: "steering.received", steeringId: id, text: words.text });
    return id;
  }

  /**
   * Hands over one after the other, in the order they came. What could not be kept stays waiting.
   * @throws what `deliver` throws
   */
  async drain(deliver: (input: SteeringInput) => Promise<void>): Promise<void> {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      await deliver(next);
      this.#waiting.shift();
    }
  }
}

interface SteeringInput {
  id: string;
  words: SteeringWords;
}
