import { EventEmitter } from "node:events";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { inspect } from "node:util";
import electronLog from "electron-log/node.js";
import type { AgentEvent } from "../../../shared/conversation/events.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import type { Settings } from "../../../shared/settings.ts";
import { logLine } from "./log-line.ts";

export interface Log {
  readonly path: string;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
  /** What the user must know is also a line here; words of the conversation are not. */
  event(event: AgentEvent): void;
  /** Nothing is written to the file from here on. */
  close(): void;
}

export interface LogOptions {
  /** The user-data folder. */
  folder: string;
  settings(): Pick<Settings, "logLevel" | "logSinks">;
  /** Takes secrets out of a line. */
  redact(text: string): string;
  /** Of the file, in bytes; then a new one is begun. */
  maxBytes?: number;
}

/** Files that are kept: `parley.log`, and the older `parley.1.log` and `parley.2.log`. */
const maxFiles = 3;
const maxFileBytes = 10 * 1024 * 1024;
/** One line must not push all others out, in UTF-16 units. */
const maxLineChars = 16_000;

/**
 * `logs/parley.log` in the user-data folder, and the console. A change of level or sinks counts from the next run. A log
 * that cannot be written is said on the console once, and stops nothing.
 */
export function openLog({ folder, settings, redact, maxBytes = maxFileBytes }: LogOptions): Log {
  const path = join(folder, "logs", "parley.log");
  const log = electronLog.create({ logId: path });
  const { file, console: terminal } = log.transports;
  file.resolvePathFn = () => path;
  file.maxSize = maxBytes;
  file.archiveLogFn = () => rotate(path);
  file.writeOptions = { flag: "a", mode: 0o600, encoding: "utf8" };
  let isGuarded = false;
  log.hooks.push((message, transport) => {
    // Not before: to ask for the file makes it.
    if (transport === file && !isGuarded) {
      isGuarded = true;
      guard(file.getFile(), path);
    }
    return { ...message, data: [redacted(message.data, redact)] };
  });
  const configure = () => {
    const { logLevel, logSinks } = settings();
    file.level = logSinks.includes("file") && logLevel;
    terminal.level = logSinks.includes("console") && consoleLevel[logLevel];
  };
  configure();
  return {
    path,
    debug: (message) => log.debug(message),
    info: (message) => log.info(message),
    warn: (message) => log.warn(message),
    error: (message, cause) => log.error(message, ...(cause === undefined ? [] : [cause])),
    event: (event) => {
      if (event.type === "run.started") configure();
      const line = logLine(event);
      if (line) log[line.level](`${event.conversationId} ${line.text}`);
    },
    close() {
      file.level = false;
    },
  };
}

/** What cannot be written is said once, in place of the library's page for each line. The next line finds a folder that was deleted. */
function guard(file: unknown, path: string): void {
  if (!(file instanceof EventEmitter)) return;
  let isSaid = false;
  file.removeAllListeners("error").on("error", (error: Error) => {
    if (!isSaid) console.error(`The log cannot be written: ${error.message}`);
    isSaid = true;
    try {
      mkdirSync(dirname(path), { recursive: true });
    } catch {
      // Nor can its folder.
    }
  });
}

/** Who starts Parley in a terminal wants to see trouble there, and the rest only when looking for something. */
const consoleLevel = { error: "error", warn: "warn", info: "warn", debug: "debug" } as const;

function redacted(data: readonly unknown[], redact: LogOptions["redact"]): string {
  const words = data.map((part) => (typeof part === "string" ? part : inspect(part, { depth: 5 })));
  // Lines are read on terminals, too.
  const line = visibleText(redact(words.join(" ").slice(0, 4 * maxLineChars)));
  return line.length > maxLineChars ? `${line.slice(0, maxLineChars)}…` : line;
}

function rotate(path: string): void {
  const older = (number: number) => path.replace(/\.log$/, `.${number}.log`);
  try {
    rmSync(older(maxFiles - 1), { force: true });
    for (let number = maxFiles - 2; number >= 1; number--) {
      if (existsSync(older(number))) renameSync(older(number), older(number + 1));
    }
    renameSync(path, older(1));
  } catch {
    // It cannot be put aside, as on Windows while somebody reads it: it is written on.
  }
}
