import type { FencedCommand, FenceHost } from "../../agent/ports/ports.ts";

type Asking = Pick<FencedCommand, "askHost" | "onWait">;

export interface HostAnswer {
  allowed: boolean;
  /** Why not, as the command sees it. */
  why: string;
}

/**
 * The hosts of one conversation: each is asked for once, by whichever of its commands wants it first. A connection does
 * not say whose it is, so all that run wait meanwhile.
 */
export class AskedHosts {
  readonly #answers = new Map<string, Promise<boolean>>();
  readonly #running = new Set<Asking>();
  /** Why a host may not even be asked for; null: it may. */
  readonly #refusal: (host: string) => string | null;
  #waits = 0;

  constructor(refusal: (host: string) => string | null) {
    this.#refusal = refusal;
  }

  /** A command begins that may ask. */
  begin(command: Asking): { end(): void } {
    this.#running.add(command);
    if (this.#waits > 0) command.onWait?.(true);
    return { end: () => void this.#running.delete(command) };
  }

  async ask({ host, port }: FenceHost): Promise<HostAnswer> {
    const why = this.#refusal(host);
    if (why !== null) return { allowed: false, why };
    const key = `${host.toLowerCase().replace(/\.$/, "")}:${port}`;
    const known = this.#answers.get(key) ?? this.#askUser(key, { host, port });
    return (await known) ? { allowed: true, why: "" } : { allowed: false, why: "the user did not allow it" };
  }

  forget(): void {
    this.#answers.clear();
  }

  #askUser(key: string, host: FenceHost): Promise<boolean> {
    const asking = [...this.#running].findLast((command) => command.askHost !== undefined);
    if (!asking?.askHost) return Promise.resolve(false);
    this.#tell(1);
    const answer = asking.askHost(host).finally(() => this.#tell(-1));
    this.#answers.set(key, answer);
    // What could not be asked is asked again.
    answer.catch(() => this.#answers.delete(key));
    return answer;
  }

  #tell(change: 1 | -1): void {
    const before = this.#waits > 0;
    this.#waits += change;
    if (before === this.#waits > 0) return;
    for (const command of this.#running) command.onWait?.(this.#waits > 0);
  }
}
