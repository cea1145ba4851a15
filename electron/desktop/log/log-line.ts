import type { AgentEvent } from "../../../shared/conversation/events.ts";
import { isNoted, noteOf } from "../../../shared/conversation/notes.ts";

export interface LogLine {
  level: "info" | "warn" | "error";
  text: string;
}

/**
 * What of an event is a line of the log: failures, and all that the user must know. Words of the conversation are
 * not. Pure.
 * @returns null for the many events that are no line
 */
export function logLine(event: AgentEvent): LogLine | null {
  if (event.type === "loop.detected") {
    // Its note quotes what the calls were about.
    return { level: "warn", text: `the same step ${event.count} times: ${event.action}` };
  }
  if (isNoted(event)) {
    const text = noteOf(event);
    return text === null ? { level: "info", text: event.type } : { level: "warn", text };
  }
  switch (event.type) {
    case "retry":
      return { level: "warn", text: `retry ${event.attempt} in ${event.delayMs} ms: ${event.reason}` };
    case "voice.gap":
      return { level: "warn", text: `speech events lost: ${event.missed}` };
    case "error":
      return { level: "error", text: `${event.error.code}: ${event.error.message}` };
    case "run.ended":
      if (!event.error) return { level: "info", text: `run ended: ${event.stopReason}` };
      return { level: "error", text: `run failed, ${event.error.code}: ${event.error.message}` };
    case "voice.state": {
      const why = event.detail ? `: ${event.detail.message}` : "";
      const isTrouble = event.state === "failed" || event.state === "restarting";
      return { level: isTrouble ? "warn" : "info", text: `voice ${event.state}${why}` };
    }
    default:
      return null;
  }
}
