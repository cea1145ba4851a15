import { existsSync } from "node:fs";

/**
 * The shell that commands are given to: bash, which models write for, else the system's own. In bash both outputs go
 * through one pipe, in the order of arrival; the `cat` at its end outlives SIGTERM, so that last words get through. Node
 * itself gives a child sockets, and to open one as `/dev/stderr` fails.
 */
export function shellCommand(command: string): { file: string; args: string[] } {
  if (process.platform === "win32") {
    return { file: process.env.COMSPEC ?? "cmd.exe", args: ["/d", "/s", "/c", command] };
  }
  if (!existsSync(bash)) return { file: "/bin/sh", args: ["-c", command] };
  return { file: bash, args: ["-c", throughPipe, "bash", command] };
}

const bash = "/bin/bash";
const throughPipe = `exec > >(trap "" TERM INT HUP; exec /bin/cat) 2>&1; exec ${bash} -c "$1"`;
