import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { rmdir } from "node:fs/promises";
import { join } from "node:path";

/** Where a system keeps its programs. `PATH` is not asked: whoever can write to it could bring another bubblewrap. */
const folders = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin", "/usr/sbin", "/sbin"];

/** @returns the program with its whole path; null: the system has none */
export function systemProgram(name: string, among: readonly string[] = folders): string | null {
  return among.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface Programs {
  bwrap: string;
  socat: string;
}

/**
 * Makes what the library starts in place of the two programs. Bubblewrap gets namespaces for memory that processes share
 * and for names, and stays in the session that it is started in, which has no terminal: by that all of it is ended. Socat
 * ends with the process that started it, also when that is killed.
 * @param folder that nobody else can write to
 * @param maxProcesses at once: for root, whom no limit of its own counts, the kernel keeps a little above it
 */
export function makeLaunchers(folder: string, { bwrap, socat }: Programs, maxProcesses: number): Programs {
  const made = join(folder, "bin");
  mkdirSync(made, { recursive: true, mode: 0o700 });
  const write = (name: string, line: string) => {
    const path = join(made, name);
    writeFileSync(path, `#!/bin/sh\n${line}\n`, { mode: 0o700 });
    chmodSync(path, 0o500);
    return path;
  };
  const setpriv = systemProgram("setpriv");
  const tied = setpriv ? `${setpriv} --pdeathsig KILL -- ` : "";
  return {
    bwrap: write(
      "bwrap",
      `[ "$1" = --new-session ] && shift\n${asGroup(maxProcesses + spareProcesses)}\nexec ${bwrap} --unshare-ipc --unshare-uts --unshare-cgroup-try "$@"`,
    ),
    socat: write("socat", `exec ${tied}${socat} "$@"`),
  };
}

/** What is counted from outside is seen to go beyond its bound before the kernel refuses more. */
const spareProcesses = 64;
const controlGroups = ["/sys/fs/cgroup/pids", "/sys/fs/cgroup"];
const groupOf = (pid: number | string) => `parley-fence-${pid}`;

/** For a shell: its own control group, where it may make one. Source: cgroups(7), the pids controller. */
const asGroup = (maxProcesses: number) => `for at in ${controlGroups.join(" ")}; do
  group="$at/${groupOf("$$")}"
  mkdir "$group" 2>/dev/null || continue
  { echo ${maxProcesses} > "$group/pids.max" && echo $$ > "$group/cgroup.procs"; } 2>/dev/null && break
  rmdir "$group" 2>/dev/null
done`;

/** Removes the control group of a command that has ended. */
export async function dropGroup(pid: number): Promise<void> {
  await Promise.all(controlGroups.map((at) => rmdir(join(at, groupOf(pid))).catch(() => {})));
}

/** Removes those whose last processes took their time to go. One that is in use stays. */
export function dropEmptyGroups(): void {
  for (const at of controlGroups) {
    const names = existsSync(at) ? readdirSync(at).filter((name) => name.startsWith(groupOf(""))) : [];
    for (const name of names) {
      try {
        rmdirSync(join(at, name));
      } catch {
        // Somebody is in it.
      }
    }
  }
}
