import { readdirSync, statfsSync } from "node:fs";
import { procFile } from "../../../shared/proc-file.ts";

/** Sizes in bytes. */
export interface Bounds {
  /** Of the command: with all that it starts. */
  pid: number;
  maxProcesses: number;
  maxMemory: number;
  minFreeDisk: number;
  disks: readonly string[];
}

/** How often it is looked, in milliseconds: what is made in between counts against nothing. */
const lookEveryMs = 100;

/**
 * Ends a command as a whole, by SIGKILL, as soon as it has too many processes, takes too much memory or leaves too
 * little of a disk. Memory counts what its processes hold and what lies in files in memory since it began.
 * @returns what ends the watch
 */
export function watchBounds(bounds: Bounds, onBeyond: (why: string) => void): () => void {
  if (process.platform !== "linux") return () => {};
  let shared = sharedMemory();
  const low = bounds.disks.map((disk) => lowOf(freeOf(disk), bounds.minFreeDisk));
  const timer = setInterval(() => {
    // What another command gives back meanwhile must not count for this one.
    shared = Math.min(shared, sharedMemory());
    const why = beyond(bounds, shared, low);
    if (why === null) return;
    clearInterval(timer);
    endAll(bounds.pid);
    onBeyond(why);
  }, lookEveryMs);
  return () => clearInterval(timer);
}

/** Ends a fenced command at once, with all that it started. */
export function endAll(root: number): void {
  // The first process of its namespace takes all others with it, however many they are and however fast they grow.
  for (const pid of [...firstOfNamespaces(root), root]) endNow(pid);
}

function endNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** Bubblewrap's own child: the first process of the namespace that it made. */
function firstOfNamespaces(root: number): number[] {
  return procFile(`/proc/${root}/task/${root}/children`)
    .split(" ")
    .filter((pid) => pid !== "" && procFile(`/proc/${pid}/comm`).trim() === "bwrap")
    .map(Number);
}

function beyond(
  { pid, maxProcesses, maxMemory, disks }: Bounds,
  sharedBefore: number,
  low: readonly Free[],
): string | null {
  const processes = descendants(pid);
  if (processes.length > maxProcesses) return `it started more than ${maxProcesses} processes`;
  const held = processes.reduce((sum, one) => sum + residentOf(one), 0);
  const inFiles = Math.max(0, sharedMemory() - sharedBefore);
  if (held + inFiles > maxMemory) return `it took more than ${inMegabytes(maxMemory)} of memory`;
  return disks.map((disk, index) => whyFull(freeOf(disk), low[index])).find((why) => why !== null) ?? null;
}

/** What a disk has room for. */
interface Free {
  bytes: number;
  /** However small. */
  files: number;
}

/** A disk that is full of files takes no more of them, whatever room it has. */
const minFreeFiles = 10_000;

const lowOf = ({ bytes, files }: Free, minFreeDisk: number): Free => ({
  bytes: Math.min(minFreeDisk, bytes / 2),
  files: Math.min(minFreeFiles, files / 2),
});

function whyFull(free: Free, low: Free | undefined): string | null {
  if (low === undefined) return null;
  if (free.bytes < low.bytes) return `it left less than ${inMegabytes(low.bytes)} of the disk free`;
  if (free.files < low.files) return `it left room for less than ${Math.round(low.files)} files on the disk`;
  return null;
}

const inMegabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`;

/** All that stand below a process. Source: proc(5), the fourth field of /proc/PID/stat. */
function descendants(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = procFile(`/proc/${name}/stat`);
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    const siblings = children.get(parent);
    if (siblings) siblings.push(Number(name));
    else children.set(parent, [Number(name)]);
  }
  const found: number[] = [];
  for (let next = children.get(root) ?? []; next.length > 0; ) {
    found.push(...next);
    next = next.flatMap((pid) => children.get(pid) ?? []);
  }
  return found;
}

/** In bytes: what is its own, without the files that it has mapped. */
function residentOf(pid: number): number {
  const [, resident = "0", mapped = "0"] = procFile(`/proc/${pid}/statm`).split(" ");
  return (Number(resident) - Number(mapped)) * pageSize;
}

/** The usual one; where pages are larger, the bound is reached later. */
const pageSize = 4096;

function sharedMemory(): number {
  return Number(/^Shmem:\s+(\d+)/m.exec(procFile("/proc/meminfo"))?.[1] ?? 0) * 1024;
}

function freeOf(disk: string): Free {
  const unlimited = Number.POSITIVE_INFINITY;
  try {
    const { bavail, bsize, files, ffree } = statfsSync(disk);
    // Some file systems count no files: they make room for each.
    return { bytes: bavail * bsize, files: files === 0 ? unlimited : ffree };
  } catch {
    return { bytes: unlimited, files: unlimited };
  }
}
