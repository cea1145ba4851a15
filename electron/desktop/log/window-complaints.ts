import { app, type WebContents } from "electron";
import type { Log } from "./log.ts";

/** Of what a window says on its console, UTF-16 units. */
const maxSaidChars = 2_000;
/** So many lines are kept until there is a log. */
const maxEarly = 100;

/**
 * The errors on the windows' consoles, as lines of the log: what could not be drawn, for one. The page goes on without it, and
 * nobody else hears of it. The main window is opened before there is a log, so this is made before it.
 */
export class WindowComplaints {
  #early: string[] = [];
  #log: Pick<Log, "error"> | null = null;

  constructor() {
    app.on("web-contents-created", (_event, contents) => this.#listen(contents));
  }

  /** What was said before comes first. */
  tellTo(log: Pick<Log, "error">): void {
    this.#log = log;
    for (const line of this.#early.splice(0)) log.error(line);
  }

  #listen(contents: WebContents): void {
    contents.on("console-message", (event, level, words) => {
      // Before Electron 35 level and words are no part of the event.
      const [isError, said] =
        "message" in event ? [event.level === "error", event.message] : [level >= 3, words];
      const from = contents.getURL();
      // The audio page has its own line for what it says.
      if (!isError || from.includes("/audio/")) return;
      const line = `the window ${from} says: ${said.slice(0, maxSaidChars)}`;
      if (this.#log) this.#log.error(line);
      else if (this.#early.length < maxEarly) this.#early.push(line);
    });
  }
}
