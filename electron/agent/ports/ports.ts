/** What the agent needs from outside. It imports nothing but these, `files/` and `shared/`; `compose/` passes the parts in. */

export { outsideTag, overheardTag, spokenTag } from "../../../shared/conversation/data-marks.ts";
export * from "./conversation-store.ts";
export * from "./environment-port.ts";
export * from "./fence-port.ts";
export * from "./permission-port.ts";
export * from "./provider-port.ts";
export * from "./tool-port.ts";

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `run` once after `ms`: cheaper than a sleep that is nearly always ended early. @returns what calls it off */
  after(ms: number, run: () => void): () => void;
}
