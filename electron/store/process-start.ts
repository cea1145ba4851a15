import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Whether a process of this id is there, one of another user's included. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * When a process was started, as the system says it: an id alone may have gone to another process since.
 * @returns null where the system does not tell
 */
export function startOf(pid: number): string | null {
  if (process.platform === "linux") return startOnLinux(pid);
  if (process.platform === "win32") return null;
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", `${pid}`], { encoding: "utf8", timeout: 2000 });
  return stdout?.trim() || null;
}

/** Field 22 of /proc/PID/stat, in ticks since the system's start. Source: proc(5). */
function startOnLinux(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name before it may hold anything, brackets and blanks too.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}
