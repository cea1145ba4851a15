/** The fence of the operating system around what a model runs. It holds whatever the command says. */

/** Whether the fence is there, found by running a real fenced command. */
export type FenceState =
  | { isThere: true }
  | {
      isThere: false;
      /** One line for the user: what is missing, or what refuses. */
      why: string;
      /** The one line that mends it, such as a command for a terminal; null: nothing does here. */
      mend: string | null;
      /** It is being looked for, the first time or again. */
      isChecking?: boolean | undefined;
    };

/**
 * How a call's command runs. `look`: fenced, writing nowhere but its own temporary folder. `change`: fenced, writing in
 * the working folder, too. `outside`: without a fence.
 */
export type Confinement = "look" | "change" | "outside";

/** The fences of all conversations. */
export interface Fences {
  /** As it was last found; `isThere: false` until it was looked for. */
  state(): FenceState;
  /** Looks again. */
  check(): Promise<FenceState>;
  /** Whether it was missing, and what it needs is not as it was then, such as after an installation. */
  hasChanged(): boolean;
  /** The fence of a conversation in its folder; its process is started by its first command. */
  of(conversationId: string, folder: string): Fence;
  /** Hosts that were allowed or denied in the conversation are asked for again. */
  forgetHosts(conversationId: string): void;
  /** Ends what the conversation's fence runs, and forgets the hosts that it was allowed. */
  forget(conversationId: string): Promise<void>;
  dispose(): Promise<void>;
}

/** The fence of one conversation. */
export interface Fence {
  /**
   * Makes a command fenced. Whoever calls it has bash run `line` in the command's folder with `env` and nothing else, and
   * calls `ended` exactly once, whatever became of it.
   * @throws FenceError when it cannot be fenced: then nothing may run
   */
  wrap(command: FencedCommand): Promise<WrappedCommand>;
}

export interface FencedCommand {
  /** A command line for bash. */
  command: string;
  /** Absolute, free of links, in the working folder. */
  folder: string;
  /** The whole environment of the command. */
  env: Readonly<Record<string, string>>;
  confinement: Exclude<Confinement, "outside">;
  /** What rules deny: hidden, and read-only. `globs` are absolute; `fits` takes an absolute path. */
  denied?: { globs: readonly string[]; fits(path: string): boolean } | undefined;
  /** Absolute paths that a rewind could not restore: read-only. */
  readOnly: readonly string[];
  /** Folders beside the working folder that it may read and write: the caller's own; absolute, free of links. */
  writable?: readonly string[] | undefined;
  /** Asks the user for a host. Absent: none is asked for, all are refused. */
  askHost?: ((host: FenceHost, ended: AbortSignal) => Promise<boolean>) | undefined;
  /** Told when the command begins and ceases to wait for the user: that time counts for no limit. */
  onWait?: ((waits: boolean) => void) | undefined;
}

export interface FenceHost {
  host: string;
  port: number;
}

export interface WrappedCommand {
  /** One simple command for bash. */
  line: string;
  env: Readonly<Record<string, string>>;
  /** To be called once it runs. @param end ends all of it; called where it goes beyond its bounds */
  started(pid: number, end: () => void): void;
  /** While it runs: puts aside what has appeared and must not stay. Never throws. */
  look(): Promise<Pick<FenceReport, "putAside" | "notes">>;
  /** Puts aside what must not stay, and says what the fence refused. Never throws. */
  ended(output: string, exitCode: number | null): Promise<FenceReport>;
}

/** What the fence refused, as far as it knows. */
export interface FenceReport {
  /** Exactly. */
  refusedHosts: readonly (FenceHost & { why: string })[];
  /** Lines for whoever reads the command's output: what may have been refused, what is hidden, what was put aside. */
  notes: readonly string[];
  /** What appeared of files that decide what runs elsewhere; null: nothing. */
  putAside: PutAside | null;
  /** Why the command was ended as a whole, such as too many processes; null: it was not. */
  ended: string | null;
}

/** Files that decide what runs elsewhere, taken out of the working folder until the user approves them. */
export interface PutAside {
  /** Where they were: the working folder; absolute. */
  folder: string;
  /** Where they are now: a folder of their own; absolute. */
  place: string;
  /** Relative to both. */
  paths: readonly string[];
  /** What the card shows of them. */
  detail: string;
  /** Puts them back. What is there meanwhile stays. @throws Error in words */
  putBack(): Promise<void>;
}

/** The fence could not be put up, in words for the user; nothing was run. */
export class FenceError extends Error {
  override readonly name = "FenceError";
}
