import type { FenceHost, ToolContext } from "../../agent/ports/ports.ts";

type Answer = { allowed: boolean; reason?: string };

interface Waiting {
  host: FenceHost;
  /** Those that wait for the same host. */
  answers: ((isAllowed: boolean) => void)[];
  /** Where it is asked beside the list. */
  card: { call: ToolContext; settle(answer: Answer): void } | null;
}

export interface PendingHostsOptions {
  /** Who wants to reach them. */
  name: string;
  /** Whether the user allowed it before, as `host:port`. */
  isKnown(host: string): boolean;
  /** Told what the user allows. */
  keep(host: string): void;
  onChange(): void;
}

/**
 * Hosts that a fenced server wants to reach, until the user says whether it may: in the list of servers, and by a card in the
 * conversation whose call waits. Whichever is answered first counts.
 */
export class PendingHosts {
  readonly #options: PendingHostsOptions;
  readonly #waiting = new Map<string, Waiting>();
  #calls: readonly ToolContext[] = [];

  constructor(options: PendingHostsOptions) {
    this.#options = options;
  }

  /** What waits for the user, as `host:port`, oldest first. */
  get waiting(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  /** @returns whether it may be reached; false when the server ends before that is known */
  async ask(host: FenceHost): Promise<boolean> {
    const name = `${host.host}:${host.port}`;
    if (this.#options.isKnown(name)) return true;
    return await new Promise<boolean>((resolve) => {
      const waiting = this.#waiting.get(name) ?? { host, answers: [], card: null };
      waiting.answers.push(resolve);
      this.#waiting.set(name, waiting);
      this.#showCards();
      this.#options.onChange();
    });
  }

  /** @throws Error when it does not wait */
  answer(name: string, isAllowed: boolean): void {
    const waiting = this.#waiting.get(name);
    if (!waiting) throw new Error(`No server waits for \`${name}\`.`);
    if (isAllowed) this.#options.keep(name);
    this.#waiting.delete(name);
    for (const tell of waiting.answers) tell(isAllowed);
    const reason = "Answered in the list of servers.";
    waiting.card?.settle({ allowed: isAllowed, ...(!isAllowed && { reason }) });
    this.#options.onChange();
  }

  /** A call goes on that may wait for a host. What the computer's sound asked for asks nobody. @returns to be called when it ends */
  openCall(call: ToolContext): () => void {
    if (call.source === "loopback") return () => {};
    this.#calls = [...this.#calls, call];
    this.#showCards();
    return () => {
      this.#calls = this.#calls.filter((other) => other !== call);
      for (const waiting of this.#waiting.values()) {
        if (waiting.card?.call !== call) continue;
        const { settle } = waiting.card;
        waiting.card = null;
        settle({ allowed: false, reason: "The call has ended. It waits in the list of servers." });
      }
      this.#showCards();
    };
  }

  /** The server ended: nobody waits any more. */
  clear(): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { answers, card } of all) {
      for (const tell of answers) tell(false);
      card?.settle({ allowed: false, reason: "The server has ended." });
    }
  }

  /** One for each that has none. A connection does not say whose it is: the newest call is asked. */
  #showCards(): void {
    const call = this.#calls.findLast(({ signal }) => !signal.aborted);
    if (!call) return;
    for (const [name, waiting] of this.#waiting) if (!waiting.card) void this.#showCard(name, waiting, call);
  }

  async #showCard(name: string, waiting: Waiting, call: ToolContext): Promise<void> {
    let settle: (answer: Answer) => void = () => {};
    const elsewhere = new Promise<Answer>((resolve) => {
      settle = resolve;
    });
    const card = { call, settle };
    waiting.card = card;
    const { host } = waiting.host;
    const asked = call.approve(
      {
        name: this.#options.name,
        effect: "network",
        wish: { who: this.#options.name, what: `to connect to ${host}`, lasts: true },
        detail: `${name}\nAllowed, this server reaches this host from now on, and can send it what it reads.`,
        why: "It runs in the fence, and has not reached this host before.",
      },
      elsewhere,
    );
    const { allowed } = await asked.catch(() => ({ allowed: false }));
    const isAnswered = this.#waiting.get(name) !== waiting || waiting.card !== card;
    if (isAnswered) return;
    if (call.signal.aborted) {
      // The end of a run is no answer.
      waiting.card = null;
      this.#showCards();
    } else this.answer(name, allowed);
  }
}
