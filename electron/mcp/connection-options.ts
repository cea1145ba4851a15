import type { ServerEntry } from "./config-schema.ts";
import type { ConnectionParts } from "./ports.ts";
import type { ServerLog } from "./server-log.ts";

/** What one connection to a server is made from. */
export interface ConnectionOptions {
  name: string;
  /** With its variables filled in. */
  entry: ServerEntry;
  parts: ConnectionParts;
  log: ServerLog;
  /** Ends the start. */
  signal: AbortSignal;
  /** Whether a browser may be opened. */
  mayAsk(): boolean;
  /** The lists of tools or prompts are new. */
  onListChanged(): void;
}
