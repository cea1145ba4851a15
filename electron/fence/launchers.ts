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

/**
 * Makes what the library starts in place of the two programs. Bubblewrap gets namespaces for memory that processes share
 * and for names, and stays in the session that it is started in, which has no terminal: by that all of it is ended. Socat
 * ends with the process that started it, also when that is killed.
 * @param folder that nobody else can write to
 */
export function makeLaunchers(folder: string, { bwrap, socat }: Programs): Programs {
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
      `[ "$1" = --new-session ] && shift\nexec ${bwrap} --unshare-ipc --unshare-uts --unshare-cgroup-try "$@"`,
    ),
    socat: write("socat", `exec ${tied}${socat} "$@"`),
  };
}
