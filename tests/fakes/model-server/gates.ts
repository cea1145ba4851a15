/** Named points where a stream waits until a test lets it go on: tests wait for events instead of for time. */
export class Gates {
  readonly #gates = new Map<string, Gate>();
  #allOpen = false;

  /** Waits at the gate until it is released. */
  async wait(name: string): Promise<void> {
    const gate = this.#gate(name);
    gate.reached();
    if (!this.#allOpen) await gate.opened;
  }

  /** Resolves when somebody has come to the gate. */
  async held(name: string): Promise<void> {
    await this.#gate(name).held;
  }

  release(name: string): void {
    this.#gate(name).open();
  }

  releaseAll(): void {
    this.#allOpen = true;
    for (const gate of this.#gates.values()) gate.open();
  }

  #gate(name: string): Gate {
    const known = this.#gates.get(name);
    if (known) return known;
    const gate = newGate();
    this.#gates.set(name, gate);
    return gate;
  }
}

interface Gate {
  held: Promise<void>;
  reached(): void;
  opened: Promise<void>;
  open(): void;
}

function newGate(): Gate {
  let reached = () => {};
  let open = () => {};
  const held = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { held, reached, opened, open };
}
