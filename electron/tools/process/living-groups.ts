import { readdir } from "node:fs/promises";
import { procFile } from "../../../shared/proc-file.ts";
import { codeOf } from "../../files/calls.ts";

/**
 * The process groups that are left of what was started as leader of group and session `id`. On Linux those are all of the
 * session, such as the jobs of a shell with `set -m`; elsewhere it is the group. Who has ended but was not collected
 * yet does not count: init may take its time with orphans.
 */
export async function livingGroups(id: number): Promise<number[]> {
  const members = await livingMembers(id);
  if (!members) return signalGroup(id, 0) ? [id] : [];
  return [...new Set(members.map(({ group }) => group))];
}

/** @returns who lives of the session; null where that cannot be read: only Linux tells it in files */
export async function livingMembers(id: number): Promise<ProcessFacts[] | null> {
  const names = process.platform === "linux" ? await readdir("/proc").catch(() => []) : [];
  if (names.length === 0) return null;
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const processes = pids.map(processFacts);
  return processes.flatMap((facts) => (facts?.session === id && !/[ZX]/.test(facts.state) ? [facts] : []));
}

interface ProcessFacts {
  pid: number;
  /** One letter; Z and X have ended. */
  state: string;
  group: number;
  session: number;
}

/**
 * Read at once: the kernel has it at hand, and by way of other threads it takes many times as long.
 * @returns undefined when there is no such process
 */
function processFacts(pid: number): ProcessFacts | undefined {
  const stat = procFile(`/proc/${pid}/stat`);
  // The name comes before, in brackets, and may itself hold brackets and spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, , group, session] = fields;
  if (!state || !group || !session) return undefined;
  return { pid, state, group: Number(group), session: Number(session) };
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
