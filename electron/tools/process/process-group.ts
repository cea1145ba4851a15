import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { endGroup } from "./end-group.ts";
import type { GroupEntry, GroupRecord } from "./group-record.ts";
import { killAfterSeconds, startWatcher, type Watcher } from "./watcher.ts";
import { killTree, runProgram } from "./windows-programs.ts";

export interface GroupOptions {
  cwd: string;
  /** The whole environment of the child. */
  env: Readonly<Record<string, string>>;
  /** `pipe` for a program that is spoken to; `ignore` gives it nothing to read. */
  stdin: "pipe" | "ignore";
  /** Where the group is on record while it lives, for the next start. */
  record?: GroupRecord | undefined;
}

export interface Exit {
  /** null when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running program with everything that it starts. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  /** Of the program; on POSIX also the number of its group. */
  readonly pid: number;
  /** The program itself has ended. Others of its group may still run. */
  readonly exited: Promise<Exit>;
  /**
   * Ends all that is left of the group: SIGTERM, after 2 s SIGKILL. To be called in any case, also after `exited`. Any
   * number of calls are one.
   */
  end(): Promise<void>;
}

/**
 * Starts a program in a process group of its own beside a watcher: whatever becomes of us, also by kill -9, nothing of the
 * group outlives us by more than the 2 s that it is given to end by itself.
 * @throws Error when it cannot be started
 */
export async function startInGroup(
  file: string,
  args: readonly string[],
  options: GroupOptions,
): Promise<ProcessGroup> {
  return process.platform === "win32"
    ? await startOnWindows(file, args, options)
    : await startWatched(file, args, options);
}

/**
 * The program waits behind a gate until its watcher knows its group and it is on record: whenever we die, either the
 * watcher ends the group, or the next start does, or the gate is never opened and nothing was run.
 */
const gate = 'read -r _ <&3 || exit 125; exec 3<&-; exec "$@"';
/**
 * On Linux a child inherits the files that Chromium has open, such as its databases and our own output: a command must
 * neither reach them nor hold them longer than we live. Only bash can close those above 9.
 */
const closing =
  'for open_file in /proc/self/fd/*; do [[ $open_file =~ [0-9]+$ ]] && (( BASH_REMATCH > 3 )) && eval "exec $BASH_REMATCH<&-"; done';

/** What the user has bash read first is not for this one: -p and --norc keep all of it out, over a socket as well. */
function throughGate(): { shell: string; options: string[] } {
  const bash = "/bin/bash";
  if (process.platform !== "linux" || !existsSync(bash)) return { shell: "/bin/sh", options: ["-c", gate] };
  return { shell: bash, options: ["--norc", "-p", "-c", `${closing}; ${gate}`] };
}

async function startWatched(
  file: string,
  args: readonly string[],
  options: GroupOptions,
): Promise<ProcessGroup> {
  const entry = options.record?.entry();
  const watcher = await startWatcher();
  try {
    const { shell, options: gated } = throughGate();
    const child = spawn(shell, [...gated, "sh", file, ...args], {
      cwd: options.cwd,
      env: { ...options.env, ...entry?.variables },
      detached: true,
      stdio: [options.stdin, "pipe", "pipe", "pipe"],
    });
    const exited = exitOf(child);
    const pid = await started(child);
    watcher.watch(pid);
    const opener = child.stdio[3];
    if (!opener || !("write" in opener)) throw new Error("The child process has no gate.");
    // It was ended before it got here.
    opener.on("error", () => {});
    await entry?.write(pid);
    opener.end("go\n");
    return { child, pid, exited, end: onlyOnce(() => endAll(pid, { child, exited, watcher, entry })) };
  } catch (error) {
    watcher.dismiss();
    await entry?.remove();
    throw error;
  }
}

interface Started {
  child: ChildProcess;
  exited: Promise<Exit>;
  watcher: Watcher;
  entry: GroupEntry | undefined;
}

async function endAll(pid: number, { child, exited, watcher, entry }: Started): Promise<void> {
  const isGone = await endGroup(pid);
  watcher.dismiss();
  if (isGone) await entry?.remove();
  await Promise.race([exited, wait(killAfterSeconds * 1000, undefined, { ref: false })]);
  child.stdin?.destroy();
}

/**
 * Windows knows no groups that can be ended as one: taskkill goes down the tree, as long as its root is there. Nothing
 * watches there: the program itself ends with us, and what it started is left to the next start.
 */
async function startOnWindows(
  file: string,
  args: readonly string[],
  { cwd, env, stdin, record }: GroupOptions,
): Promise<ProcessGroup> {
  const entry = record?.entry();
  const child = spawn(file, args, {
    cwd,
    env: { ...env, ...entry?.variables },
    stdio: [stdin, "pipe", "pipe"],
    windowsHide: true,
  });
  const exited = exitOf(child);
  const pid = await started(child);
  await entry?.write(pid);
  const end = async () => {
    // Its number may be another's by now.
    if (!hasExited(child)) {
      await killTree(runProgram, pid, false);
      const late = wait(killAfterSeconds * 1000, undefined, { ref: false });
      await Promise.race([exited, late]);
    }
    if (hasExited(child) || (await killTree(runProgram, pid, true))) await entry?.remove();
  };
  return { child, pid, exited, end: onlyOnce(end) };
}

const hasExited = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

async function started(child: ChildProcess): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  if (child.pid === undefined) throw new Error("The child process has no number.");
  return child.pid;
}

/** Listens from the start: a program may have ended before anybody asks. */
function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
}

function onlyOnce(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
