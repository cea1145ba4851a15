import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** A process of this computer that has not ended; who waits to be collected by its parent has. */
export interface LivingProcess {
  pid: number;
  parent: number;
  group: number;
  session: number;
  command: string;
}

/** Linux only. */
export function livingProcesses(): LivingProcess[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const [parent = 0, group = 0, session = 0] = fields.slice(1, 4).map(Number);
      if (/[ZX]/.test(fields[0] ?? "")) return [];
      const command = readFileSync(`/proc/${name}/cmdline`, "latin1").replaceAll("\0", " ");
      return [{ pid: Number(name), parent, group, session, command }];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}

/** Kills, whether it is still there or ended since it was listed. */
export function killNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/**
 * The system tells nobody that a process of somebody else has ended: it is asked until then.
 * @param ms only against hanging: how soon it was is not claimed
 */
export async function eventually(holds: () => boolean, ms = 30_000): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > deadline) return false;
    await wait(20);
  }
  return true;
}
