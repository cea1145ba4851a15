import { existsSync } from "node:fs";

/** The shell that commands are given to: bash, which models write for, else the system's own. */
export function shellCommand(command: string): { file: string; args: string[] } {
  if (process.platform === "win32") {
    return { file: process.env.COMSPEC ?? "cmd.exe", args: ["/d", "/s", "/c", command] };
  }
  return { file: existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh", args: ["-c", command] };
}
