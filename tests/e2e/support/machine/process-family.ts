import { readdirSync, readFileSync } from "node:fs";

/** A process and everything below it, by the parents that /proc names: each thread has its own children there. */
export function familyOf(pid: number): number[] {
  const lists = threadsOf(pid).map((thread) => read(`/proc/${pid}/task/${thread}/children`));
  const below = lists.flatMap((list) => list.trim().split(" ").map(Number));
  return [pid, ...below.filter((child) => child > 0).flatMap(familyOf)];
}

/** None of a process that has just ended. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** The memory that these processes have, what they share counted once: PSS, in MB. */
export function sharedOutMb(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) => /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
  return Math.round(kilobytes.reduce<number>((sum, one) => sum + Number(one), 0) / 102.4) / 10;
}

/** The processor time that these processes had so far, in milliseconds. */
export function processorMs(pids: readonly number[]): number {
  // A tick is a hundredth of a second on every Linux that Electron runs on.
  const ticks = pids.map((pid) => {
    const [, , user = 0, system = 0] = /\) (?:\S+ ){11}((\d+) (\d+))/.exec(read(`/proc/${pid}/stat`)) ?? [];
    return Number(user) + Number(system);
  });
  return ticks.reduce((sum, one) => sum + one, 0) * 10;
}

/** What sort of process it is, for people. */
export function kindOf(pid: number): string {
  const line = read(`/proc/${pid}/cmdline`);
  return /--utility-sub-type=([\w.]+)/.exec(line)?.[1] ?? /--type=([\w-]+)/.exec(line)?.[1] ?? "main";
}

/** Nothing of a process that has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
