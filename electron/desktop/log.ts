import { join } from "node:path";
import log from "electron-log/main.js";
import type { AgentEvent } from "../../shared/events.ts";
import type { Settings } from "../../shared/settings.ts";
import { logLine } from "./log-line.ts";

export interface Log {
  readonly path: string;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
  /** What the user must know is also a line here; words of the conversation are not. */
  event(event: AgentEvent): void;
}

/** Size at which the file is put aside as `parley.old.log`, in bytes. */
export const maxLogBytes = 10 * 1024 * 1024;

/** Console (warnings and worse) and `logs/parley.log` in the user-data folder. */
export function openLog(folder: string, level: Settings["logLevel"]): Log {
  const path = join(folder, "logs", "parley.log");
  log.transports.file.resolvePathFn = () => path;
  log.transports.file.maxSize = maxLogBytes;
  log.transports.file.level = level;
  log.transports.console.level = "warn";
  return {
    path,
    info: (message) => log.info(message),
    warn: (message) => log.warn(message),
    error: (message, cause) => log.error(message, ...(cause === undefined ? [] : [cause])),
    event: (event) => {
      const line = logLine(event);
      if (line) log[line.level](`${event.conversationId} ${line.text}`);
    },
  };
}
