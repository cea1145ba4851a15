import type { ServerEntry } from "./config-schema.ts";
import type { Asker, ConnectionParts } from "./ports.ts";
import type { ServerLog } from "./server-log.ts";

/** What one connection to a server is made from. */
export interface ConnectionOptions {
  name: string;
  /** As whom it asks. */
  asker: Asker;
  /** With its variables filled in. */
  entry: ServerEntry;
  parts: ConnectionParts;
  log: ServerLog;
  /** Ends the start. */
  signal: AbortSignal;
  /** Whether the user asked for the connection: a browser may be opened, and addresses asked that the server names. */
  mayAsk(): boolean;
  /** The user is to sign in there, or is not any more. */
  onBrowser(isOpen: boolean): void;
  /** The lists of tools or prompts are new. */
  onListChanged(): void;
}
