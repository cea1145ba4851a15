import type { Clock } from "../../agent/ports/ports.ts";

/** A session that told nothing for so long has ended, or hears nothing. */
const latestMs = 250;

/** One meter over several sessions that are heard side by side, such as both sides of a meeting: the loudest counts. */
export class LouderLevel {
  readonly #clock: Pick<Clock, "now">;
  readonly #levels = new Map<string, { level: number; at: number }>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** @param level RMS 0–1, of one session @returns that of all */
  add(level: number, sessionId: string): number {
    const at = this.#clock.now();
    this.#levels.set(sessionId, { level, at });
    for (const [id, other] of this.#levels) if (at - other.at > latestMs) this.#levels.delete(id);
    return Math.max(...[...this.#levels.values()].map((one) => one.level));
  }
}
