import { startInGroup } from "./process-group.ts";
import { runCommand } from "./run-command.ts";
import { TimeLimit } from "./time-limit.ts";

/** What a program of ours said, and its exit code; null: it was ended. */
export interface ProgramAnswer {
  output: string;
  code: number | null;
}

/**
 * Runs a program to its end in a group that ends with us, however we die, and that inherits none of the files we have
 * open: one that outlives us would keep Chromium's other processes alive.
 * @param timeoutMs after which it is ended
 * @throws Error when it cannot be started
 */
export async function runToEnd(
  file: string,
  args: readonly string[],
  { cwd, env, timeoutMs }: { cwd: string; env: Readonly<Record<string, string>>; timeoutMs: number },
): Promise<ProgramAnswer> {
  const group = await startInGroup(file, args, { cwd, env, stdin: "ignore" });
  const { output, exitCode } = await runCommand(group, {
    limit: new TimeLimit(timeoutMs),
    signal: new AbortController().signal,
  });
  return { output, code: exitCode };
}
