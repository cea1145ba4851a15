import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, rmdirSync } from "node:fs";
import { mkdir, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { quoted } from "../../../shared/safety/shell-words.ts";

/** What is counted from outside is seen to go beyond its bound before the kernel refuses more. */
const spareProcesses = 64;
const parents = ["/sys/fs/cgroup/pids", "/sys/fs/cgroup"];
const prefix = "parley-fence-";
const ours = `${prefix}${process.pid}-`;

/** A command's own control group, in which the kernel counts its processes: also root's, whom no other limit counts. */
export interface ControlGroup {
  /** Absolute. */
  folder: string;
  /** Its last process has ended. One that is still in it keeps it. */
  drop(): Promise<void>;
}

/**
 * Makes one, where we may. Source: cgroups(7), the pids controller.
 * @returns null where we may not
 */
export async function makeGroup(maxProcesses: number): Promise<ControlGroup | null> {
  for (const parent of parents) {
    const folder = join(parent, `${ours}${randomBytes(6).toString("hex")}`);
    const drop = () => rmdir(folder).catch(() => {});
    try {
      await mkdir(folder);
    } catch {
      continue;
    }
    try {
      // Only into a file that the kernel put there.
      await writeFile(join(folder, "pids.max"), String(maxProcesses + spareProcesses), { flag: "r+" });
      return { folder, drop };
    } catch {
      await drop();
    }
  }
  return null;
}

/** @param line of a shell that is one command @returns the same, whose shell joins the group first */
export function inGroup(line: string, { folder }: ControlGroup): string {
  return `{ echo $$ > ${quoted(join(folder, "cgroup.procs"))}; } 2>/dev/null; exec ${line}`;
}

/** Removes groups whose last processes took their time to go, those of a Parley that died too. One in use stays. */
export function dropEmptyGroups(): void {
  for (const parent of parents) {
    const names = existsSync(parent) ? readdirSync(parent).filter(isLeft) : [];
    for (const name of names) {
      try {
        rmdirSync(join(parent, name));
      } catch {
        // Somebody is in it.
      }
    }
  }
}

/** Another that runs may have made one that nobody has joined yet. */
function isLeft(name: string): boolean {
  if (!name.startsWith(prefix)) return false;
  return name.startsWith(ours) || !isAlive(Number.parseInt(name.slice(prefix.length), 10));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
