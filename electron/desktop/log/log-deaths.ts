import { app, type WebContents, webContents } from "electron";
import type { Log } from "./log.ts";

/** Of what a window says on its console, UTF-16 units. */
const maxSaidChars = 2_000;

/** What dies of Parley, or fails where nobody waits for it, is a line of the log. It changes nothing else. */
export function logDeaths(log: Log): void {
  process.on("uncaughtExceptionMonitor", (error) => log.error("nobody caught", error));
  process.on("unhandledRejection", (reason) => log.error("nobody waited for", reason));
  app.on("render-process-gone", (_event, contents, { reason, exitCode }) => {
    if (reason !== "clean-exit")
      log.error(`the window ${contents.getURL()} is gone: ${reason} (${exitCode})`);
  });
  // The main window is opened before there is a log.
  for (const contents of webContents.getAllWebContents()) logComplaints(contents, log);
  app.on("web-contents-created", (_event, contents) => logComplaints(contents, log));
  app.on("child-process-gone", (_event, { type, name, reason, exitCode }) => {
    if (reason === "clean-exit") return;
    log.warn(`a process of ours is gone: ${name ?? type}, ${reason} (${exitCode})`);
  });
}

/** What could not be drawn, for one: the page goes on without it, and nobody else hears of it. */
function logComplaints(contents: WebContents, log: Log): void {
  contents.on("console-message", (event, level, words) => {
    // Before Electron 35 level and words are no part of the event.
    const [isError, said] =
      "message" in event ? [event.level === "error", event.message] : [level >= 3, words];
    const from = contents.getURL();
    // The audio page has its own line for what it says.
    if (isError && !from.includes("/audio/"))
      log.error(`the window ${from} says: ${said.slice(0, maxSaidChars)}`);
  });
}
