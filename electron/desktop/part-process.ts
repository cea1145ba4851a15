import { type UtilityProcess, utilityProcess } from "electron";
import type { z } from "zod";

interface PartOptions {
  /** As the system's list of processes and Electron's metrics name it. */
  serviceName: string;
  /** Absent: main's. */
  env?: NodeJS.ProcessEnv | undefined;
  /** Absent: main's. */
  cwd?: string;
  /** Told what it writes to stderr. Absent: nobody reads it. */
  onLog?: ((line: string) => void) | undefined;
}

/**
 * Starts a part of Parley in a process of its own. What it writes and nobody wants is read and dropped.
 * @param entry the built program
 */
export function startPart(entry: string, { serviceName, env, cwd, onLog }: PartOptions): UtilityProcess {
  const child = utilityProcess.fork(entry, [], {
    serviceName,
    stdio: ["ignore", "pipe", "pipe"],
    ...(env && { env }),
    ...(cwd !== undefined && { cwd }),
  });
  child.stdout?.resume();
  if (onLog) child.stderr?.setEncoding("utf8").on("data", (text: string) => onLog(text.trimEnd()));
  else child.stderr?.resume();
  return child;
}

/** Listens to a part. One that sends an invalid message is killed: nothing else it says can be trusted. */
export function hearPart<T>(child: UtilityProcess, shape: z.ZodType<T>, heard: (message: T) => void): void {
  child.on("message", (message: unknown) => {
    const parsed = shape.safeParse(message);
    if (parsed.success) heard(parsed.data);
    else child.kill();
  });
}
