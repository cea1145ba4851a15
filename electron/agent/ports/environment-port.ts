import type { Settings } from "../../../shared/settings.ts";
import type { Fence, FencedCommand, FenceReport } from "./fence-port.ts";

/**
 * The only way for tools to files and processes. Paths are relative to the working directory or absolute inside it;
 * what lies outside is refused, symbolic links followed. Nobody who swaps folders and links meanwhile leads a file
 * operation out of it.
 * @throws EnvironmentError
 */
export interface ExecutionEnvironment {
  readonly workingDirectory: string;
  readonly platform: NodeJS.Platform;
  /** The kernel's version. */
  readonly osVersion: string;
  /**
   * At most `maxBytes` from the start.
   * @param options.links "refuse" for a path that was judged by where it leads: it leads there or is not read
   */
  readFile(
    path: string,
    options: { maxBytes: number; links?: "refuse" },
  ): Promise<{ bytes: Uint8Array; totalBytes: number }>;
  /** Whole or not at all; parents are made, an existing file keeps its mode. */
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
  fileExists(path: string): Promise<boolean>;
  deleteFile(path: string): Promise<void>;
  moveFile(from: string, to: string): Promise<void>;
  stat(path: string): Promise<FileStat>;
  listDirectory(path: string): Promise<DirectoryEntry[]>;
  /** Runs a shell command in a process group of its own; at the end of it nothing of the group is left. */
  execCommand(command: string, options: ExecOptions): Promise<ExecResult>;
  /** @returns lines, and whether there were more than `limit` */
  grep(options: GrepOptions): Promise<{ lines: string[]; truncated: boolean }>;
  /** Files that match, newest first, and whether there were more than `limit`. */
  glob(options: { pattern: string; path?: string | undefined; limit: number; signal: AbortSignal }): Promise<{
    paths: string[];
    truncated: boolean;
  }>;
  /**
   * The same, for one call: these paths lead where they lead now, and are refused when they lead elsewhere by then. What is
   * decided about them holds for what is done.
   */
  pinned?(paths: readonly string[]): Promise<ExecutionEnvironment>;
  /** Where a pinned path leads: relative to the working directory, free of links. Undefined for others, and where nobody can tell. */
  leadsTo?(path: string): string | undefined;
  /**
   * A path of a call from the working folder, in the letters of the names that are there: the same letters can be written in
   * several ways.
   * @param from.folder where a relative path begins, if not in the working folder
   * @param from.isLoose a name with other signs that look alike will do, too
   */
  ownName(path: string, from: { folder: string | undefined; isLoose: boolean }): string;
  /** Ends what still runs. */
  cleanup(): Promise<void>;
}

export interface DirectoryEntry {
  name: string;
  kind: "file" | "directory" | "symlink" | "other";
  /** Bytes; undefined for anything but files. */
  size?: number;
}

export interface FileStat {
  kind: DirectoryEntry["kind"];
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  modifiedAt: number;
  /** Permission bits. */
  mode: number;
}

export interface ExecOptions {
  timeoutMs: number;
  signal: AbortSignal;
  /** Relative to the working directory. */
  workingDirectory?: string | undefined;
  /** Which of our own variables the child gets. */
  environmentPolicy: Settings["environmentPolicy"];
  /** Variables that it gets beside them, or in place of one. */
  variables?: Readonly<Record<string, string>> | undefined;
  /** How it is fenced in; null: not at all. */
  fence: FencedRun | null;
  /** Output as it comes, stdout and stderr in the order of arrival. */
  onOutput?: ((text: string) => void) | undefined;
}

/** A fence, and what it is to know of one command. */
export interface FencedRun extends Pick<FencedCommand, "confinement" | "denied" | "readOnly" | "askHost"> {
  fence: Fence;
}

export interface ExecResult {
  /** stdout and stderr in the order in which they were written, through one pipe: from two, that order is lost. */
  output: string;
  /** null when a signal ended it. */
  exitCode: number | null;
  timedOut: boolean;
  aborted: boolean;
  durationMs: number;
  /** null: it was not fenced. */
  fenced: FenceReport | null;
}

export interface GrepOptions {
  pattern: string;
  path?: string | undefined;
  /** Only files whose path matches. */
  glob?: string | undefined;
  ignoreCase?: boolean | undefined;
  mode: "content" | "files" | "count";
  /** Most lines of the answer. */
  limit: number;
  signal: AbortSignal;
  /** Where what searches runs; null: there is none. */
  fence: Fence | null;
  /** Of files that rules keep back nothing is found. */
  hides?: ((path: string) => boolean) | undefined;
}

/** A file operation that failed, in words that help the model (and the user) go on. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
}
