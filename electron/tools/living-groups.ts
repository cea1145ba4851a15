import { readdir, readFile } from "node:fs/promises";
import { codeOf } from "./contained-path.ts";

/**
 * The process groups that are left of what was started as leader of group and session `id`. On Linux those are all of the
 * session, such as the jobs of a shell with `set -m`; elsewhere it is the group. Who has ended but was not collected
 * yet does not count: init may take its time with orphans.
 */
export async function livingGroups(id: number): Promise<number[]> {
  const pids = process.platform === "linux" ? await readdir("/proc").catch(() => []) : [];
  if (pids.length === 0) return signalGroup(id, 0) ? [id] : [];
  const processes = await Promise.all(pids.filter((name) => /^\d+$/.test(name)).map(facts));
  const ours = processes.filter((facts) => facts?.session === id && !/[ZX]/.test(facts.state));
  return [...new Set(ours.flatMap((facts) => (facts ? [facts.group] : [])))];
}

/** @returns false when there is nobody in the group */
export function signalGroup(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-id, signal);
  } catch (error) {
    // EPERM: somebody is there who is not ours to end, such as a setuid program.
    return codeOf(error) === "EPERM";
  }
}

async function facts(pid: string): Promise<{ state: string; group: number; session: number } | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  // The name comes before, in brackets, and may itself hold brackets and spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, , group, session] = fields;
  return state && group && session ? { state, group: Number(group), session: Number(session) } : undefined;
}
