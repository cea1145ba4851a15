import type { FenceHost, PutAside, WrappedCommand } from "../../agent/ports/ports.ts";
import type { ServerEntry } from "../config/config-schema.ts";
import type { Asker, ConnectionContext, ServerFence } from "../ports.ts";
import type { ServerLog } from "./server-log.ts";

/** What one connection to a server is made from. */
export interface ConnectionOptions {
  name: string;
  /** As whom it asks. */
  asker: Asker;
  /** With its variables filled in. */
  entry: ServerEntry;
  context: ConnectionContext;
  log: ServerLog;
  /** Ends the start. */
  signal: AbortSignal;
  /** Whether the user asked for the connection: a browser may be opened, and addresses asked that the server names. */
  mayAsk(): boolean;
  /** The user is to sign in there, or is not any more. */
  onBrowser(isOpen: boolean): void;
  /** That its program runs in; null: none. */
  fence: ServerFence | null;
  /** The program in the fence wants to reach a host. @returns whether it may */
  askHost(host: FenceHost): Promise<boolean>;
  /** Its program has begun in the fence. */
  onFenced(program: WrappedCommand): void;
  /** It has ended there, and left what must not stay. */
  onLeft(files: PutAside): void;
  /** Whether it waits for the user, beside what it asked itself: that time counts for no limit. */
  isWaiting(): boolean;
  /** The lists of tools or prompts are new. */
  onListChanged(): void;
}
