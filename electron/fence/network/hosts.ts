import type { FencedCommand, FenceHost } from "../../agent/ports/ports.ts";

type Asking = Pick<FencedCommand, "askHost" | "onWait">;

interface Asker {
  askHost(host: FenceHost, ended: AbortSignal): Promise<boolean>;
  ended: AbortSignal;
}

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
  readonly #running = new Map<Asking, AbortController>();
  /** Why a host is not even asked for, whatever was answered before; null: it is. */
  readonly #refusal: (host: FenceHost) => string | null;
  #waits = 0;

  constructor(refusal: (host: FenceHost) => string | null) {
    this.#refusal = refusal;
  }

  /** A command begins that may ask. What it asked for and nobody answered yet is asked no more when it ends. */
  begin(command: Asking): { end(): void } {
    const ended = new AbortController();
    this.#running.set(command, ended);
    if (this.#waits > 0) command.onWait?.(true);
    return {
      end: () => {
        this.#running.delete(command);
        ended.abort(new Error("the command that asked for it has ended"));
      },
    };
  }

  async ask({ host, port }: FenceHost): Promise<HostAnswer> {
    const why = this.#refusal({ host, port });
    if (why !== null) return { allowed: false, why };
    const key = `${host.toLowerCase().replace(/\.$/, "")}:${port}`;
    const known = this.#answers.get(key) ?? this.#askUser(key, { host, port });
    return (await known) ? { allowed: true, why: "" } : { allowed: false, why: "the user did not allow it" };
  }

  forget(): void {
    this.#answers.clear();
  }

  #askUser(key: string, host: FenceHost): Promise<boolean> {
    const asking = this.#whoAsks();
    if (!asking) return Promise.resolve(false);
    this.#tell(1);
    const answer = this.#askBy(asking, host).finally(() => this.#tell(-1));
    this.#answers.set(key, answer);
    // What could not be asked is asked again.
    answer.catch(() => this.#answers.delete(key));
    return answer;
  }

  /** When the command ends that it is asked for, it is asked for another one that is left. */
  async #askBy({ askHost, ended }: Asker, host: FenceHost): Promise<boolean> {
    try {
      return await askHost(host, ended);
    } catch (error) {
      const next = ended.aborted ? this.#whoAsks() : null;
      if (!next) throw error;
      return await this.#askBy(next, host);
    }
  }

  /** The newest command that may ask. */
  #whoAsks(): Asker | null {
    const [command, ended] = [...this.#running].findLast(([one]) => one.askHost !== undefined) ?? [];
    return command?.askHost && ended ? { askHost: command.askHost, ended: ended.signal } : null;
  }

  #tell(change: 1 | -1): void {
    const before = this.#waits > 0;
    this.#waits += change;
    if (before === this.#waits > 0) return;
    for (const command of this.#running.keys()) command.onWait?.(this.#waits > 0);
  }
}
