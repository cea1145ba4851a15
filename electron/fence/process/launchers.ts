import { accessSync, chmodSync, constants, mkdirSync, writeFileSync } from "node:fs";
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

/** Names to what stands in for socat the process that starts it. */
export const starterVariable = "PARLEY_FENCE_PROCESS";

/**
 * Makes what is started in place of socat outside of a fence: it ends with the process that started it, also when that is
 * killed. Those inside need no such thing, since all of a fence ends with its first process.
 * @param folder that nobody else can write to. Where `starterVariable` is set, only that process can start it
 */
export function makeTiedSocat(folder: string, socat: string): string {
  const made = join(folder, "bin");
  mkdirSync(made, { recursive: true, mode: 0o700 });
  const path = join(made, "socat");
  const setpriv = systemProgram("setpriv");
  // The kernel tells only of deaths that come after it was asked: one that came before is seen by the parent.
  const start = `test "$PPID" = "\${${starterVariable}:-$PPID}" && exec ${socat} "$@"`;
  const line = setpriv ? `exec ${setpriv} --pdeathsig KILL -- /bin/sh -c '${start}' socat "$@"` : start;
  writeFileSync(path, `#!/bin/sh\n${line}\n`, { mode: 0o700 });
  chmodSync(path, 0o500);
  return path;
}
