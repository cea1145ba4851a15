import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../../agent/ports/ports.ts";
import type { ServerList } from "./read-list.ts";

export interface KeptListOptions<T> {
  clock: Pick<Clock, "sleep">;
  /** Reads it whole. @param signal ends it */
  read(signal: AbortSignal): Promise<ServerList<T>>;
  /** Ends what goes on by itself. */
  ended: AbortSignal;
  /** It is another one. */
  onChange(): void;
  /** A change that could not be read: the list stays as it was. */
  onFailure(error: unknown): void;
}

/** Milliseconds between two readings in a row. Servers say that a list has changed many times at once, and some each time it is read. */
const firstPause = 250;
const longestPause = 30_000;

/** A list of a server's: read at its start, and again when the server says that it has changed, one reading at a time. */
export class KeptList<T> {
  readonly #options: KeptListOptions<T>;
  #list: ServerList<T> = { items: [], leftOut: [] };
  #isReading = false;
  #isDue = false;

  constructor(options: KeptListOptions<T>) {
    this.#options = options;
  }

  get items(): readonly T[] {
    return this.#list.items;
  }

  get leftOut(): readonly string[] {
    return this.#list.leftOut;
  }

  /** The first reading. @throws what it throws */
  async load(signal: AbortSignal): Promise<void> {
    this.#isReading = true;
    try {
      this.#list = await this.#options.read(signal);
    } finally {
      this.#isReading = false;
    }
    if (this.#isDue) void this.#follow(firstPause);
  }

  /** The server says that it is another one. */
  changed(): void {
    this.#isDue = true;
    if (!this.#isReading) void this.#follow(0);
  }

  async #follow(firstWait: number): Promise<void> {
    const { clock, ended } = this.#options;
    this.#isReading = true;
    try {
      for (
        let pause = firstWait;
        this.#isDue;
        pause = Math.min(Math.max(2 * pause, firstPause), longestPause)
      ) {
        if (pause > 0) await clock.sleep(pause, ended);
        this.#isDue = false;
        await this.#readAgain();
      }
    } catch {
      // The connection has ended.
    } finally {
      this.#isReading = false;
    }
  }

  async #readAgain(): Promise<void> {
    const { read, ended, onChange, onFailure } = this.#options;
    try {
      const list = await read(ended);
      if (isDeepStrictEqual(list, this.#list)) return;
      this.#list = list;
      onChange();
    } catch (error) {
      if (!ended.aborted) onFailure(error);
    }
  }
}
