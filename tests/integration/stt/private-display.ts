import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { endsWithUs } from "../../fixtures/ends-with-us.ts";

/** An X display for programs with windows: the one that is there, else an Xvfb of our own. */
export async function privateDisplay(): Promise<{ display: string; dispose(): Promise<void> }> {
  if (process.env.DISPLAY) return { display: process.env.DISPLAY, dispose: async () => undefined };
  const xvfb = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  endsWithUs(xvfb);
  const numbers = xvfb.stdio[3];
  if (!(numbers instanceof Readable)) throw new Error("Xvfb has no pipe for its display number.");
  const [number] = await Promise.race([
    once(numbers, "data"),
    once(xvfb, "error").then(([error]) => Promise.reject(error)),
  ]);
  return {
    display: `:${String(number).trim()}`,
    async dispose() {
      const ended = once(xvfb, "exit");
      xvfb.kill();
      await ended;
    },
  };
}
