/**
 * The ids that the calls of a conversation and of its run's sub-agents have. Some servers count their calls from 0 in every
 * reply, but what is kept for a rewind, what is asked, and what the user stops go by the id: none may stand twice.
 */
export class CallIds {
  readonly #kept: () => Iterable<string>;
  #taken: Set<string> | null = null;

  /** @param kept those of the conversation's earlier runs, on whichever branch; asked for once, when an id is taken */
  constructor(kept: () => Iterable<string>) {
    this.#kept = kept;
  }

  /** @returns whether nobody had it: whoever asked has it now */
  take(id: string): boolean {
    this.#taken ??= new Set(this.#kept());
    if (this.#taken.has(id)) return false;
    this.#taken.add(id);
    return true;
  }
}
