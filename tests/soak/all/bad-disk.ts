import { spawn } from "node:child_process";
import { once } from "node:events";
import { livingProcesses } from "../../fakes/processes.ts";

/** What a file is written with, and nothing else: pipes and sockets know neither places nor flushes. */
const calls = {
  slow: "pwrite64,fsync,fdatasync,ftruncate,rename,unlink",
  // As after an error of the disk, when the system takes writing away from files that are open. A mount that is made read-only by
  // hand would be refused for them.
  readOnly: "pwrite64,ftruncate,unlink",
};
const does = {
  /** Each of them takes 30 ms longer. */
  slow: "delay_enter=30000",
  readOnly: "error=EROFS",
};

/**
 * From now on the disk is slow, or read-only, for this process, on all of its threads: strace stands between them.
 * @param paths for these files alone: where memory is a file, Chromium ends if it cannot be written
 * @returns what ends that, or why it cannot be done here, in words
 */
export async function badDisk(
  pid: number,
  kind: keyof typeof calls,
  paths: readonly string[] = [],
): Promise<{ end(): Promise<void> } | string> {
  const inject = `inject=${calls[kind]}:${does[kind]}`;
  const options = ["-f", "-p", String(pid), "-e", `trace=${calls[kind]}`, "-e", "signal=none", "-e", inject];
  for (const path of paths) options.push("-P", path);
  const tracer = spawn("strace", options, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(tracer, "exit").catch(() => null);
  let said = "";
  const isAttached = await new Promise<boolean>((resolve) => {
    tracer.stderr.setEncoding("utf8").on("data", (text: string) => {
      // All that it writes must be read, or it stands still, and the app with it.
      if (said.length < 2000) said += text;
      if (/attached/.test(said)) resolve(true);
    });
    tracer.once("error", (error) => {
      said = error.message;
      resolve(false);
    });
    tracer.once("exit", () => resolve(false));
  });
  if (!isAttached)
    return `nobody can stand between the app and its disk here (${said.trim().split("\n")[0]})`;
  return {
    async end() {
      // Once the app was killed, strace may wait for ever for what died with it.
      tracer.kill(livingProcesses().some((one) => one.pid === pid) ? "SIGINT" : "SIGKILL");
      await ended;
    },
  };
}
