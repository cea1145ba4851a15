import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { procFile } from "./proc-file.ts";

/**
 * When a process was started, in a form that only serves to be compared: it tells the process from another one that gets
 * its number later, also after the computer was started again.
 * @returns undefined when there is no such process, and on Windows, where to ask takes half a second
 */
export async function processStart(pid: number): Promise<string | undefined> {
  if (asksFiles()) return processStartNow(pid);
  if (process.platform === "win32") return undefined;
  const { file, args, options } = psOf(pid);
  // It ends with 1 when there is nobody.
  const { stdout } = await promisify(execFile)(file, args, options).catch(() => ({ stdout: "" }));
  return stdout.trim() || undefined;
}

/** The same without waiting. On macOS this takes as long as a program takes to start. */
export function processStartNow(pid: number): string | undefined {
  if (asksFiles()) return fromFiles(pid);
  if (process.platform === "win32") return undefined;
  const { file, args, options } = psOf(pid);
  const { stdout } = spawnSync(file, args, { ...options, timeout: 2000 });
  return stdout?.trim() || undefined;
}

const asksFiles = () => process.platform === "linux";

/** Field 22 of /proc/PID/stat, in ticks since this start of the computer. Source: proc(5). */
function fromFiles(pid: number): string | undefined {
  const stat = procFile(`/proc/${pid}/stat`);
  // The name before it, in brackets, may itself hold brackets and blanks.
  const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return ticks && `${procFile("/proc/sys/kernel/random/boot_id").trim()} ${ticks}`;
}

/** The date of the start, in words that do not change with the user's language or place. */
function psOf(pid: number) {
  const env = { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" };
  return {
    file: "ps",
    args: ["-o", "lstart=", "-p", String(pid)],
    options: { env, encoding: "utf8" as const },
  };
}
