import type { Readable, Writable } from "node:stream";
import type {
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequest,
  ElicitResult,
} from "@modelcontextprotocol/sdk/types.js";
import type { Clock, Fence } from "../agent/ports/ports.ts";
import type { ServerConfig } from "./config/config-schema.ts";
import type { VariableSources } from "./config/expand.ts";
import type { PutAsideFiles } from "./connection/pending-files.ts";

/** A running server program. */
export interface ServerProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The program itself has ended. */
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  /** Ends it with everything that it started. Any number of calls are one. */
  end(): Promise<void>;
}

/** Starts a program in a process group of its own, which ends with us however we end. @throws Error when it cannot */
export type SpawnServer = (
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>> },
) => Promise<ServerProcess>;

/** The fence of one server's program. */
export interface ServerFence {
  fence: Fence;
  /** For the server alone: its home. Absolute, free of links, there. */
  dataFolder: string;
  /** Ends all that is left of it. */
  forget(): Promise<void>;
}

/** Where tokens are kept. Names hold no secret. */
export interface SecretStore {
  read(name: string): Promise<string | undefined>;
  /** undefined removes it. */
  write(name: string, value: string | undefined): Promise<void>;
}

/** A server that asks something: two folders may each have one of the same name, so it is known by its identity. */
export interface Asker {
  readonly name: string;
}

/** A server that asks the model something. The user sees it before it is answered. @throws when they do not allow it */
export type Sampling = (
  server: Asker,
  request: CreateMessageRequest["params"],
  signal: AbortSignal,
) => Promise<CreateMessageResult>;

/** A server that asks the user something: a form, or an address to open. */
export type Elicitation = (
  server: Asker,
  request: ElicitRequest["params"],
  signal: AbortSignal,
) => Promise<ElicitResult>;

/** What every connection needs from outside. */
export interface ConnectionContext {
  clock: Clock;
  spawn: SpawnServer;
  /** All HTTP goes through it: the system's proxy and certificates are its business. */
  fetch: typeof fetch;
  secrets: SecretStore;
  /**
   * Whether a name or an address leads to the public internet and nowhere else, as far as can be known here: what a server
   * names for signing in may be no private one.
   */
  isPublicHost(host: string): Promise<boolean>;
  /** Opens an address in the system's browser. */
  openExternal(url: string): Promise<void>;
  /** The variables of a server process, without those of its entry. */
  childEnvironment(): Promise<Record<string, string>> | Record<string, string>;
  /** What `${NAME}` in an entry stands for. @param folder whose `.env` counts beside the user's own; null: none */
  variables(folder: string | null): VariableSources;
  /** Whether a fence can be had, as it was last found. Absent: no. */
  isFenceThere?(): boolean;
  /**
   * A new fence for the program of an entry. Absent, or null: there is none here.
   * @param folder that it may write to, beside its data
   */
  fenceFor?(config: ServerConfig, folder: string): ServerFence | null;
  /** Puts files back into a folder that they were taken out of. Absent: nothing is taken out here. @throws Error in words */
  putBack?(files: PutAsideFiles): Promise<void>;
  workingFolder: string;
  /** Where an unfenced program starts whose entry names no folder. Not said: in the working folder. */
  startFolder?: string | undefined;
  home: string;
  /** Of Parley. */
  version: string;
  /** Without it a server is told that it cannot ask the model. */
  sampling?: Sampling | undefined;
  /** Without it a server is told that it cannot ask the user. */
  elicitation?: Elicitation | undefined;
}
