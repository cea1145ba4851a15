import { mkdirSync, mkdtempSync, readlinkSync, rmdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

/**
 * Whether an instance runs with this user-data folder; it is told nothing. To ask for the lock hands all words of a start
 * over in one message of 32 kB: where a long prompt exceeds that, Chromium takes the instance that runs for dead and kills it.
 * @returns false on Windows, where nothing is killed
 */
export async function isLockHeld(userData: string): Promise<boolean> {
  let path: string;
  try {
    // Followed here: the link's own path may be longer than a socket's can be.
    path = readlinkSync(join(userData, "SingletonSocket"));
  } catch {
    return false;
  }
  return await new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    // It was left by an instance that died.
    socket.once("error", () => resolve(false));
  });
}

/**
 * The lock is an entry in the user-data folder: where none can be made, nobody has it, and nobody gets it.
 * @throws Error that says why, and what helps
 */
export function assertLockable(userData: string): void {
  try {
    mkdirSync(userData, { recursive: true });
    rmdirSync(mkdtempSync(join(userData, "lock-")));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    const mend =
      code === "ENOSPC" || code === "EDQUOT"
        ? "The disk is full: free some space on it"
        : "Give yourself permission to write there";
    // Where Linux looks for the folder hangs on it.
    const elsewhere = process.platform === "linux" ? ", or name another place in XDG_CONFIG_HOME" : "";
    throw new Error(
      `Parley can't write to the folder of its own files, ${userData}. ${mend}${elsewhere}. Then start Parley again.`,
      { cause: error },
    );
  }
}
