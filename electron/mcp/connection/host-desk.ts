import type { FenceHost } from "../../agent/ports/ports.ts";

interface Waiting {
  host: FenceHost;
  answer(isAllowed: boolean): void;
}

/** Hosts that a fenced server wants to reach, until the user says whether it may. */
export class HostDesk {
  readonly #isKnown: (host: string) => boolean;
  readonly #keep: (host: string) => void;
  readonly #onChange: () => void;
  readonly #waiting = new Map<string, Waiting>();

  /** @param isKnown whether the user allowed it before, as `host:port`; `keep` is told what they allow */
  constructor(parts: { isKnown(host: string): boolean; keep(host: string): void; onChange(): void }) {
    this.#isKnown = parts.isKnown;
    this.#keep = parts.keep;
    this.#onChange = parts.onChange;
  }

  /** What waits for the user, as `host:port`, oldest first. */
  get waiting(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  /** @returns whether it may be reached; false when the server ends before that is known */
  async ask(host: FenceHost): Promise<boolean> {
    const name = `${host.host}:${host.port}`;
    if (this.#isKnown(name)) return true;
    return await new Promise<boolean>((resolve) => {
      const before = this.#waiting.get(name);
      const answer = (isAllowed: boolean) => {
        before?.answer(isAllowed);
        resolve(isAllowed);
      };
      this.#waiting.set(name, { host, answer });
      this.#onChange();
    });
  }

  /** @throws Error when it does not wait */
  answer(name: string, isAllowed: boolean): void {
    const waiting = this.#waiting.get(name);
    if (!waiting) throw new Error(`No server waits for \`${name}\`.`);
    if (isAllowed) this.#keep(name);
    this.#waiting.delete(name);
    waiting.answer(isAllowed);
    this.#onChange();
  }

  /** The server ended: nobody waits any more. */
  clear(): void {
    for (const { answer } of this.#waiting.values()) answer(false);
    this.#waiting.clear();
  }
}
