import { quoted } from "../../shared/safety/shell-words.ts";

/** UTF-16 units; a longer command is read from a file: quoted several times over it would not fit a command line. */
export const maxInline = 8000;

/**
 * The shell of what stands around a command; the command itself is always bash's. On Linux it is the system's own, which
 * mostly starts in less time. `blockBytes` is what its `ulimit` counts files in. Sources: POSIX, ulimit; bash(1).
 */
export const fenceShell = (platform: NodeJS.Platform) =>
  platform === "linux" ? { path: "/bin/sh", blockBytes: 512 } : { path: "/bin/bash", blockBytes: 1024 };

export interface CommandTextOptions {
  command: string;
  /** A file of the command's temporary folder that holds it; null: it is short. */
  file: string | null;
  temporaryFolder: string;
  /** Something that is there, and that nobody in the fence can see. */
  canary: string;
  /** Processes at once; null: it is counted from outside. */
  maxProcesses: number | null;
  /** Bytes of one file. */
  maxFile: number;
  /** As of the shell that reads this. */
  blockBytes: number;
}

/** The fence did not hold: the canary was seen. As `exit` takes it. */
export const notFenced = 125;

/** What runs inside of the fence: a look at whether it holds, bounds, the temporary folder, then the command. */
export function commandText(options: CommandTextOptions): string {
  const { command, file, temporaryFolder, canary, maxProcesses, maxFile, blockBytes } = options;
  const lines = [
    `if [ -e ${quoted(canary)} ]; then echo 'The fence does not hold. Nothing was run.' >&2; exit ${notFenced}; fi`,
    "ulimit -c 0",
    // What is -u elsewhere is -p in dash.
    ...(maxProcesses === null
      ? []
      : [`ulimit -u ${maxProcesses} 2>/dev/null || ulimit -p ${maxProcesses} 2>/dev/null`]),
    `ulimit -f ${Math.max(1, Math.floor(maxFile / blockBytes))} 2>/dev/null`,
    "{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null",
    `export TMPDIR=${quoted(temporaryFolder)}`,
    // Addresses of private networks go to the proxy, too, which says why it refuses them.
    "export NO_PROXY=localhost,127.0.0.1,::1 no_proxy=localhost,127.0.0.1,::1",
    "unset CLAUDE_CODE_HOST_HTTP_PROXY_PORT CLAUDE_CODE_HOST_SOCKS_PROXY_PORT",
    file === null ? `exec /bin/bash -c ${quoted(command)}` : `exec /bin/bash ${quoted(file)}`,
  ];
  return lines.join("\n");
}
