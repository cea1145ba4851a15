import type { AgentEvent } from "./events.ts";

const noted = [
  "loop.detected",
  "compaction.started",
  "compaction.ended",
  "history.trimmed",
  "result.truncated",
  "budget.warning",
] as const;

/** Events that the user must know of, shown as a quiet line. */
export type NotedEvent = Extract<AgentEvent, { type: (typeof noted)[number] }>;

export const isNoted = (event: AgentEvent): event is NotedEvent => noted.some((type) => type === event.type);

const number = new Intl.NumberFormat("en-GB");

/** The line; null where another event says it better. */
export function noteOf(event: NotedEvent): string | null {
  switch (event.type) {
    case "loop.detected":
      return `The same step was repeated ${event.count} times (${event.pattern.join(", then ").slice(0, 200)}): ${
        event.action === "stop" ? "the run was stopped." : "the model was told to try another way."
      }`;
    case "compaction.started":
      return null;
    case "compaction.ended":
      return event.error
        ? `The conversation could not be summarised (${event.error}); its oldest parts are left out instead.`
        : `Earlier parts of the conversation were summarised: ${number.format(event.tokensBefore)} → ${number.format(event.tokensAfter)} tokens.`;
    case "history.trimmed":
      return `${event.dropped} older messages are no longer sent to the model.`;
    case "result.truncated":
      return `The model saw ${number.format(event.shownChars)} of ${number.format(event.totalChars)} characters from ${event.name}.`;
    case "budget.warning":
      return event.maxTokens > 0
        ? `${number.format(event.usedTokens)} of ${number.format(event.maxTokens)} tokens of this conversation are used.`
        : `$${event.usedUsd.toFixed(2)} of $${event.maxUsd.toFixed(2)} of this conversation are used.`;
  }
}
