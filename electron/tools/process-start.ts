import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { processFacts } from "./living-groups.ts";

/**
 * When a process was started, in a form that only serves to be compared: it tells the process from another one that gets
 * its number later, also after the computer was started again. POSIX only.
 * @returns undefined when there is no such process
 */
export async function processStart(pid: number): Promise<string | undefined> {
  return process.platform === "linux" ? await fromFiles(pid) : await fromPs(pid);
}

async function fromFiles(pid: number): Promise<string | undefined> {
  const [facts, boot] = await Promise.all([
    processFacts(pid),
    readFile("/proc/sys/kernel/random/boot_id", "latin1").catch(() => ""),
  ]);
  return facts && `${boot.trim()} ${facts.startTicks}`;
}

/** The date of the start, in words that do not change with the user's language or place. */
async function fromPs(pid: number): Promise<string | undefined> {
  const options = { env: { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" } };
  const asked = promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)], options);
  // It ends with 1 when there is nobody.
  const { stdout } = await asked.catch(() => ({ stdout: "" }));
  return stdout.trim() || undefined;
}
