import { readlinkSync } from "node:fs";
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
