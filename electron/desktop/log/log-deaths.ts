import { app } from "electron";
import type { Log } from "./log.ts";

/** What dies of Parley, or fails where nobody waits for it, is a line of the log. It changes nothing else. */
export function logDeaths(log: Log): void {
  process.on("uncaughtExceptionMonitor", (error) => log.error("nobody caught", error));
  process.on("unhandledRejection", (reason) => log.error("nobody waited for", reason));
  app.on("render-process-gone", (_event, contents, { reason, exitCode }) => {
    if (reason !== "clean-exit")
      log.error(`the window ${contents.getURL()} is gone: ${reason} (${exitCode})`);
  });
  app.on("child-process-gone", (_event, { type, name, reason, exitCode }) => {
    if (reason === "clean-exit") return;
    const line = `a process of ours is gone: ${name ?? type}, ${reason} (${exitCode})`;
    // We kill some ourselves, as fences when Parley quits: that is nobody's trouble, and whoever misses a part says so.
    if (reason === "killed") log.info(line);
    else log.warn(line);
  });
}
