import type { AgentEventBody } from "../../../shared/conversation/events.ts";

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

  /** @returns the id that its message will have */
  add(text: string): string {
    const id = this.#newId();
    this.#waiting.push({ id, text });
    this.#emit({ type: "steering.received", steeringId: id, text });
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
  text: string;
}
