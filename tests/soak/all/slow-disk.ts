import { spawn } from "node:child_process";
import { once } from "node:events";

/** What a file is written with, and nothing else: pipes and sockets know neither places nor flushes. */
const calls = "pwrite64,fsync,fdatasync,ftruncate,rename,unlink";
/** Each of them takes so much longer. */
const delayMs = 30;

/**
 * From now on the disk is slow for this process, on all of its threads: strace holds each call back.
 * @returns what ends that, or why it cannot be done here, in words
 */
export async function slowDisk(pid: number): Promise<{ end(): Promise<void> } | string> {
  const inject = `inject=${calls}:delay_enter=${delayMs * 1000}`;
  const options = ["-f", "-p", String(pid), "-e", `trace=${calls}`, "-e", "signal=none", "-e", inject];
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
  if (!isAttached) return `no disk can be made slow here (${said.trim().split("\n")[0]})`;
  return {
    async end() {
      tracer.kill("SIGINT");
      await ended;
    },
  };
}
