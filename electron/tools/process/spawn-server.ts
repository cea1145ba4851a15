import type { Readable, Writable } from "node:stream";
import type { Exit, startInGroup } from "./process-group.ts";

/** A program that is spoken to over its pipes. */
export interface SpokenProcess {
  pid: number;
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  exited: Promise<Exit>;
  end(): Promise<void>;
}

/** Starts programs in groups of their own, with all three pipes. On Windows through cmd.exe, which finds `npx.cmd`. */
export function spawnServer(start: typeof startInGroup, platform: NodeJS.Platform = process.platform) {
  return async (
    command: string,
    args: readonly string[],
    options: { cwd: string; env: Readonly<Record<string, string>> },
  ): Promise<SpokenProcess> => {
    const isScript = platform === "win32" && !/\.(exe|com)$/i.test(command);
    const [file, fileArgs] = isScript ? ["cmd.exe", ["/d", "/s", "/c", command, ...args]] : [command, args];
    const { child, pid, exited, end } = await start(file, fileArgs, { ...options, stdin: "pipe" });
    const { stdin, stdout, stderr } = child;
    if (!stdin || !stdout || !stderr) {
      await end();
      throw new Error("The program has no pipes.");
    }
    return { pid, stdin, stdout, stderr, exited, end };
  };
}
