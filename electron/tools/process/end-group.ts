import { setTimeout as wait } from "node:timers/promises";
import { livingGroups, signalGroup } from "./living-groups.ts";
import { killAfterSeconds } from "./watcher.ts";

/**
 * Ends all that is left of what was started as leader of group and session `id`: SIGTERM, after 2 s SIGKILL. POSIX only.
 * @returns false when somebody is there even so: one that the system itself holds up, as on a dead network disk
 */
export async function endGroup(id: number): Promise<boolean> {
  if (!(await signalAll(id, "SIGTERM"))) return true;
  return (await allGone(id, false)) || (await allGone(id, true));
}

/** @returns false when there is nobody left */
async function signalAll(id: number, signal: NodeJS.Signals): Promise<boolean> {
  const groups = await livingGroups(id);
  for (const group of groups) signalGroup(group, signal);
  return groups.length > 0;
}

/** The system tells nobody when a group ends, so it is asked. @param kill whether who is found there is killed */
async function allGone(id: number, kill: boolean): Promise<boolean> {
  const deadline = performance.now() + killAfterSeconds * 1000;
  for (let pause = 5; ; pause = Math.min(pause * 2, 50)) {
    const left = kill ? await signalAll(id, "SIGKILL") : (await livingGroups(id)).length > 0;
    if (!left) return true;
    if (performance.now() >= deadline) return false;
    await wait(pause);
  }
}
