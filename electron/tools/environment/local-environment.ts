import { mkdir, realpath, stat } from "node:fs/promises";
import { homedir, release } from "node:os";
import { relative, resolve } from "node:path";
import { seeksSecrets } from "../../../shared/safety/secret-files.ts";
import { fencedShellOptions, quoted } from "../../../shared/safety/shell-words.ts";
import {
  type DirectoryEntry,
  EnvironmentError,
  type ExecOptions,
  type ExecResult,
  type ExecutionEnvironment,
  type FencedRun,
  type FileStat,
  type GrepOptions,
} from "../../agent/ports/ports.ts";
import { codeOf } from "../../files/calls.ts";
import { expandHome } from "../../files/expand-home.ts";
import { findFiles } from "../find-files.ts";
import { childEnvironment } from "../process/child-environment.ts";
import type { GroupRecord } from "../process/group-record.ts";
import { type ProcessGroup, startInGroup } from "../process/process-group.ts";
import { runCommand } from "../process/run-command.ts";
import { shellCommand } from "../process/shell-command.ts";
import { TimeLimit } from "../process/time-limit.ts";
import { matchLine, readMatches, ripgrepArguments } from "../search-content.ts";
import { ContainedPaths, explained } from "./contained-path.ts";
import { fromFolder } from "./from-folder.ts";
import { LocalFiles } from "./local-files.ts";
import { PinnedEnvironment } from "./pinned-environment.ts";
import { findRipgrep } from "./ripgrep.ts";

/**
 * Opens a folder of this computer for tools. `~` is the home folder; a folder that is not there yet is made.
 * @param options.record where what it starts is on record while it lives
 * @throws EnvironmentError when it cannot be made or opened, or is a file
 */
export async function openLocalEnvironment(
  folder: string,
  { home = homedir(), record }: { home?: string; record?: GroupRecord | undefined } = {},
): Promise<LocalExecutionEnvironment> {
  const path = resolve(expandHome(folder, home));
  try {
    await mkdir(path, { recursive: true });
    return new LocalExecutionEnvironment(await realpath(path), home, record);
  } catch (error) {
    throw explained(error, folder);
  }
}

/**
 * Files below one folder and commands in it, on this computer. Every path is followed to where it really leads, symbolic
 * links included.
 */
export class LocalExecutionEnvironment implements ExecutionEnvironment {
  readonly workingDirectory: string;
  readonly platform = process.platform;
  readonly osVersion = release();
  readonly #paths: ContainedPaths;
  readonly #files: LocalFiles;
  readonly #record: GroupRecord | undefined;
  /** Also what is only being started: `cleanup` misses nothing. */
  readonly #running = new Set<Promise<ProcessGroup>>();

  /** @param workingDirectory absolute, and free of symbolic links */
  constructor(workingDirectory: string, home: string, record?: GroupRecord) {
    this.#record = record;
    this.workingDirectory = workingDirectory;
    this.#paths = new ContainedPaths(workingDirectory, home);
    this.#files = new LocalFiles(this.#paths);
  }

  async readFile(path: string, options: { maxBytes: number; links?: "refuse" }) {
    return await this.#files.read(path, options);
  }

  async writeFile(path: string, bytes: Uint8Array): Promise<void> {
    await this.#files.write(path, bytes);
  }

  async fileExists(path: string): Promise<boolean> {
    return await this.#files.exists(path);
  }

  async deleteFile(path: string): Promise<void> {
    await this.#files.remove(path);
  }

  async moveFile(from: string, to: string): Promise<void> {
    await this.#files.move(from, to);
  }

  async stat(path: string): Promise<FileStat> {
    return await this.#files.stat(path);
  }

  async listDirectory(path: string): Promise<DirectoryEntry[]> {
    return await this.#files.list(path);
  }

  async execCommand(command: string, options: ExecOptions): Promise<ExecResult> {
    const { signal, timeoutMs, fence, onOutput } = options;
    signal.throwIfAborted();
    if (command.includes("\0")) throw new EnvironmentError("A command cannot contain a NUL character.");
    const cwd = await this.#folder(options.workingDirectory ?? ".");
    const env = { ...childEnvironment(options.environmentPolicy, process.env), ...options.variables };
    if (!fence) {
      const { file, args } = shellCommand(command);
      const limit = new TimeLimit(timeoutMs);
      const result = await this.#inGroup(file, args, { cwd, env }, (group) =>
        runCommand(group, { signal, onOutput, limit }),
      );
      return { ...result, fenced: null };
    }
    return await this.#runFenced(command, { cwd, env }, options, fence);
  }

  async grep(options: GrepOptions): Promise<{ lines: string[]; truncated: boolean }> {
    const { path = ".", signal, fence } = options;
    const program = findRipgrep();
    if (program === undefined) throw new EnvironmentError("ripgrep (rg) is not installed.");
    const target = await this.#paths.existing(path);
    const found = await stat(target);
    // A pipe would be waited for.
    if (!found.isFile() && !found.isDirectory()) throw new EnvironmentError(`${path} is not a regular file.`);
    signal.throwIfAborted();
    // Relative, and so never taken for an option.
    const searched = `./${relative(this.workingDirectory, target)}`;
    const args = ripgrepArguments(options, searched);
    const show = matchLine(options, searched);
    const place = { cwd: this.workingDirectory, env: childEnvironment("core", process.env) };
    // Who names what holds keys was allowed to see it; in the fence it reads as empty.
    const seeks = [options.glob, path].some((named) => named !== undefined && seeksSecrets(named));
    if (!fence || seeks) {
      return await this.#inGroup(program, args, place, (group) => readMatches(group, options, show));
    }
    const command = [program, ...args].map(quoted).join(" ");
    const wrapped = await fence.wrap({ ...fencedSearch, command, folder: place.cwd, env: place.env });
    const run = { cwd: place.cwd, env: wrapped.env };
    const [outcome] = await Promise.allSettled([
      this.#inGroup("/bin/bash", [...fencedShellOptions, wrapped.line], run, (group) => {
        wrapped.started(group.pid, () => void group.end());
        return readMatches(group, options, show);
      }),
    ]);
    const { ended } = await wrapped.ended("", null);
    // What it said until then would look like all that there is.
    if (ended !== null) throw new EnvironmentError(`The search was ended: ${ended}. Search fewer files.`);
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }

  async glob({
    pattern,
    path = ".",
    ...options
  }: {
    pattern: string;
    path?: string | undefined;
    limit: number;
    signal: AbortSignal;
  }): Promise<{ paths: string[]; truncated: boolean }> {
    return await findFiles(pattern, this.workingDirectory, await this.#files.wayTo(path), options);
  }

  async pinned(paths: readonly string[]): Promise<ExecutionEnvironment> {
    return new PinnedEnvironment(this, await this.#files.pinned(paths));
  }

  ownName(path: string, { folder, isLoose }: Parameters<ExecutionEnvironment["ownName"]>[1]): string {
    return this.#paths.ownName(folder === undefined ? path : fromFolder(folder, path), isLoose);
  }

  async cleanup(): Promise<void> {
    const groups = await Promise.allSettled(this.#running);
    await Promise.all(groups.map((group) => group.status === "fulfilled" && group.value.end()));
  }

  async #runFenced(
    command: string,
    { cwd, env }: { cwd: string; env: Record<string, string> },
    { signal, timeoutMs, onOutput }: ExecOptions,
    { fence, ...how }: FencedRun,
  ): Promise<ExecResult> {
    let limit: TimeLimit | undefined;
    const onWait = (waits: boolean) => limit?.pause(waits);
    const wrapped = await fence.wrap({ ...how, command, folder: cwd, env, onWait });
    try {
      const { file, args } = shellCommand(wrapped.line);
      const result = await this.#inGroup(file, args, { cwd, env: wrapped.env }, (group) => {
        wrapped.started(group.pid, () => void group.end());
        limit = new TimeLimit(timeoutMs);
        return runCommand(group, { signal, onOutput, limit });
      });
      return { ...result, fenced: await wrapped.ended(result.output, result.exitCode) };
    } catch (error) {
      await wrapped.ended("", null);
      throw error;
    }
  }

  async #inGroup<T>(
    file: string,
    args: readonly string[],
    place: { cwd: string; env: Readonly<Record<string, string>> },
    use: (group: ProcessGroup) => Promise<T>,
  ): Promise<T> {
    const starting = startInGroup(file, args, { ...place, stdin: "ignore", record: this.#record });
    this.#running.add(starting);
    try {
      return await use(await starting);
    } catch (error) {
      throw codeOf(error) === "E2BIG" ? tooLong(error) : error;
    } finally {
      await starting.then(
        (group) => group.end(),
        () => {},
      );
      this.#running.delete(starting);
    }
  }

  async #folder(path: string): Promise<string> {
    const target = await this.#paths.existing(path);
    if (!(await stat(target)).isDirectory()) throw new EnvironmentError(`${path} is not a folder.`);
    return target;
  }
}

const tooLong = (cause: unknown) =>
  new EnvironmentError(
    "The command is too long for this system. Put what is long in a file first, and let the command read it.",
    { cause },
  );

/** A search changes nothing and asks for no host. */
const fencedSearch = { confinement: "look", readOnly: [] } as const;
